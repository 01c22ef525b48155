package lifecycle

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/moment"
	"github.com/brainbridge/brainbridge/brain/plaintext"
)

// FindEntities returns entities by their exact names. The former name of an entity that was
// merged or corrected finds its successor. Inside Update the returned memories are locked.
func FindEntities(r brain.Reader, names []string) (map[string]brain.Memory, error) {
	byKey := map[string]string{}
	for _, name := range names {
		byKey[brain.EntityKey(name)] = name
	}
	held, err := r.ListMemories(brain.ListFilter{By: brain.ByEntity, Keys: slices.Sorted(maps.Keys(byKey))})
	locked := Get(&err, r.Memories, brain.IDs(held)...)
	if err != nil {
		return nil, err
	}
	found := map[string]brain.Memory{}
	for _, m := range locked {
		if name, asked := byKey[m.EntityKey]; asked {
			found[name] = m
			delete(byKey, m.EntityKey)
		}
	}
	return found, findFormer(r, byKey, found)
}

// findFormer adds the successors of entities that formerly had the names with these keys.
func findFormer(r brain.Reader, byKey map[string]string, found map[string]brain.Memory) error {
	byAlias := map[string]string{}
	for key, name := range byKey {
		byAlias[aliasID(key)] = name
	}
	recs, err := r.Records(brain.RedirectRecord, slices.Sorted(maps.Keys(byAlias))...)
	if err != nil {
		return err
	}
	for _, rec := range recs {
		at, err := Resolve(r, rec.Key)
		switch {
		case errors.Is(err, brain.ErrNotFound):
		case err != nil:
			return err
		case at.Memory.Entity && at.Memory.Current():
			found[byAlias[rec.ID]] = at.Memory
		}
	}
	return nil
}

// RedirectName redirects the name of an entity to its successor, as part of an action. It
// stores nothing if the entity keeps the name or has none.
func RedirectName(tx brain.Tx, a *brain.Action, old, next brain.Memory) error {
	if old.EntityKey == "" || !next.Entity || old.Name == next.Name {
		return nil
	}
	rec, err := brain.NewRecord(brain.RedirectRecord, aliasID(old.EntityKey), "", next.ID, a.At, struct{}{})
	if err != nil {
		return err
	}
	a.Made = append(a.Made, rec)
	return tx.PutRecords(rec)
}

// aliasID returns the id of the redirect from a former name of an entity.
func aliasID(key string) string { return "entity:" + key }

// observed is the information in the observations of an entity about its use.
// Agents write these lines themselves:
//
//	Applied in CONTEXT: HELPFUL
//	Applied in: CONTEXT (NOT HELPFUL)
//	Applied in CONTEXT - not_helpful
//	Applied in CONTEXT NOT HELPFUL (2026-02-05)
//	Applied in: CONTEXT
//	Discovered: 2026-02-05
//	Researched: February 5, 2026
//	Applies to: CONTEXT, CONTEXT
//	critical: true
//	Last used: 2026-02-05
//
// Other lines are ignored.
type observed struct {
	now time.Time // later uses are ignored

	helpful, notHelpful int       // distinct contexts
	discovered          time.Time // the earliest
	lastUsed            time.Time // the latest
	appliesTo           []string
	critical            bool
	applied             map[string]bool // contexts with their verdicts: the uses
}

// appliedLine is a use, and verdictOf the verdict that it ends with: after a colon, a dash or
// an arrow, in brackets or in capitals, perhaps with a date in brackets behind it.
var (
	appliedLine = regexp.MustCompile(`(?i)^(?:[-*+]\s+)?applied[ _]in(?:\s*:\s*|\s+)(\S.*)$`)
	verdictOf   = regexp.MustCompile(`^(.*?\S)(?i:(?:\s*[:–—→]|\s+-+|\s*[(\[])\s*(not[ _-]?helpful|unhelpful|helpful)|\s+((?-i:NOT HELPFUL|HELPFUL)))\s*[)\]]?[.!]?(?:\s*[(\[][\d-]{10}[)\]])?$`)
)

// observe reads observations as of an instant.
func observe(observations []string, now time.Time) observed {
	o := observed{now: now, applied: map[string]bool{}}
	for _, observation := range observations {
		for line := range strings.Lines(observation) {
			o.line(strings.TrimSpace(line))
		}
	}
	return o
}

func (o *observed) line(line string) {
	if use := appliedLine.FindStringSubmatch(strings.ReplaceAll(line, "**", "")); use != nil {
		o.use(use[1])
		return
	}
	field, value, ok := strings.Cut(line, ":")
	if !ok {
		return
	}
	switch value = strings.TrimSpace(value); strings.ToLower(field) {
	case "critical":
		o.critical = o.critical || strings.EqualFold(value, "true")
	case "discovered", "researched":
		if at := observedAt(value, o.now); !at.IsZero() && (o.discovered.IsZero() || at.Before(o.discovered)) {
			o.discovered = at
		}
	case "last used":
		if at := observedAt(value, o.now); at.After(o.lastUsed) && !at.After(o.now) {
			o.lastUsed = at
		}
	case "applies to":
		for place := range strings.SplitSeq(value, ",") {
			if place = plaintext.OneLine(place); place != "" {
				o.appliesTo = append(o.appliesTo, place)
			}
		}
	}
}

// use counts a use, once for each context and verdict.
func (o *observed) use(text string) {
	context, verdict := text, ""
	if v := verdictOf.FindStringSubmatch(text); v != nil {
		context, verdict = v[1], strings.ToLower(v[2]+v[3])
	}
	key := fmt.Sprint(verdict == "helpful", verdict == "", " ", strings.ToLower(plaintext.OneLine(context)))
	switch {
	case o.applied[key] || verdict == "":
	case verdict == "helpful":
		o.helpful++
	default:
		o.notHelpful++
	}
	o.applied[key] = true
}

// observedAt reads a date or a time that a text begins with, or a date in words with its
// year; it returns the zero time for other text.
func observedAt(text string, now time.Time) time.Time {
	first, _, _ := strings.Cut(text, " ")
	for _, text := range []string{text, first} {
		if at, ok := moment.ParseTimestamp(text); ok {
			return brain.Instant(at)
		}
	}
	text, _, _ = strings.Cut(text, " (")
	at, wholeDay, err := moment.Parse(text, now.UTC(), moment.Past)
	if err != nil || !wholeDay || !strings.Contains(text, at.Format("2006")) {
		return time.Time{}
	}
	return brain.Instant(at)
}

// ApplyObservations updates the counters and fields of an entity from its observations.
// Lines that are in before were counted already and are not counted again.
func ApplyObservations(m *brain.Memory, before []string, now time.Time) {
	if !m.Entity {
		return
	}
	was, is := observe(before, now), observe(append(slices.Clone(before), m.Observations...), now)
	helpful, notHelpful := is.helpful-was.helpful, is.notHelpful-was.notHelpful
	m.HelpfulCount += helpful
	m.NotHelpfulCount += notHelpful
	uses := len(is.applied) - len(was.applied)
	m.UseCount += uses
	if len(before) > 0 && uses > 0 {
		m.LastUsed = brain.Later(m.LastUsed, now)
	}
	m.LastUsed = brain.Later(m.LastUsed, is.lastUsed)
	if !is.discovered.IsZero() && is.discovered.Before(m.Created) {
		m.Created = is.discovered
	}
	if is.critical && !was.critical {
		m.Importance = brain.Critical
	}
	m.AppliesTo = brain.Union(slices.Clip(m.AppliesTo), is.appliesTo)
}
