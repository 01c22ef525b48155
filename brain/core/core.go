// Package core manages core memory: the memories that do not decay and are never
// forgotten.
package core

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/tiers"
)

// Service manages core memory. It is safe for concurrent use.
type Service struct {
	base lifecycle.Base
}

// New returns the service.
func New(base lifecycle.Base) *Service { return &Service{base: base} }

// RunCore is the kind of a run that changes only core memory.
const RunCore = "core"

// The kinds of actions that change core memory.
const (
	ActCore   brain.ActionKind = "promote-to-core"
	ActDemote brain.ActionKind = "demote"
)

// Judge is the rule of promotion to core: enough verdicts, mostly helpful, at a
// sufficient age. It returns the reason, or "". An expired memory can be promoted
// too. m must be settled at now.
func Judge(m brain.Memory, n tiers.CoreNumbers, now time.Time) string {
	verdicts := m.HelpfulCount + m.NotHelpfulCount
	effectiveness := m.Effectiveness()
	age := now.Sub(m.Created)
	switch {
	case m.Tier == tiers.Core || !m.Current() || m.Created.IsZero():
		return ""
	case effectiveness == nil || verdicts < n.Uses || *effectiveness < n.Effectiveness || age < time.Duration(n.AgeDays)*brain.Day:
		return ""
	}
	return fmt.Sprintf("%d verdicts, effectiveness %.2f, %d days old", verdicts, *effectiveness, int(age/brain.Day))
}

// Scope selects the memories among which [Service.Candidates] searches.
type Scope struct {
	Now      time.Time
	Numbers  tiers.CoreNumbers
	Type     string // "" for all
	Entities bool   // include entities
}

// Candidate is a memory that qualifies for core, with the reason.
type Candidate struct {
	Memory brain.Memory
	Reason string
}

// Candidates returns the memories that qualify for core by [Judge], a page at a
// time. A page can be empty; the first error ends the sequence.
func (s *Service) Candidates(ctx context.Context, scope Scope) iter.Seq2[[]Candidate, error] {
	return func(yield func([]Candidate, error) bool) {
		ids, err := lifecycle.Read(ctx, s.base, func(r brain.Reader) ([]string, error) {
			return r.Proven(scope.Numbers.Uses, scope.Numbers.Effectiveness)
		})
		slices.Sort(ids)
		for chunk := range slices.Chunk(ids, 1000) {
			ms, failed := s.base.Memories(ctx, chunk...)
			if err = failed; err != nil || !yield(scope.judged(ms), nil) {
				break
			}
		}
		if err != nil {
			yield(nil, fmt.Errorf("find candidates for core: %w", err))
		}
	}
}

func (s Scope) judged(ms []brain.Memory) []Candidate {
	var found []Candidate
	for _, m := range ms {
		inScope := (s.Entities || !m.Entity) && (s.Type == "" || m.MemoryType == s.Type)
		if reason := Judge(m, s.Numbers, s.Now); reason != "" && inScope {
			found = append(found, Candidate{m, reason})
		}
	}
	return found
}

// Text is an entry that a person wrote into core-memory.json.
type Text struct {
	Type, Key, Text string
	Created         time.Time // zero: now
}

// Add creates core memories from texts, in order, as the next actions of a run.
func (s *Service) Add(ctx context.Context, run brain.Run, now time.Time, texts []Text) (made []brain.Memory, done []brain.Action, next brain.Run, err error) {
	secrets := 0
	session := s.base.SessionAt(now)
	for _, t := range texts {
		clean := s.base.Redaction()
		content := clean.Keyed(t.Key, t.Text)
		made = append(made, brain.Memory{
			ID: s.base.NewID(), Name: clean.Text(t.Key), Content: content, MemoryType: t.Type, Created: brain.Instant(cmp.Or(t.Created, now)), Origin: brain.CoreOrigin,
			Retention: brain.RetainCore, SessionID: session, Group: session, Agent: s.base.Agent, AccessCount: 1, LastAccessed: now, Version: 1,
		})
		secrets += clean.Found
	}
	done, next, err = s.base.Act(ctx, run, now, func(tx brain.Tx) ([]brain.Action, error) {
		tl, err := lifecycle.Timeline(tx)
		if err != nil {
			return nil, err
		}
		var actions []brain.Action
		for i := range made {
			m := &made[i]
			m.State = tl.Start(tiers.Core, tl.At(now).InitialOther, 0, now)
			m.Complete()
			actions = append(actions, brain.Action{
				Kind: ActCore, IDs: []string{m.ID}, Root: m.Root, Reason: "written by hand as " + m.Name, At: now,
				Changes: []brain.Change{{After: new(*m)}},
			})
		}
		if err := lifecycle.AddTally(tx, lifecycle.TallyRedacted, secrets, now); err != nil {
			return nil, err
		}
		return actions, tx.PutMemories(made...)
	})
	if err != nil {
		return nil, nil, run, fmt.Errorf("add core memories: %w", err)
	}
	s.base.Redacted(secrets)
	return made, done, next, nil
}

// Memories returns all core memories in the order of their (or their entries') creation.
func (s *Service) Memories(ctx context.Context) ([]brain.Memory, error) {
	var all []brain.Memory
	for page, err := range s.base.Pages(ctx, brain.ListFilter{Tier: tiers.Core}) {
		if err != nil {
			return nil, fmt.Errorf("read core memory: %w", err)
		}
		all = append(all, page...)
	}
	slices.SortFunc(all, func(x, y brain.Memory) int {
		return cmp.Or(x.Created.Compare(y.Created), strings.Compare(x.Group, y.Group), cmp.Compare(x.Position, y.Position), strings.Compare(x.ID, y.ID))
	})
	return all, nil
}

// IdleCore returns the number of core memories that were last used, or if never
// used created, before since. Core memory is not stale for lack of use.
func (s *Service) IdleCore(ctx context.Context, since time.Time) (int, error) {
	ms, err := s.Memories(ctx)
	n := 0
	for i := range ms {
		if at := ms[i].IdleSince(); !at.IsZero() && at.Before(since) {
			n++
		}
	}
	return n, err
}

// Whereabouts returns, for each id, the newest memory of its chain. An id without
// one is missing from found; forgotten reports whether a person forgot it.
func (s *Service) Whereabouts(ctx context.Context, ids ...string) (found map[string]brain.Memory, forgotten map[string]bool, err error) {
	err = s.base.Store.View(ctx, func(r brain.Reader) error {
		found, forgotten = map[string]brain.Memory{}, map[string]bool{}
		for _, id := range ids {
			if at, err := lifecycle.Resolve(r, id); err == nil {
				found[id] = at.Memory
				continue
			}
			stones, err := r.RecordsByOwner(brain.TombstoneRecord, id)
			if err != nil {
				return err
			}
			forgotten[id] = len(stones) > 0
		}
		return nil
	})
	return found, forgotten, brain.Wrap(err, "find memories")
}

// CheckThreshold reports whether key is a threshold that a file can set (see
// [lifecycle.Base]), and returns an error if v is not a valid value for it.
func CheckThreshold(key string, v float64) (known bool, err error) {
	if !tiers.IsThreshold(key) {
		return false, nil
	}
	_, err = tiers.DefaultPolicy().With(key, v)
	return true, err
}
