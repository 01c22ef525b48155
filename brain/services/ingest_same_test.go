package services_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/ingest"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/brain/storetest"
)

// repeated is a note with these texts under one header, told apart by their
// number.
func repeated(bullets bool, texts []string) ingest.Note {
	n := ingest.Note{File: "2026-03-01.md"}
	for i, text := range texts {
		o := ingest.NoteOutcome{
			Source: brain.Source{
				Key: brain.Hash("outcome", fmt.Sprint(i)), Date: "2026-03-01", Time: "09:00", Type: "decision",
				Title: "The same", TitleKey: "same", Body: text, BodyHash: brain.Hash(text), Line: 10*i + 1,
			},
			At: time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC), Content: text,
		}
		if bullets {
			o.Bullet, o.Time, o.TitleKey, o.Title = true, "", "", text
		}
		n.Outcomes = append(n.Outcomes, o)
	}
	return n
}

// memories are the ids of the memories in use by their text, each once, and
// whether their place in the note is gone.
func (l *lab) memories() (ids map[string]string, gone map[string]bool) {
	l.t.Helper()
	ids, gone = map[string]string{}, map[string]bool{}
	for _, v := range must[[]brain.View](l)(l.Recall.List(l.ctx(), lifecycle.ListQuery{Limit: 99})) {
		if ids[v.Content] != "" {
			l.t.Fatalf("%q is there twice", v.Content)
		}
		ids[v.Content] = v.ID
		gone[v.Content] = !l.show(v.ID).Source.Removed.IsZero()
	}
	return ids, gone
}

func TestTheFirstOfTwoOutcomesOfOneHeaderGoes(t *testing.T) {
	l := newLab(t)
	must[ingest.Ingested](l)(l.Ingest.Ingest(l.ctx(), "dir", []ingest.Note{repeated(false, []string{"one", "two"})}))
	before, _ := l.memories()
	got := must[ingest.Ingested](l)(l.Ingest.Ingest(l.ctx(), "dir", []ingest.Note{repeated(false, []string{"two"})}))
	if got.Unchanged != 1 || got.Gone != 1 || got.Changed != 0 {
		t.Errorf("became %+v; want one unchanged and one gone", got)
	}
	after, gone := l.memories()
	if diff := cmp.Diff(before, after); diff != "" {
		t.Errorf("memories by text (-before +after):\n%s", diff)
	}
	one, two := l.show(before["one"]).Memory.Source, l.show(before["two"]).Memory.Source
	if diff := cmp.Diff(&brain.Place{File: "2026-03-01.md", Line: 1, Removed: true}, one); diff != "" || two.Removed {
		t.Errorf("the place of the first (-want +got):\n%s\nand of the second: %+v", diff, two)
	}
	if !gone["one"] || gone["two"] {
		t.Errorf("gone: %v; want one alone", gone)
	}
}

// A text that two notes said and that is back in one of them stands again.
func TestATextThatIsBackInOneOfItsNotesStands(t *testing.T) {
	l := newLab(t)
	in := func(file string, texts ...string) ingest.Note {
		n := repeated(true, texts)
		for i := range n.Outcomes {
			n.Outcomes[i].Key = brain.Hash(file, texts[i])
		}
		n.File = file
		return n
	}
	const text = "the mast stays white"
	for _, notes := range [][]ingest.Note{{in("a.md", text), in("b.md", text)}, {in("a.md"), in("b.md")}, {in("a.md", text)}} {
		must[ingest.Ingested](l)(l.Ingest.Ingest(l.ctx(), "dir", notes))
	}
	if _, gone := l.memories(); gone[text] {
		t.Error("it counts as gone")
	}
}

// However outcomes of one header are deleted, brought back and put in another
// order, each text keeps its memory.
func TestTextsOfOneHeaderKeepTheirMemories(t *testing.T) {
	storetest.Some(t, storetest.Dear, func(rt *rapid.T) {
		l := newLab(t)
		texts := []string{"one", "two", "three", "four"}
		bullets := rapid.Bool().Draw(rt, "bullets")
		must[ingest.Ingested](l)(l.Ingest.Ingest(l.ctx(), "dir", []ingest.Note{repeated(bullets, texts)}))
		before, _ := l.memories()
		for range rapid.IntRange(1, 4).Draw(rt, "edits") {
			left := rapid.Permutation(texts).Draw(rt, "order")[:rapid.IntRange(0, len(texts)).Draw(rt, "left")]
			note := []ingest.Note{repeated(bullets, left)}
			must[ingest.Ingested](l)(l.Ingest.Ingest(l.ctx(), "dir", note))
			again := must[ingest.Ingested](l)(l.Ingest.Ingest(l.ctx(), "dir", note))
			if again.Unchanged != len(left) || again.New+again.Changed+again.Gone > 0 {
				rt.Fatalf("the same again became %+v", again)
			}
			after, gone := l.memories()
			if diff := cmp.Diff(before, after); diff != "" {
				rt.Fatalf("after %v, memories by text (-before +after):\n%s", left, diff)
			}
			for text := range maps.Keys(gone) {
				if gone[text] == slices.Contains(left, text) {
					rt.Fatalf("after %v, %q is marked as gone: %v", left, text, gone[text])
				}
			}
		}
	})
}
