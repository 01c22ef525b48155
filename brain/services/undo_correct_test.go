package services_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/journal"
	"github.com/brainbridge/brainbridge/brain/storetest"
)

// Whatever relations memories have, undoing a correction restores exactly those of before.
func TestUndoOfACorrectionRestoresTheRelations(t *testing.T) {
	storetest.Some(t, storetest.Dear, func(rt *rapid.T) {
		l := newLab(t)
		var ids []string
		for i := range 4 {
			ids = append(ids, l.learn(fmt.Sprint("topic ", i), "staging listens on port 543"+fmt.Sprint(i)))
		}
		pick := rapid.SampledFrom(ids)
		for range rapid.IntRange(0, 8).Draw(rt, "relations") {
			from, to := pick.Draw(rt, "from"), pick.Draw(rt, "to")
			if from != to {
				kind := rapid.SampledFrom([]string{"related_to", "applies_to", "part_of"}).Draw(rt, "type")
				ran[brain.Relation](l)(l.Capture.Relate(l.ctx(), from, kind, to))
			}
		}
		before := l.relations(ids...)
		for _, id := range rapid.SliceOfNDistinct(pick, 1, 3, rapid.ID).Draw(rt, "corrected") {
			_, run, err := l.Capture.Correct(l.ctx(), id, "", "staging listens on port 6000")
			if err != nil {
				rt.Fatal(err)
			}
			if u := must[journal.Undone](l)(l.Journal.Undo(l.ctx(), run.ID, nil, nil)); u.Undone != 1 {
				rt.Fatalf("undone: %+v", u)
			}
			if diff := cmp.Diff(before, l.relations(ids...)); diff != "" {
				rt.Fatalf("the relations differ:\n%s", diff)
			}
		}
	})
}
