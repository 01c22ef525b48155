package storetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/journal"
	"github.com/brainbridge/brainbridge/brain/review"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/brain/words"
	"github.com/brainbridge/brainbridge/tiers"
)

func mergeCases() []testCase {
	return []testCase{
		{"a merge is undone to the last byte", mergeUndone},
		{"a merge leads from all its ids to the keeper", mergeResolved},
		{"a merge happens whole or not at all", mergeWhole},
		{"a merge that is committed twice happens once", mergeOnce},
		{"of two merges of the same memories one happens", mergeRace},
		{"an item waits once in the queue, however many ask", reviewOnce},
		{"no text is lost by merges, corrections, runs and undos", mergeLaw},
	}
}

// service has the services on a store under test, with its own clock and an archive in
// memory.
type service struct {
	*db
	*services.Services
	now     time.Time
	archive *shelf
}

// shelf is an archive that only remembers.
type shelf struct{ kept map[string]brain.Forgotten }

func (s *shelf) Append(_ context.Context, _ time.Time, all []brain.Forgotten) (string, error) {
	for _, f := range all {
		s.kept[f.Memory.ID] = f
	}
	return "shelf", nil
}

func (s *shelf) Find(_ context.Context, id string) (brain.Forgotten, error) {
	f, ok := s.kept[id]
	if !ok {
		return f, brain.ErrNotFound
	}
	return f, nil
}

func serve(b *db, store brain.Store) *service {
	s := &service{db: b, now: Hours(1), archive: &shelf{map[string]brain.Forgotten{}}}
	s.Services = services.New(store, services.Options{Now: func() time.Time { return s.now }, Archive: s.archive})
	return s
}

// cluster is three memories that say the same, of which two are entities, with
// relations around them; the first is the keeper.
func cluster(b *db) []brain.Memory {
	b.t.Helper()
	entity := func(m *brain.Memory) {
		m.Entity, m.Observations, m.Tier = true, []string{"an okapi", "seen " + m.ID[:4]}, tiers.LongTerm
		m.Content = m.Observations[0] + "\n" + m.Observations[1]
	}
	ms := []brain.Memory{
		Memory("an okapi", func(m *brain.Memory) { m.Name = "okapi"; entity(m) }),
		Memory("an okapi", func(m *brain.Memory) { m.Name = "Okapi j."; entity(m) }),
		Memory("an Okapi!", func(m *brain.Memory) { m.Tags, m.Importance = []string{"zoo"}, brain.Critical }),
	}
	for i := range ms {
		ms[i].NameKey, ms[i].ContentHash = brain.NameKey(ms[i].Name), brain.Hash(ms[i].Name, ms[i].Content)
		if ms[i].Entity {
			ms[i].EntityKey = brain.EntityKey(ms[i].Name)
		}
	}
	beside := Memory("a zoo")
	source := Source(brain.Learning)
	ms[2].SourceNodeID = source.ID
	b.put(append(slices.Clone(ms), beside)...)
	b.update(func(tx brain.Tx) error {
		if err := tx.PutSources(source); err != nil {
			return err
		}
		return tx.PutRelations(
			brain.Relation{From: source.ID, Type: brain.HasMemory, To: ms[2].ID},
			brain.Relation{From: ms[1].ID, Type: "part_of", To: beside.ID},
			brain.Relation{From: beside.ID, Type: "mentions", To: ms[2].ID},
			brain.Relation{From: ms[0].ID, Type: "related_to", To: ms[1].ID},
		)
	})
	return ms
}

func (s *service) merge(ms []brain.Memory) (brain.Run, error) {
	run := brain.Run{ID: brain.NewID(), Kind: brain.RunConsolidate, Started: s.now}
	_, run, err := s.Review.Merge(s.ctx(), run, s.now, review.Merging{Keeper: ms[0], Sources: ms[1:], Reason: "alike"})
	return run, err
}

// state is everything that a merge may touch.
func (s *service) state(ms []brain.Memory) (here []brain.Memory, rels []brain.Relation) {
	s.t.Helper()
	ids := brain.IDs(ms)
	return s.memories(ids...), s.relations(ids...)
}

func mergeUndone(t *testing.T, h harness) {
	b := h.brain(t)
	s := serve(b, b.Store)
	ms := cluster(b)
	wantMemories, wantRelations := s.state(ms)
	run, err := s.merge(ms)
	works(t, "merge", err)
	undone, err := s.Journal.Undo(s.ctx(), run.ID, nil)
	works(t, "undo", err)
	same(t, "undone", journal.Undone{RunID: run.ID, Undone: 1}, undone)
	memories, relations := s.state(ms)
	same(t, "memories", wantMemories, memories)
	same(t, "relations", wantRelations, relations)
	same(t, "hits", sorted(brain.IDs(ms)...), sorted(b.find("okapi")...))
}

func mergeResolved(t *testing.T, h harness) {
	b := h.brain(t)
	s := serve(b, b.Store)
	ms := cluster(b)
	_, err := s.merge(ms)
	works(t, "merge", err)
	for _, id := range append(brain.IDs(ms), ms[2].SourceNodeID) {
		shown, err := s.Recall.Show(s.ctx(), id, false)
		works(t, "show "+id, err)
		same(t, "what an id leads to", ms[0].ID, shown.Memory.ID)
	}
	same(t, "hits", []string{ms[0].ID}, b.find("okapi"))
	same(t, "entities of a name that is free", 0, len(entities(b, ms[1].EntityKey)))
	before := hitIDs(b.search(brain.SearchQuery{Words: words.Parse("okapi"), AsOf: s.now.Add(-time.Millisecond), Limit: 9}))
	same(t, "hits as of the instant before", sorted(brain.IDs(ms)...), sorted(before...))
}

// mergeWhole lets each call of a merge fail, and of its undo.
func mergeWhole(t *testing.T, h harness) {
	b := h.brain(t)
	ms := cluster(b)
	var run brain.Run
	for undo, name := range []string{"merge", "undo"} {
		for n, failed := 1, true; failed; n++ {
			broken := serve(b, Failing(b.Store, Plan{FailAt: n}))
			memories, relations := broken.state(ms)
			var err error
			if undo == 1 {
				_, err = broken.Journal.Undo(b.ctx(), run.ID, nil)
			} else {
				run, err = broken.merge(ms)
			}
			if failed = err != nil; !failed {
				continue
			}
			if !errors.Is(err, ErrInjected) {
				t.Fatalf("call %d of %s: %v", n, name, err)
			}
			here, rels := broken.state(ms)
			if undo == 1 && !slices.EqualFunc(here, memories, sameVersion) {
				break // all of it was taken back: the mark of the run alone is missing
			}
			same(t, fmt.Sprintf("memories after call %d of %s failed", n, name), memories, here)
			same(t, fmt.Sprintf("relations after call %d of %s failed", n, name), relations, rels)
		}
		if undo == 0 {
			ms = b.memories(brain.IDs(ms)...)
		}
	}
	same(t, "live memories in the end", 3, len(b.find("okapi")))
}

func sameVersion(a, b brain.Memory) bool { return a.Version == b.Version && a.Tier == b.Tier }

func mergeOnce(t *testing.T, h harness) {
	for _, plan := range []Plan{{RepeatCommit: 1}, {RetryCommit: 1}, {UnknownCommit: 1}} {
		b := h.brain(t)
		ms := cluster(b)
		s := serve(b, Failing(b.Store, plan))
		_, err := s.merge(ms)
		if err != nil && !errors.Is(err, brain.ErrUnavailable) {
			t.Fatalf("%+v: %v", plan, err)
		}
		kept := b.memory(ms[0].ID)
		same(t, "version of the keeper", ms[0].Version+1, kept.Version)
		same(t, "what it was merged from", sorted(brain.IDs(ms[1:])...), sorted(kept.MergedFrom...))
		runs, err := s.Journal.Runs(s.ctx(), 9)
		works(t, "read the runs", err)
		same(t, "runs", 1, len(runs))
	}
}

func mergeRace(t *testing.T, h harness) {
	b := h.brain(t)
	ms := cluster(b)
	other := b.again()
	errs := make([]error, 2)
	var all sync.WaitGroup
	for i, s := range []*service{serve(b, b.Store), serve(other, other.Store)} {
		all.Go(func() {
			turned := append(slices.Clone(ms[i:]), ms[:i]...)
			_, errs[i] = s.merge(turned)
		})
	}
	all.Wait()
	if errs[0] != nil { // whichever came first
		slices.Reverse(errs)
	}
	works(t, "the first merge", errs[0])
	if !errors.Is(errs[1], brain.ErrConflict) {
		t.Errorf("the second merge: %v, want ErrConflict", errs[1])
	}
	same(t, "live memories", 1, len(b.find("okapi")))
}

func reviewOnce(t *testing.T, h harness) {
	b := h.brain(t)
	ms := cluster(b)
	other := b.again()
	made := make([]int, 2)
	var all sync.WaitGroup
	for i, s := range []*service{serve(b, b.Store), serve(other, other.Store)} {
		all.Go(func() {
			n, err := s.Review.Flag(s.ctx(), brain.ReviewItem{Kind: brain.ReviewMerge, Memories: brain.IDs(ms)})
			if made[i] = n; err != nil {
				t.Errorf("flag: %v", err)
			}
		})
	}
	all.Wait()
	same(t, "items made", 1, made[0]+made[1])
	items, err := serve(b, b.Store).Review.Reviews(b.ctx(), brain.ReviewPending)
	works(t, "read the queue", err)
	same(t, "items", 1, len(items))
}

// mergeLaw runs random operations. Every captured text is then in a memory, or in the
// archive of forgotten memories.
func mergeLaw(t *testing.T, h harness) {
	h.brain(t).law(t, LivedServed, func(rt *rapid.T) {
		b := h.brain(t)
		l := &lawful{service: serve(b, b.Store), rt: rt}
		l.capture()
		steps := []func(){l.capture, l.capture, l.correct, l.combine, l.combine, l.settle, l.undo, l.forget, l.boost}
		for range rapid.IntRange(1, 10).Draw(rt, "steps") {
			rapid.SampledFrom(steps).Draw(rt, "step")()
		}
		l.nothingLost()
		_ = b.Close()
	})
}

// lawful runs random operations and records the captured texts.
type lawful struct {
	*service
	rt    *rapid.T
	ids   []string
	texts []string // by the place of their id
}

// fine fails on errors other than those that a person may meet.
func (l *lawful) fine(what string, err error) {
	if err != nil && !errors.Is(err, brain.ErrNotFound) && !errors.Is(err, brain.ErrInvalid) && !errors.Is(err, brain.ErrConflict) {
		l.rt.Fatalf("%s: %v", what, err)
	}
}

func (l *lawful) some() string { return rapid.SampledFrom(l.ids).Draw(l.rt, "memory") }

func (l *lawful) capture() {
	text := fmt.Sprintf("text number %d", len(l.texts))
	c, err := l.Capture.New(brain.Source{Kind: brain.Crystallization, Trigger: "trigger of " + text, Insight: text}, brain.Details{})
	l.fine("make a capture", err)
	if len(l.ids) > 0 && rapid.Bool().Draw(l.rt, "related") {
		c.Relate = []brain.Relate{{Type: "related_to", To: l.some()}}
	}
	out, err := l.Capture.Capture(l.ctx(), c)
	if l.fine("capture", err); err == nil {
		l.ids, l.texts = append(l.ids, out.MemoryID), append(l.texts, text)
	}
}

func (l *lawful) correct() {
	_, err := l.Capture.Correct(l.ctx(), l.some(), "", "a better text") // which undo takes back
	l.fine("correct", err)
}

func (l *lawful) combine() {
	var ms []brain.Memory
	for range rapid.IntRange(2, 3).Draw(l.rt, "members") {
		shown, err := l.Recall.Show(l.ctx(), l.some(), false)
		if l.fine("show", err); err != nil {
			return
		}
		m := l.memory(shown.Memory.ID)
		if !slices.ContainsFunc(ms, func(o brain.Memory) bool { return o.ID == m.ID }) {
			ms = append(ms, m)
		}
	}
	_, err := l.merge(ms)
	l.fine("merge", err)
}

func (l *lawful) settle() {
	l.now = l.now.Add(time.Duration(rapid.IntRange(0, 500).Draw(l.rt, "hours")) * time.Hour)
	var ids []string
	for _, d := range view(l.db, func(r brain.Reader) ([]brain.Due, error) { return r.Due(l.now) }) {
		ids = append(ids, d.ID)
	}
	run := brain.Run{ID: brain.NewID(), Kind: brain.RunConsolidate, Started: l.now}
	_, _, err := l.Base.Settle(l.ctx(), run, ids, l.now)
	l.fine("settle", err)
}

func (l *lawful) undo() {
	run, err := l.Journal.LastRun(l.ctx())
	if l.fine("find a run", err); err == nil {
		_, err = l.Journal.Undo(l.ctx(), run.ID, nil)
		l.fine("undo", err)
	}
}

func (l *lawful) forget() {
	id := l.some()
	_, err := l.Forget.Forget(l.ctx(), id, "asked for")
	l.fine("forget", err)
	if rapid.Bool().Draw(l.rt, "back") {
		_, err = l.Forget.Unforget(l.ctx(), id)
		l.fine("unforget", err)
	}
}

func (l *lawful) boost() {
	_, err := l.Capture.Boost(l.ctx(), l.some(), 3)
	l.fine("boost", err)
}

func (l *lawful) nothingLost() {
	held := map[string]bool{}
	for _, f := range l.archive.kept {
		held[f.Memory.Content] = true
	}
	for _, tier := range tiers.All() {
		for _, due := range []bool{false, true} {
			for _, m := range view(l.db, func(r brain.Reader) ([]brain.Memory, error) {
				return r.Strongest(brain.ListFilter{Tier: tier, DueOnly: due, Limit: 1000})
			}) {
				held[m.Content] = true
			}
		}
	}
	for i, text := range l.texts {
		if !held[text] {
			l.rt.Fatalf("%q of %s is lost", text, l.ids[i])
		}
	}
}
