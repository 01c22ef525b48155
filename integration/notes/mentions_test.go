package notes_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/brainbridge/brainbridge/brain"
)

func TestMentions(t *testing.T) {
	r := newRig(t)
	r.save("2026-02-05.md", "## [09:00] note: First\n\nAsk [[Heron database]] and [[Walrus]].\n")
	r.save("knowledge/w.md", "# Zoo\n\nSee [[Walrus]] penguins.\n")
	r.sync()
	first, zoo := r.once("ask").ID, r.once("penguins").ID
	r.save("2026-02-06.md", "## [09:00] decision: Heron database\n\nWe use it.\n")
	r.sync()
	r.wantRelation(first, "mentions", r.once("use").ID)
	c, err := r.brain.Capture.NewMemory(brain.Memory{Name: "Walrus", Content: "tusks"}, brain.Details{})
	if err != nil {
		t.Fatal(err)
	}
	w, err := r.brain.Capture.Capture(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	r.wantRelation(first, "mentions", w.MemoryID)
	r.wantRelation(zoo, "mentions", w.MemoryID)
}

// relations are those of a type that begin at a node, by the name of their end.
func (r *rig) relations(from, kind string) []string {
	r.Helper()
	var list []string
	err := r.store.View(r.Context(), func(rd brain.Reader) error {
		list = nil
		rels, err := rd.Relations(from)
		for _, rel := range rels {
			ms, err := rd.Memories(rel.To)
			if err != nil {
				return err
			}
			if rel.Type == kind && rel.From == from {
				list = append(list, ms[0].Name)
			}
		}
		return err
	})
	if err != nil {
		r.Fatal(err)
	}
	return list
}

func (r *rig) remember(name string) string {
	r.Helper()
	c, err := r.brain.Capture.NewMemory(brain.Memory{Name: name, Content: "about " + name}, brain.Details{})
	if err != nil {
		r.Fatal(err)
	}
	got, err := r.brain.Capture.Capture(r.Context(), c)
	if err != nil {
		r.Fatal(err)
	}
	return got.MemoryID
}

func (r *rig) pending() int {
	r.Helper()
	n := 0
	err := r.store.View(r.Context(), func(rd brain.Reader) error {
		recs, err := rd.ListRecords(brain.PendingRecord, brain.RecordFilter{Limit: 100})
		n = len(recs)
		return err
	})
	if err != nil {
		r.Fatal(err)
	}
	return n
}

func TestMentionsFollowTheText(t *testing.T) {
	texts := map[string][2]string{
		"2026-02-05.md":  {"## [09:00] note: Zoo\n\nPenguins near [[Walrus]], [[Otter|the otter]] and [[Nobody]].\n", "penguins"},
		"knowledge/z.md": {"# Zoo\n\nPenguins near [[Walrus]], [[Otter|the otter]] and [[Nobody]].\n", "penguins"},
	}
	for file, text := range texts {
		t.Run(file, func(t *testing.T) {
			r := newRig(t)
			r.remember("Walrus")
			r.remember("Otter")
			r.save(file, text[0])
			r.sync()
			id := r.once(text[1]).ID
			if got := r.relations(id, "mentions"); len(got) != 2 || r.pending() != 1 {
				t.Fatalf("%v, %d wait", got, r.pending())
			}
			r.save(file, strings.NewReplacer("[[Walrus]]", "ice", "[[Nobody]]", "[[nobody]]").Replace(text[0]))
			r.sync()
			if got := r.relations(id, "mentions"); !slices.Equal(got, []string{"Otter"}) || r.pending() != 1 {
				t.Errorf("one name less: %v, %d wait", got, r.pending())
			}
			r.save(file, strings.NewReplacer("[[Walrus]]", "[[walrus]]", " and [[Nobody]]", "").Replace(text[0]))
			r.sync()
			if got := r.relations(id, "mentions"); len(got) != 2 || r.pending() != 0 {
				t.Errorf("it is back, what waited is out: %v, %d wait", got, r.pending())
			}
		})
	}
}

func TestMentionsMadeByHandStay(t *testing.T) {
	r := newRig(t)
	walrus := r.remember("Walrus")
	r.remember("Otter")
	r.save("2026-02-05.md", "## [09:00] note: Zoo\n\nPenguins near [[Otter]].\n")
	r.sync()
	id := r.once("penguins").ID
	for _, kind := range []string{"mentions", "part_of"} {
		if _, _, err := r.brain.Capture.Relate(t.Context(), id, kind, walrus); err != nil {
			t.Fatal(err)
		}
	}
	r.save("2026-02-05.md", "## [09:00] note: Zoo\n\nPenguins near nobody.\n")
	r.sync()
	if got := r.relations(id, "mentions"); !slices.Equal(got, []string{"Walrus"}) || len(r.relations(id, "part_of")) != 1 {
		t.Errorf("left are %v, %v", got, r.relations(id, "part_of"))
	}
}

func TestDeletedSectionWaitsForNothing(t *testing.T) {
	r := newRig(t)
	r.save("knowledge/z.md", "# Zoo\n\nSee [[Walrus]].\n\n# Lake\n\nSee [[Otter]].\n")
	r.sync()
	r.save("knowledge/z.md", "# Lake\n\nSee [[Otter]].\n")
	r.sync()
	if n := r.pending(); n != 1 {
		t.Errorf("%d names are waited for, want that of the section that is left", n)
	}
	r.remove("knowledge/z.md")
	r.sync()
	if n := r.pending(); n != 0 {
		t.Errorf("%d names are waited for without a file", n)
	}
}
