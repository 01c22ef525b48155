package ingest

import (
	"slices"
	"strings"

	"github.com/brainbridge/brainbridge/brain"
)

// match returns, for each outcome of a note, the same outcome as it is stored; for a new one,
// a source without an id. byKey has stored outcomes by identity, inFile those of the file. The
// identity of an outcome decides, with three exceptions:
//   - Outcomes with the same header in one file differ by their number, which changes when
//     one of them is removed. The one with the same text is the same outcome.
//   - The same text on the same day under another header is the same outcome if its former
//     header is no longer in the file.
//   - A bullet or task can be an edit of another one, see matchEdits. present has the identities
//     in all notes of the batch.
func match(n Note, byKey map[string]brain.Source, inFile []brain.Source, present map[string]bool) []brain.Source {
	found, taken := make([]brain.Source, len(n.Outcomes)), map[string]bool{}
	for _, find := range matchRules(n, byKey, inFile, taken) {
		for i, o := range n.Outcomes {
			if found[i].ID != "" {
				continue
			}
			if s := find(o); s.ID != "" && !taken[s.ID] {
				found[i], taken[s.ID] = s, true
			}
		}
	}
	matchEdits(n, inFile, found, taken, present)
	return found
}

// matchRules returns the rules of match, the most certain first. A rule returns the stored
// outcome for one of a note, or a source without an id. It does not return sources in taken.
func matchRules(n Note, byKey map[string]brain.Source, inFile []brain.Source, taken map[string]bool) []func(NoteOutcome) brain.Source {
	present, headers := map[string]bool{}, map[string]int{}
	for _, o := range n.Outcomes {
		present[o.Key] = true
		headers[headerOf(o.Source)]++
	}
	// Present outcomes come before removed ones.
	inFile = slices.SortedStableFunc(slices.Values(inFile), func(a, b brain.Source) int { return a.Removed.Compare(b.Removed) })
	first := func(fits func(brain.Source) bool) brain.Source {
		for _, s := range inFile {
			if !taken[s.ID] && fits(s) {
				return s
			}
		}
		return brain.Source{}
	}
	sameOutcome := func(o NoteOutcome) brain.Source {
		if s := byKey[o.Key]; s.BodyHash == o.BodyHash {
			return s
		}
		return brain.Source{}
	}
	otherNumber := func(o NoteOutcome) brain.Source {
		holder, held := byKey[o.Key]
		if o.ID != "" || held && holder.File != n.File || !held && headers[headerOf(o.Source)] < 2 {
			return brain.Source{}
		}
		return first(func(s brain.Source) bool { return s.BodyHash == o.BodyHash && headerOf(s) == headerOf(o.Source) })
	}
	sameIdentity := func(o NoteOutcome) brain.Source { return byKey[o.Key] }
	otherHeader := func(o NoteOutcome) brain.Source {
		if o.Bullet || o.Content == o.Title {
			return brain.Source{}
		}
		return first(func(s brain.Source) bool {
			return s.Date == o.Date && s.BodyHash == o.BodyHash && s.Removed.IsZero() && !present[s.Key]
		})
	}
	moved := func(o NoteOutcome) brain.Source { return formerOf(o, byKey) }
	return []func(NoteOutcome) brain.Source{sameOutcome, otherNumber, sameIdentity, otherHeader, moved}
}

// formerOf returns the stored outcome of the file that a file was before it moved.
func formerOf(o NoteOutcome, byKey map[string]brain.Source) brain.Source {
	if s := byKey[o.FormerKey]; o.FormerKey != "" && !s.Removed.IsZero() && s.BodyHash == o.BodyHash {
		return s
	}
	return brain.Source{}
}

// headerOf returns the common part of outcomes that differ only by their number. For a
// bullet it is the text without differences in case and blanks.
func headerOf(s brain.Source) string {
	if s.TitleKey == "" {
		s.TitleKey = strings.ToLower(strings.Join(strings.Fields(s.Title), " "))
	}
	return strings.Join([]string{s.Date, s.Time, s.Type, s.TitleKey}, "\x00")
}
