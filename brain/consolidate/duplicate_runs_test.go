package consolidate_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/consolidate"
	"github.com/brainbridge/brainbridge/brain/similar"
	"github.com/brainbridge/brainbridge/brain/storetest"
	"github.com/brainbridge/brainbridge/brain/storetest/testlab"
)

// However many are the same: one is left, no merge has more than twelve, and
// undoing the run brings all of them back, to be left alone from then on.
func TestManyOfOneKind(t *testing.T) {
	for _, n := range []int{12, 13, 40} {
		s := testlab.OpenStore(t)
		var ids []string
		for i := range n {
			ids = append(ids, put(t, s, "The nightly build is green"+strings.Repeat("!", i%4)))
		}
		rep := deduped(t, s, consolidate.DuplicateOptions{})
		left := map[string]bool{}
		for _, id := range ids {
			left[newest(t, s, id)] = true
		}
		if len(left) != 1 || rep.Merged != n-1 {
			t.Errorf("of %d the same %d are left, %d merged away", n, len(left), rep.Merged)
		}
		for _, a := range rep.Actions {
			if len(a.IDs) > 12 {
				t.Errorf("a cluster of %d", len(a.IDs))
			}
		}
		if _, err := testlab.At(s, testlab.Start().Add(2*time.Minute)).Journal.Undo(t.Context(), rep.RunID, nil, nil); err != nil {
			t.Fatal(err)
		}
		again := deduped(t, s, consolidate.DuplicateOptions{Alike: similar.Defaults().Alike})
		for _, id := range ids {
			if newest(t, s, id) != id {
				t.Errorf("%d the same: merged again after the undo: %v", n, again.Actions)
				break
			}
		}
	}
}

// What comes after an undone merge is merged, but not what was undone.
func TestUndoneMergeStaysUndone(t *testing.T) {
	s := testlab.OpenStore(t)
	a, b := put(t, s, "Ship it on Friday", created(testlab.Start())), put(t, s, "ship it on friday!", created(testlab.Start()))
	rep := deduped(t, s, consolidate.DuplicateOptions{})
	if _, err := testlab.At(s, testlab.Start().Add(2*time.Minute)).Journal.Undo(t.Context(), rep.RunID, nil, nil); err != nil {
		t.Fatal(err)
	}
	c := put(t, s, "Ship it, on Friday.", created(testlab.Start().Add(time.Second)))
	deduped(t, s, consolidate.DuplicateOptions{})
	if newest(t, s, a) == newest(t, s, b) {
		t.Error("the undone merge was done again")
	}
	if into := newest(t, s, c); into != newest(t, s, a) && into != newest(t, s, b) {
		t.Error("the new one was not merged")
	}
}

// A and B may be merged, and B and C, but not A and C: they never come together,
// neither in one run nor in one after the other.
func TestChainIsNotMerged(t *testing.T) {
	for _, later := range []bool{false, true} {
		s := testlab.OpenStore(t)
		b := put(t, s, longText, withName("Export"), confirmed(5))
		a := put(t, s, longText+" again", withName("Export"))
		if later {
			deduped(t, s, consolidate.DuplicateOptions{})
		}
		c := put(t, s, longText+" carefully", withName("Export"))
		deduped(t, s, consolidate.DuplicateOptions{})
		deduped(t, s, consolidate.DuplicateOptions{Alike: similar.Defaults().Alike})
		if newest(t, s, a) == newest(t, s, c) {
			t.Errorf("later %v: the ends of the chain were merged", later)
		}
		if newest(t, s, a) != b && newest(t, s, c) != b {
			t.Errorf("later %v: nothing was merged", later)
		}
	}
}

// rowsOf reads a table of pairs that similar keeps for its own tests.
func rowsOf(t *testing.T, name string) [][]string {
	t.Helper()
	raw, err := os.ReadFile("../similar/testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var all [][]string
	for line := range strings.Lines(string(raw)) {
		all = append(all, strings.Split(strings.TrimSuffix(line, "\n"), "\t"))
	}
	return all
}

// The tables of contradictions and of texts that differ in form alone, through a
// whole run: all of them in one brain, once in one project, once each under its
// own name.
func TestTablesThroughARun(t *testing.T) {
	for _, perName := range []bool{false, true} {
		s := testlab.OpenStore(t)
		name := func(i int) func(*brain.Memory) {
			if perName {
				return withName(fmt.Sprintf("Rule of house %c%c", 'A'+i/20, 'A'+i%20))
			}
			return withName("")
		}
		contradictions, same := rowsOf(t, "contradictions.tsv"), rowsOf(t, "same.tsv")
		pairs := make([][2]string, 0, len(contradictions)+len(same))
		for i, row := range slices.Concat(contradictions, same) {
			cells := row[len(row)-2:]
			typ := ofType("note")
			if i >= len(contradictions) {
				typ = ofType("lesson")
			}
			pairs = append(pairs, [2]string{put(t, s, cells[0], name(i), typ), put(t, s, cells[1], name(i), typ)})
		}
		rep := deduped(t, s, consolidate.DuplicateOptions{})
		wrong, right := 0, 0
		for i, p := range pairs {
			switch merged := newest(t, s, p[0]) == newest(t, s, p[1]); {
			case merged && i < len(contradictions):
				wrong++
				t.Logf("merged: %v", contradictions[i])
			case merged:
				right++
			}
		}
		kinds := map[brain.ReviewKind]int{}
		for _, item := range reviews(t, s) {
			kinds[item.Kind]++
		}
		t.Logf("under its own name: %v; %d of %d contradictions merged, %d of %d pairs of one form merged; in the queue %v",
			perName, wrong, len(contradictions), right, len(same), kinds)
		if wrong*100 > len(contradictions) || right*100 < len(same)*97 || rep.Flagged == 0 {
			t.Errorf("report %+v", rep.Figures)
		}
	}
}

// Whatever comes in whatever order, with runs between: no run merges what the
// guard holds apart, nothing is lost, and after the runs of what is new one of all
// finds nothing more to merge.
func TestRunsOfWhatIsNewFindAll(t *testing.T) {
	word := rapid.SampledFrom([]string{"nightly", "export", "exports", "tenant", "not", "8080", "8443", "Redis", "enabled", "disabled", "drained"})
	s := testlab.OpenStore(t)
	n := 0
	storetest.Some(t, storetest.Dear, func(rt *rapid.T) {
		n++
		project := inProject(fmt.Sprint("p", n))
		base := rapid.SliceOfN(word, 4, 10).Draw(rt, "base")
		var ids []string
		for range rapid.IntRange(1, 3).Draw(rt, "runs") {
			for range rapid.IntRange(1, 3).Draw(rt, "new") {
				text := slices.Clone(base)
				if rapid.Bool().Draw(rt, "other") {
					text[rapid.IntRange(0, len(text)-1).Draw(rt, "place")] = word.Draw(rt, "word")
				}
				ids = append(ids, put(t, s, strings.Join(text, " "), project))
			}
			deduped(t, s, consolidate.DuplicateOptions{})
		}
		if rep := deduped(t, s, consolidate.DuplicateOptions{Alike: similar.Defaults().Alike}); rep.Merged > 0 {
			rt.Fatalf("a run of all merges more: %v", rep.Actions)
		}
		for i, a := range ids {
			for _, b := range ids[i+1:] {
				if newest(t, s, a) == newest(t, s, b) && contradict(t, s, a, b) {
					rt.Fatalf("%s and %s came together", a, b)
				}
			}
		}
	})
}

// contradict tells whether the guard holds two memories apart.
func contradict(t *testing.T, s brain.Store, a, b string) bool {
	t.Helper()
	var texts []similar.Text
	for _, id := range []string{a, b} {
		shown, err := testlab.At(s, testlab.Start()).Recall.Show(t.Context(), id, true)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, similar.Prepare(shown.Memory.Content))
	}
	return texts[0].Normalised() != texts[1].Normalised() && similar.Guard(texts[0], texts[1]) != 0
}

// A run with numbers of its own looks at everything, and the next one does not
// take its numbers for those it has to go by.
func TestNumbersOfOneRun(t *testing.T) {
	s := testlab.OpenStore(t)
	for i := range 3 {
		put(t, s, "Ship it on Friday"+strings.Repeat("!", i))
	}
	put(t, s, "Alice pays Bob for the work")
	put(t, s, "Bob pays Alice for the work")
	if rep := deduped(t, s, consolidate.DuplicateOptions{MinCluster: 4}); rep.Merged+rep.Flagged > 0 {
		t.Errorf("clusters of four: %+v", rep.Figures)
	}
	if rep := deduped(t, s, consolidate.DuplicateOptions{}, func(r *consolidate.Request) { r.Type = "decision" }); rep.Merged+rep.Flagged > 0 {
		t.Errorf("decisions alone: %+v", rep.Figures)
	}
	if rep := deduped(t, s, consolidate.DuplicateOptions{MaxCluster: 2}); rep.Merged != 2 || rep.Clusters != 2 {
		t.Errorf("clusters of two: %+v", rep.Figures)
	}
}
