package storetest

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/tiers"
)

func writtenCases() []testCase {
	return []testCase{
		{"texts of every tier come whole in the order in which they were stored, in pages of any size", writtenOrder},
		{"a text changed in place comes again, a deleted one does not", writtenAgain},
		{"a promoted copy stands behind its original", writtenPromoted},
		{"a transaction that was open at the mark is not left out", writtenOpen},
		{"a mark of no meaning, or of another brain, is the beginning", writtenForeign},
		{"whoever reads on has every text", writtenProperty},
	}
}

// textReader reads on, page by page, as a job with a checkpoint does.
type textReader struct {
	b     *db
	mark  string
	texts map[string]string // of each id, the content that was read last
}

func newReader(b *db) *textReader { return &textReader{b: b, texts: map[string]string{}} }

// page reads one page and says what came, and whether it was the last.
func (r *textReader) page(limit int) (ms []brain.Memory, last bool) {
	r.b.t.Helper()
	err := r.b.View(r.b.ctx(), func(v brain.Reader) (err error) {
		ms, r.mark, err = v.Written(r.mark, limit)
		return err
	})
	if err != nil {
		r.b.t.Fatalf("read texts: %v", err)
	}
	if len(ms) > limit {
		r.b.t.Fatalf("%d memories, asked for at most %d", len(ms), limit)
	}
	for _, m := range ms {
		r.texts[m.ID] = m.Content
	}
	return ms, len(ms) < limit
}

// rest reads to the end and returns the ids in the order in which they came.
func (r *textReader) rest(limit int) []string {
	r.b.t.Helper()
	var ids []string
	for {
		ms, last := r.page(limit)
		ids = append(ids, brain.IDs(ms)...)
		if last {
			return ids
		}
	}
}

// timePasses writes until the clock of the store has advanced. Each write is a separate
// commit.
func timePasses(b *db) {
	b.t.Helper()
	for i := range 20 {
		b.putRecords(Record(brain.CheckpointRecord, "", fmt.Sprint("tick ", i), Start))
	}
}

// writtenOpen reads a mark while a transaction that has stored a text is open,
// and others, begun later, are committed.
func writtenOpen(t *testing.T, b *db) {
	before, within := Memory("before"), Memory("within")
	b.put(before)
	stored, read := make(chan struct{}), make(chan struct{})
	done := make(chan error)
	go func() {
		first := true
		done <- b.Update(b.ctx(), func(tx brain.Tx) error {
			err := tx.PutMemories(within)
			if _, e := tx.Memories(within.ID); e != nil { // sends what is pending
				return e
			}
			if first {
				first = false
				close(stored)
				<-read
			}
			return err
		})
	}()
	<-stored
	r := newReader(b.again())
	r.rest(1)
	close(read)
	works(t, "the open transaction", <-done)
	same(t, "read while it was open", map[string]string{before.ID: "before"}, r.texts)
	r.rest(1)
	same(t, "read on", map[string]string{before.ID: "before", within.ID: "within"}, r.texts)
}

func writtenProperty(t *testing.T, b *db) {
	r := newReader(b)
	b.law(t, Served, func(rt *rapid.T) {
		stored := map[string]string{}
		for range rapid.IntRange(1, 10).Draw(rt, "steps") {
			writtenStep(rt, r, stored)
		}
		r.rest(rapid.IntRange(1, 4).Draw(rt, "limit"))
		for id, text := range stored {
			same(t, "what was read of "+id, text, r.texts[id])
		}
		b.deleteMemories(slices.Collect(maps.Keys(stored))...)
	})
}

// writtenStep does one thing to the brain, or reads a page.
func writtenStep(rt *rapid.T, r *textReader, stored map[string]string) {
	m := Memory(rapid.StringMatching(`[a-z]{1,8}`).Draw(rt, "text"))
	if ids := slices.Sorted(maps.Keys(stored)); len(ids) > 0 && rapid.Bool().Draw(rt, "of one that is there") {
		m.ID = rapid.SampledFrom(ids).Draw(rt, "id")
	}
	switch rapid.IntRange(0, 4).Draw(rt, "what") {
	case 0, 1:
		r.b.put(m)
		stored[m.ID] = m.Content
	case 2:
		m.Tier = tiers.Expired
		r.b.putLives(m)
	case 3:
		r.b.deleteMemories(m.ID)
		delete(stored, m.ID)
	case 4:
		r.page(rapid.IntRange(1, 4).Draw(rt, "limit"))
	}
}

func writtenOrder(t *testing.T, b *db) {
	want := append(oneOfEachTier("any tier"), fullMemory())
	for i := range want {
		want[i].ID = string("ca0bzm9kdp"[i%10]) + want[i].ID // neither ascending nor descending
		want[i].Created = Hours(float64(-i))                 // nor that of creation
		b.put(want[i])
		timePasses(b)
	}
	got, _ := newReader(b).page(99)
	same(t, "memories", want, got)
	for _, limit := range []int{1, 2, len(want) - 1, len(want), len(want) + 1} {
		same(t, fmt.Sprint("pages of ", limit), brain.IDs(want), newReader(b).rest(limit))
	}
	at := Memories(12, "in one transaction")
	other := b.h.brain(t)
	other.put(at...)
	all := newReader(other).rest(99)
	same(t, "texts of one transaction", sorted(brain.IDs(at)...), sorted(all...))
	same(t, "texts of one transaction in pages", all, newReader(other).rest(5))
}

func writtenAgain(t *testing.T, b *db) {
	ms := []brain.Memory{Memory("first"), Memory("second"), Memory("third"), Memory("gone")}
	for _, m := range ms {
		b.put(m)
		timePasses(b)
	}
	r := newReader(b)
	r.rest(2)
	b.deleteMemories(ms[3].ID)
	for _, change := range []func(*brain.Memory){
		func(m *brain.Memory) { m.Content = "first, in other words" }, func(m *brain.Memory) { m.Name = "another name" },
	} {
		change(&ms[0])
		b.put(ms[0])
		ids := r.rest(2)
		if !slices.Contains(ids, ms[0].ID) || slices.Contains(ids, ms[3].ID) {
			t.Errorf("read on from the end: %v, want %s whose text is new, not %s that is gone", ids, ms[0].ID, ms[3].ID)
		}
		same(t, "its text", ms[0].Content, r.texts[ms[0].ID])
		same(t, "order", []string{ms[1].ID, ms[2].ID, ms[0].ID}, newReader(b).rest(7))
	}
}

func writtenPromoted(t *testing.T, b *db) {
	original, other := Memory("moves up"), Memory("stays")
	b.put(original)
	timePasses(b)
	b.put(other)
	timePasses(b)
	was, _ := promote(b, original, 1)
	ids := newReader(b).rest(7)
	same(t, "memories", sorted(was.ID, other.ID, original.ID), sorted(ids...))
	same(t, "the first", original.ID, ids[0])
}

func writtenForeign(t *testing.T, b *db) {
	other := b.h.brain(t)
	m, ms := Memory("text"), Memories(3, "of another brain")
	b.put(m)
	other.put(ms...)
	b.putSections(Section("d", "f.md", 1, "a section is not a memory"))
	r := newReader(other)
	same(t, "the other brain", sorted(brain.IDs(ms)...), sorted(r.rest(2)...))
	for _, mark := range []string{"", "x", "9", "~", "/", "..", "a.b.c", "9999999999999/", "test 9999999999999", "zz.9.9", "\x00\xff'", r.mark} {
		r := newReader(b)
		r.mark = mark
		same(t, fmt.Sprintf("after the mark %q", mark), []string{m.ID}, r.rest(3))
	}
	r.b = b.h.brain(t) // as after a restore
	r.b.put(ms...)
	same(t, "read on elsewhere", sorted(brain.IDs(ms)...), sorted(r.rest(2)...))
}
