package storetest

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/tiers"
)

func writtenCases() []testCase {
	return []testCase{
		{"texts stand in the order in which they were stored", writtenOrder},
		{"pages of any size are one reading", writtenPages},
		{"every tier is read, whole", writtenWhole},
		{"a text changed in place comes again", writtenAgain},
		{"a promoted copy stands behind its original", writtenPromoted},
		{"a transaction that was open at the mark is not left out", writtenOpen},
		{"brains are read apart", writtenApart},
		{"a mark of no meaning is the beginning", writtenForeign},
		{"a mark that came with a restore hides nothing", writtenRestored},
		{"a deleted memory is not read, and its place not taken", writtenDeleted},
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

func written(b *db) []string { b.t.Helper(); return newReader(b).rest(7) }

// timePasses writes until the clock of the store has advanced. Each write is a separate
// commit.
func timePasses(b *db) {
	b.t.Helper()
	for i := range 20 {
		b.putRecords(Record(brain.CheckpointRecord, "", fmt.Sprint("tick ", i), Start))
	}
}

func writtenOrder(t *testing.T, h harness) {
	b := h.brain(t)
	ids := []string{"c", "a", "b", "0", "z", "m"} // neither ascending nor descending
	var want []string
	for _, id := range ids {
		m := Memory("text " + id)
		m.ID = id + "-" + m.ID
		m.Created = Hours(float64(-len(want))) // the order is not that of creation
		b.put(m)
		want = append(want, m.ID)
		timePasses(b)
	}
	same(t, "order", want, written(b))
}

func writtenPages(t *testing.T, h harness) {
	b := h.brain(t)
	var all []brain.Memory
	for i := range 12 {
		all = append(all, Memory(fmt.Sprint("text ", i)))
	}
	b.put(all...)
	want := newReader(b).rest(99)
	same(t, "read at once", sorted(brain.IDs(all)...), sorted(want...))
	for _, limit := range []int{1, 2, 5, 11, 12, 13} {
		same(t, fmt.Sprint("pages of ", limit), want, newReader(b).rest(limit))
	}
}

func writtenWhole(t *testing.T, h harness) {
	b := h.brain(t)
	ms := oneOfEachTier("any tier")
	full := fullMemory()
	b.put(append(ms, full)...)
	r := newReader(b)
	got, _ := r.page(99)
	same(t, "ids", sorted(append(brain.IDs(ms), full.ID)...), sorted(brain.IDs(got)...))
	i := slices.IndexFunc(got, func(m brain.Memory) bool { return m.ID == full.ID })
	same(t, "memory", full, got[i])
}

func writtenAgain(t *testing.T, h harness) {
	b := h.brain(t)
	ms := []brain.Memory{Memory("first"), Memory("second"), Memory("third")}
	for _, m := range ms {
		b.put(m)
		timePasses(b)
	}
	r := newReader(b)
	r.rest(2)
	first := ms[0]
	first.Content = "first, in other words"
	b.put(first)
	if ids := r.rest(2); !slices.Contains(ids, first.ID) {
		t.Errorf("read on from the end: %v, without %s whose text is new", ids, first.ID)
	}
	same(t, "its text", first.Content, r.texts[first.ID])
	same(t, "order", []string{ms[1].ID, ms[2].ID, first.ID}, written(b))
	first.Name = "another name"
	b.put(first)
	if ids := r.rest(2); !slices.Contains(ids, first.ID) {
		t.Error("a new name did not come")
	}
}

func writtenPromoted(t *testing.T, h harness) {
	b := h.brain(t)
	original, other := Memory("moves up"), Memory("stays")
	b.put(original)
	timePasses(b)
	b.put(other)
	timePasses(b)
	archived, promoted := original, Memory("moves up", InTier(tiers.ShortTerm))
	archived.Tier = tiers.ArchivedWorking
	promoted.PromotedFrom, promoted.Root = original.ID, original.Root
	b.update(func(tx brain.Tx) error {
		return errors.Join(tx.PutLives(archived), tx.PutMemories(promoted))
	})
	ids := written(b)
	same(t, "memories", sorted(original.ID, other.ID, promoted.ID), sorted(ids...))
	if slices.Index(ids, promoted.ID) < slices.Index(ids, original.ID) {
		t.Errorf("the copy stands before its original: %v", ids)
	}
}

// writtenOpen reads a mark while a transaction that has stored a text is open,
// and others, begun later, are committed.
func writtenOpen(t *testing.T, h harness) {
	b := h.brain(t)
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

func writtenApart(t *testing.T, h harness) {
	b, other := h.brain(t), h.brain(t)
	m, stranger := Memory("here"), Memory("of another brain")
	b.put(m)
	other.put(stranger)
	r := newReader(b)
	for range 2 { // the second time from a mark
		b.putSections(Section("d", "f.md", 1, "a section is not a memory"))
		same(t, "this brain", m.ID, strings.Join(slices.Compact(append(r.rest(1), m.ID)), " "))
	}
	same(t, "the other brain", []string{stranger.ID}, written(other))
	again := newReader(other)
	again.mark = r.mark
	same(t, "the other brain after a mark of this one", []string{stranger.ID}, again.rest(5))
}

func writtenForeign(t *testing.T, h harness) {
	b := h.brain(t)
	m := Memory("text")
	b.put(m)
	for _, mark := range []string{"", "x", "9", "~", "/", "..", "a.b.c", "9999999999999/", "test 9999999999999", "zz.9.9", "\x00\xff'"} {
		r := newReader(b)
		r.mark = mark
		same(t, fmt.Sprintf("after the mark %q", mark), []string{m.ID}, r.rest(3))
	}
}

func writtenRestored(t *testing.T, h harness) {
	from, to := h.brain(t), h.brain(t)
	ms := []brain.Memory{Memory("one"), Memory("two"), Memory("three")}
	from.put(ms...)
	r := newReader(from)
	r.rest(2)
	to.put(ms...)
	r.b, r.texts = to, map[string]string{}
	same(t, "read on elsewhere", sorted(brain.IDs(ms)...), sorted(r.rest(2)...))
}

func writtenDeleted(t *testing.T, h harness) {
	b := h.brain(t)
	kept, gone, next := Memory("kept"), Memory("gone"), Memory("next")
	b.put(kept)
	timePasses(b)
	b.put(gone)
	r := newReader(b)
	r.rest(1)
	b.deleteMemories(gone.ID)
	timePasses(b)
	b.put(next)
	if ids := r.rest(1); !slices.Contains(ids, next.ID) || slices.Contains(ids, gone.ID) {
		t.Errorf("read on: %v, want %s and not %s", ids, next.ID, gone.ID)
	}
	same(t, "all", []string{kept.ID, next.ID}, written(b))
}

func writtenProperty(t *testing.T, h harness) {
	b := h.brain(t)
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
