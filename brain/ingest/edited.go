package ingest

import (
	"slices"
	"strings"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/words"
)

// row is a bullet or task in its file.
type row struct {
	brain.Source
	index int      // in the note
	match string   // id of the stored row that it is, "" if it is gone or new
	words []string // sorted
}

// matchEdits finds the bullets and tasks of a note that are edits of stored ones, and adds them
// to found, by index of the outcome, and to taken, by id. A new row is an edit of a stored row if
// that one is gone from the file, was below the same heading, and either 80% of the words are
// equal or each is the only changed row between the same neighbours. In doubt it is none, because
// a wrong match would overwrite a memory. present has the identities in all notes of the batch.
func matchEdits(n Note, inFile, found []brain.Source, taken, present map[string]bool) {
	var before, after []*row
	gone := map[string][]*row{} // by list
	for _, s := range inFile {
		switch r := (&row{Source: s}); {
		case !s.Removed.IsZero():
		case taken[s.ID]:
			r.match = s.ID
			before = append(before, r)
		case isBullet(s) && !present[s.Key]:
			r.words = wordsOf(s.Body)
			before, gone[listOf(s)] = append(before, r), append(gone[listOf(s)], r)
		}
	}
	take := func(old, r *row) {
		found[r.index], taken[old.ID], old.match, r.match = old.Source, true, old.ID, old.ID
	}
	for i, o := range n.Outcomes {
		r := &row{Source: o.Source, index: i, match: found[i].ID}
		if list := gone[listOf(o.Source)]; o.Bullet && r.match == "" && len(list) > 0 {
			r.words = wordsOf(o.Body)
			if old := mostAlike(list, r.words); old != nil {
				take(old, r)
			}
		}
		if r.match != "" || o.Bullet && !o.Ticked {
			after = append(after, r)
		}
	}
	places := placesOf(before)
	for p, rows := range placesOf(after) {
		if old := places[p]; len(old) == 1 && len(rows) == 1 && p.fits(old[0], rows[0]) {
			take(old[0], rows[0])
		}
	}
}

func isBullet(s brain.Source) bool {
	return s.Kind == brain.Reminder || s.Kind == brain.Outcome && s.Time == ""
}

// listOf returns what the rows of one list have in common.
func listOf(s brain.Source) string {
	if s.Kind == brain.Reminder {
		return "task\x00" + s.Description
	}
	return "\x00" + s.Description
}

// place is where rows of a list are: between two known rows, "" at the ends of the file.
type place struct{ list, above, below string }

// placesOf returns the rows that are not known, by their places.
func placesOf(rows []*row) map[place][]*row {
	slices.SortStableFunc(rows, func(a, b *row) int { return a.Line - b.Line })
	places, above := map[place][]*row{}, ""
	var between []*row
	flush := func(below string) {
		for _, r := range between {
			p := place{listOf(r.Source), above, below}
			places[p] = append(places[p], r)
		}
		above, between = below, nil
	}
	for _, r := range rows {
		if r.match == "" {
			between = append(between, r)
		} else {
			flush(r.match)
		}
	}
	flush("")
	return places
}

// fits reports whether a row can be an edit of the only one that was in its place: they share a
// word that is not a stop word, or they are between two known rows and have the same type, which
// is not the default, note.
func (p place) fits(old, r *row) bool {
	if p.above != "" && p.below != "" && old.Type == r.Type && r.Type != "note" {
		return true
	}
	all := words.Content(r.Title, 0)
	return slices.ContainsFunc(words.Content(old.Title, 0), func(w string) bool { return slices.Contains(all, w) })
}

// wordsOf returns the words of a row, sorted.
func wordsOf(text string) []string {
	for _, box := range []string{open, ticked, carried} {
		text = strings.TrimPrefix(text, box)
	}
	return slices.Sorted(slices.Values(strings.Fields(words.Key(text))))
}

// mostAlike returns the row of a list that is not matched and has most words in common, nil if
// none has 80%.
func mostAlike(list []*row, words []string) (best *row) {
	most := 0
	for _, old := range list {
		if n := sameWords(old.words, words); n > most && old.match == "" {
			best, most = old, n
		}
	}
	return best
}

// sameWords returns the percentage of the words of the longer text that are in both, or 0 if it is
// below 80.
func sameWords(a, b []string) int {
	most, same := max(len(a), len(b)), 0
	for 5*min(len(a)+same, len(b)+same) >= 4*most && len(a) > 0 && len(b) > 0 {
		switch c := strings.Compare(a[0], b[0]); {
		case c < 0:
			a = a[1:]
		case c > 0:
			b = b[1:]
		default:
			a, b, same = a[1:], b[1:], same+1
		}
	}
	if most == 0 || 5*same < 4*most {
		return 0
	}
	return 100 * same / most
}
