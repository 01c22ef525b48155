package ingest

import (
	"slices"
	"strings"

	"github.com/brainbridge/brainbridge/brain"
)

// matching finds the stored outcomes that the outcomes of a note are.
type matching struct {
	note    Note
	byKey   map[string]brain.Source // stored outcomes by identity
	inFile  []brain.Source          // and those of the note's file, present ones first
	present map[string]bool         // identities in the note
	headers map[string]int          // how often each header is in the note
	found   []brain.Source          // by the index of the outcome; without an id: none
	taken   map[string]bool         // ids of those
}

// match returns for each outcome of a note the stored outcome that it is, one
// without an id if it is new. An outcome is known by its identity, but
//   - outcomes with one header in one file are told apart by their number, which
//     changes when one of them goes: the same text keeps its memory, and
//   - the same text on the same day under another header is the same outcome,
//     if its former header is not in the file any more.
func match(n Note, byKey map[string]brain.Source, inFile []brain.Source) []brain.Source {
	inFile = slices.SortedStableFunc(slices.Values(inFile), func(a, b brain.Source) int { return a.Removed.Compare(b.Removed) })
	m := matching{
		note: n, byKey: byKey, inFile: inFile, present: map[string]bool{}, headers: map[string]int{},
		found: make([]brain.Source, len(n.Outcomes)), taken: map[string]bool{},
	}
	for _, o := range n.Outcomes {
		m.present[o.Key] = true
		m.headers[headerOf(o.Source)]++
	}
	m.each(m.sameOutcome)
	m.each(m.otherNumber)
	m.each(m.sameIdentity)
	m.each(m.otherHeader)
	return m.found
}

// each looks for what is not found yet.
func (m *matching) each(find func(NoteOutcome) (brain.Source, bool)) {
	for i, o := range m.note.Outcomes {
		if m.found[i].ID != "" {
			continue
		}
		if s, ok := find(o); ok && !m.taken[s.ID] {
			m.found[i], m.taken[s.ID] = s, true
		}
	}
}

func (m *matching) sameOutcome(o NoteOutcome) (brain.Source, bool) {
	s, ok := m.byKey[o.Key]
	return s, ok && s.BodyHash == o.BodyHash
}

func (m *matching) sameIdentity(o NoteOutcome) (brain.Source, bool) {
	s, ok := m.byKey[o.Key]
	return s, ok
}

// otherNumber finds the outcome of the file with the header and the text of o.
func (m *matching) otherNumber(o NoteOutcome) (brain.Source, bool) {
	holder, held := m.byKey[o.Key]
	if o.ID != "" || held && holder.File != m.note.File || !held && m.headers[headerOf(o.Source)] < 2 {
		return brain.Source{}, false
	}
	return m.where(func(s brain.Source) bool { return s.BodyHash == o.BodyHash && headerOf(s) == headerOf(o.Source) })
}

func (m *matching) otherHeader(o NoteOutcome) (brain.Source, bool) {
	if o.Bullet || o.Content == o.Title {
		return brain.Source{}, false
	}
	return m.where(func(s brain.Source) bool {
		return s.Date == o.Date && s.BodyHash == o.BodyHash && s.Removed.IsZero() && !m.present[s.Key]
	})
}

func (m *matching) where(fits func(brain.Source) bool) (brain.Source, bool) {
	i := slices.IndexFunc(m.inFile, func(s brain.Source) bool { return !m.taken[s.ID] && fits(s) })
	if i < 0 {
		return brain.Source{}, false
	}
	return m.inFile[i], true
}

// headerOf returns what outcomes have in common that differ by their number
// alone; of a bullet its text but for case and blanks.
func headerOf(s brain.Source) string {
	if s.TitleKey == "" {
		s.TitleKey = strings.ToLower(strings.Join(strings.Fields(s.Title), " "))
	}
	return strings.Join([]string{s.Date, s.Time, s.Type, s.TitleKey}, "\x00")
}
