package storetest

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/journal"
	"github.com/brainbridge/brainbridge/brain/recall"
	"github.com/brainbridge/brainbridge/brain/review"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/brain/words"
	"github.com/brainbridge/brainbridge/tiers"
)

func mergeCases() []testCase {
	return []testCase{
		{"a merge leads from all its ids to the keeper, and is undone to the last byte", mergeUndone},
		{"a merge happens whole or not at all", mergeWhole},
		{"a merge that is committed twice happens once", mergeOnce},
		{"of two merges of the same memories one happens, and one waits for a verdict", mergeRace},
	}
}

// service has the services on a store under test, with its own clock.
type service struct {
	*db
	*services.Services
	now time.Time
}

func serve(b *db, store brain.Store) *service {
	s := &service{db: b, now: Hours(1)}
	s.Services = services.New(store, services.Options{Now: func() time.Time { return s.now }})
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

// mergeWhole lets each call of a merge fail, and of its undo.
func mergeWhole(t *testing.T, b *db) {
	ms := cluster(b)
	var run brain.Run
	for undo, name := range []string{"merge", "undo"} {
		for n, failed := 1, true; failed; n++ {
			broken := serve(b, Failing(b.Store, Plan{FailAt: n}))
			memories, relations := broken.state(ms)
			var err error
			if undo == 1 {
				_, err = broken.Journal.Undo(b.ctx(), run.ID, nil, nil)
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

func mergeOnce(t *testing.T, b *db) {
	for _, plan := range []Plan{{RepeatCommit: 1}, {RetryCommit: 1}, {UnknownCommit: 1}} {
		b := b.h.brain(t)
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

func mergeUndone(t *testing.T, b *db) {
	s := serve(b, b.Store)
	ms := cluster(b)
	wantMemories, wantRelations := s.state(ms)
	run, err := s.merge(ms)
	works(t, "merge", err)
	for _, id := range append(brain.IDs(ms), ms[2].SourceNodeID) {
		shown, err := s.Recall.Show(s.ctx(), id, false)
		works(t, "show "+id, err)
		same(t, "what an id leads to", ms[0].ID, shown.Memory.ID)
	}
	same(t, "hits", []string{ms[0].ID}, b.find("okapi"))
	same(t, "entities of a name that is free", 0, len(b.by(brain.ByEntity, ms[1].EntityKey)))
	before, err := s.Recall.Recall(s.ctx(), recall.Query{Words: words.Parse("okapi"), AsOf: Hours(0.99)})
	works(t, "recall as of the instant before", err)
	same(t, "hits as of the instant before", sorted(brain.IDs(ms)...), sorted(brain.Map(before.Results, func(r recall.Recalled) string { return r.Memory.ID })...))
	undone, err := s.Journal.Undo(s.ctx(), run.ID, nil, nil)
	works(t, "undo", err)
	same(t, "undone", journal.Undone{RunID: run.ID, Undone: 1}, undone)
	memories, relations := s.state(ms)
	same(t, "memories", wantMemories, memories)
	same(t, "relations", wantRelations, relations)
	same(t, "hits after the undo", sorted(brain.IDs(ms)...), sorted(b.find("okapi")...))
}

func mergeRace(t *testing.T, b *db) {
	ms := cluster(b)
	handles, made, errs := []*db{b, b.again()}, make([]int, 2), make([]error, 2)
	works(t, "flag", together(2, handles, func(i int, b *db) (err error) {
		made[i], err = serve(b, b.Store).Review.Flag(b.ctx(), brain.ReviewItem{Kind: brain.ReviewMerge, Memories: brain.IDs(ms)})
		return err
	}))
	items, err := serve(b, b.Store).Review.Reviews(b.ctx(), brain.ReviewPending)
	works(t, "read the queue", err)
	same(t, "items made and waiting", []int{1, 1}, []int{made[0] + made[1], len(items)})
	_ = together(2, handles, func(i int, b *db) error {
		_, errs[i] = serve(b, b.Store).merge(append(slices.Clone(ms[i:]), ms[:i]...))
		return nil
	})
	if errs[0] != nil { // whichever came first
		slices.Reverse(errs)
	}
	works(t, "the first merge", errs[0])
	fails(t, "the second merge", errs[1], brain.ErrConflict)
	same(t, "live memories", 1, len(b.find("okapi")))
}
