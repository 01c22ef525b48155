package recall

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/plaintext"
	"github.com/brainbridge/brainbridge/brain/similar"
	"github.com/brainbridge/brainbridge/brain/statement"
)

// narrowed reports whether a query has filters other than the project.
func (q Query) narrowed() bool {
	return len(q.Types)+len(q.Tiers)+len(q.Tags) > 0 || q.ActiveOnly || !q.Since.IsZero() || !q.Until.IsZero()
}

// contesting returns the newer memories that contest found ones and were not found
// themselves, each with the score of the older one.
func (s *Service) contesting(r brain.Reader, found []Recalled, at time.Time) ([]Recalled, error) {
	instead := map[string]Recalled{} // the older one, by the id of the newer one
	for _, f := range found {
		by := f.Memory.ContestedBy
		if _, twice := instead[by]; by != "" && !twice && !hasID(found, by) {
			instead[by] = f
		}
	}
	newer, err := s.current(r, slices.Sorted(maps.Keys(instead)), at, func(id string) Why {
		older := instead[id]
		return Why{InsteadOf: older.Memory.ID, OtherProject: older.Why.OtherProject}
	})
	for i := range newer {
		newer[i].Score = instead[newer[i].Memory.ID].Score
	}
	return newer, err
}

// forgetNewer clears ContestedBy if the newer memory was not found, because it is newer
// than the query.
func forgetNewer(found []Recalled) {
	for i := range found {
		if m := &found[i].Memory; !hasID(found, m.ContestedBy) {
			m.ContestedBy = ""
		}
	}
}

func hasID(all []Recalled, id string) bool {
	return slices.ContainsFunc(all, func(r Recalled) bool { return r.Memory.ID == id })
}

// newerFirst places each contested memory below the one of newer or found that contests it,
// latest first, at the position of the best of them.
func newerFirst(found, newer []Recalled) []Recalled {
	if !slices.ContainsFunc(found, func(r Recalled) bool { return r.Memory.ContestedBy != "" }) {
		return found
	}
	all := slices.Concat(found, newer)
	latest := slices.SortedStableFunc(slices.Values(all), func(a, b Recalled) int { return b.Memory.Created.Compare(a.Memory.Created) })
	out := make([]Recalled, 0, len(all))
	place := func(r Recalled) {
		if !hasID(out, r.Memory.ID) {
			out = append(out, r)
		}
	}
	for _, r := range found {
		holder := r
		if i := slices.IndexFunc(all, func(by Recalled) bool { return by.Memory.ID == r.Memory.ContestedBy }); i >= 0 {
			holder = all[i]
		}
		place(holder)
		for _, older := range latest {
			if older.Memory.ContestedBy == holder.Memory.ID {
				place(older)
			}
		}
		place(r) // they contest each other in a cycle; otherwise it is placed already
	}
	return out
}

// formerValue returns what the latest of older memories claimed instead of m: its value or,
// without one, the words that differ; "" if none is known.
func formerValue(m *brain.Memory, ids []string, older map[string]brain.Memory) string {
	const longest = 40 // characters
	var latest *brain.Memory
	for _, id := range ids {
		if o, ok := older[id]; ok && (latest == nil || brain.CompareAge(&o, latest) > 0) {
			latest = &o
		}
	}
	if latest == nil {
		return ""
	}
	value := similar.ClaimOf(statement.Said(latest)).ValueUnlike(similar.ClaimOf(statement.Said(m)))
	if value == "" {
		value = differing(statement.Of(latest).Title, statement.Of(m).Title)
	}
	return plaintext.Shorten(value, longest)
}

// differing returns the words of a former statement that differ from the present one,
// without the common words at the beginning and the end. If one of them only has more
// words, such as "not", it returns "the opposite".
func differing(former, present string) string {
	was, is := strings.Fields(former), strings.Fields(present)
	begin, end := 0, 0
	for begin < min(len(was), len(is)) && strings.EqualFold(was[begin], is[begin]) {
		begin++
	}
	for end < min(len(was), len(is))-begin && strings.EqualFold(was[len(was)-1-end], is[len(is)-1-end]) {
		end++
	}
	if begin+end == min(len(was), len(is)) {
		return "the opposite"
	}
	return strings.Join(was[begin:len(was)-end], " ")
}
