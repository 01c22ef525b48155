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
	known string   // id of the stored row that it is, "" if it is gone or new
	words []string // sorted
}

// matchEdits finds the bullets and tasks of a note that are edits of stored ones, and adds them
// to found and taken. It is an edit if the stored row is gone, stood below the same heading, and
// has four of five words in common or was the only one in the same place. A missed edit leaves
// what is stored as it is, but a wrong one hides it. present has the identities in all notes of
// the batch.
func matchEdits(n Note, inFile, found []brain.Source, taken, present map[string]bool) {
	var before, after []*row
	gone := map[string][]*row{} // by list
	for _, s := range inFile {
		switch r := (&row{Source: s}); {
		case !s.Removed.IsZero():
		case taken[s.ID]:
			r.known = s.ID
			before = append(before, r)
		case isBullet(s) && !present[s.Key]:
			r.words = wordsOf(s.Body)
			before, gone[listOf(s)] = append(before, r), append(gone[listOf(s)], r)
		}
	}
	take := func(old, r *row) {
		found[r.index], taken[old.ID], old.known, r.known = old.Source, true, old.ID, old.ID
	}
	for i, o := range n.Outcomes {
		r := &row{Source: o.Source, index: i, known: found[i].ID}
		if list := gone[listOf(o.Source)]; o.Bullet && r.known == "" && len(list) > 0 {
			r.words = wordsOf(o.Body)
			if k := slices.IndexFunc(list, func(old *row) bool { return old.known == "" && sameWords(old.words, r.words) }); k >= 0 {
				take(list[k], r)
			}
		}
		if r.known != "" || o.Bullet && !o.Ticked {
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
	places, above, from := map[place][]*row{}, "", 0
	for i, end := range append(rows, &row{}) {
		if end.known == "" && i < len(rows) {
			continue
		}
		for _, r := range rows[from:i] {
			p := place{listOf(r.Source), above, end.known}
			places[p] = append(places[p], r)
		}
		above, from = end.known, i+1
	}
	return places
}

// fits reports whether a row can be an edit of the only one that was in its place: they share a
// word that is not a stop word or, between two known rows, are of the same kind.
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

// sameWords reports whether four of five words of both texts are the same.
func sameWords(a, b []string) bool {
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
	return 5*same >= 4*most
}
