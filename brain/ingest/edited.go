package ingest

import (
	"slices"
	"strings"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/words"
)

// matchEdits finds the bullets and tasks of a note that are edits of stored ones, and adds them
// to found and taken. It is an edit if the stored line is gone, stood below the same heading,
// and has four of five words in common or stood in the same place: between the same neighbours,
// with as many gone lines as new ones there. present has the identities in all notes of the batch.
func matchEdits(n Note, inFile, found []brain.Source, taken, present map[string]bool) {
	gone := slices.DeleteFunc(slices.Clone(inFile), func(s brain.Source) bool {
		return !isBullet(s) || !s.Removed.IsZero() || taken[s.ID] || present[s.Key]
	})
	if len(gone) == 0 {
		return
	}
	for i, o := range n.Outcomes {
		for _, s := range gone {
			if found[i].ID == "" && o.Bullet && !taken[s.ID] && sameList(s, o) && sameWords(s.Body, o.Body) {
				found[i], taken[s.ID] = s, true
			}
		}
	}
	places := gonePlaces(inFile, taken, present)
	for place, rows := range newPlaces(n, found) {
		if len(rows) == len(places[place]) {
			for k, i := range rows {
				found[i] = places[place][k]
				taken[found[i].ID] = true
			}
		}
	}
}

// gonePlaces returns the gone bullets of a file by their places, in order.
func gonePlaces(inFile []brain.Source, taken, present map[string]bool) map[string][]brain.Source {
	rows := slices.DeleteFunc(slices.Clone(inFile), func(s brain.Source) bool { return !s.Removed.IsZero() || !isBullet(s) })
	slices.SortStableFunc(rows, func(a, b brain.Source) int { return a.Line - b.Line })
	places := map[string][]brain.Source{}
	for i, s := range rows {
		if !taken[s.ID] && !present[s.Key] {
			place := placeOf(i, len(rows), func(k int) string { return idIf(taken, rows[k].ID) }) + listOf(s)
			places[place] = append(places[place], s)
		}
	}
	return places
}

// newPlaces returns the indexes of the bullets of a note that were not found, by their places.
func newPlaces(n Note, found []brain.Source) map[string][]int {
	var rows []int
	for i, o := range n.Outcomes {
		if o.Bullet && (found[i].ID != "" || !o.Ticked) {
			rows = append(rows, i)
		}
	}
	slices.SortStableFunc(rows, func(a, b int) int { return n.Outcomes[a].Line - n.Outcomes[b].Line })
	places := map[string][]int{}
	for k, i := range rows {
		if found[i].ID == "" {
			place := placeOf(k, len(rows), func(k int) string { return found[rows[k]].ID }) + listOf(n.Outcomes[i].Source)
			places[place] = append(places[place], i)
		}
	}
	return places
}

func isBullet(s brain.Source) bool {
	return s.Kind == brain.Reminder || s.Kind == brain.Outcome && s.Time == ""
}

func idIf(taken map[string]bool, id string) string {
	if taken[id] {
		return id
	}
	return ""
}

// placeOf returns the nearest known neighbours of row i of n.
func placeOf(i, n int, known func(int) string) string {
	above, below := "", ""
	for k := i - 1; k >= 0 && above == ""; k-- {
		above = known(k)
	}
	for k := i + 1; k < n && below == ""; k++ {
		below = known(k)
	}
	return above + "\x00" + below + "\x00"
}

// listOf returns what the rows of one list have in common.
func listOf(s brain.Source) string {
	if s.Kind == brain.Reminder {
		return "task\x00" + s.Description
	}
	return "\x00" + s.Description
}

func sameList(s brain.Source, o NoteOutcome) bool { return listOf(s) == listOf(o.Source) }

// sameWords reports whether four of five words of both texts are the same.
func sameWords(a, b string) bool {
	for _, box := range []string{open, ticked, carried} {
		a = strings.TrimPrefix(a, box)
	}
	left, right := strings.Fields(words.Key(a)), strings.Fields(words.Key(b))
	most, same := max(len(left), len(right)), 0
	for _, word := range left {
		if i := slices.Index(right, word); i >= 0 {
			right = slices.Delete(right, i, i+1)
			same++
		}
	}
	return 5*same >= 4*most
}
