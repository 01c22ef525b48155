package storetest

import (
	"errors"
	"sync/atomic"
	"testing"

	"golang.org/x/sync/errgroup"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/tiers"
)

// dumpMeanwhile captures and corrects while dumps are made.
func dumpMeanwhile(t *testing.T, h harness) {
	const most = 100 // for each dump: a slow machine would write more than it can read
	b := h.brain(t)
	writer := b.again()
	b.put(Memories(700, "there before")...)
	for range 5 {
		var done atomic.Bool
		var g errgroup.Group
		g.Go(func() error {
			for n := 0; n < most && !done.Load(); n++ {
				if err := captureAndCorrect(writer); err != nil {
					return err
				}
			}
			return nil
		})
		e := newEverything()
		err := b.Dump(b.ctx(), func(p brain.Page) error {
			e.take(p)
			return nil
		})
		done.Store(true)
		works(t, "writing", g.Wait())
		if errors.Is(err, brain.ErrConflict) {
			continue // faster than it could read, which the contract allows
		}
		works(t, "dump", err)
		e.wantWhole(t)
	}
	dump(b).wantWhole(t)
}

// captureAndCorrect stores a source with a memory, then a text in its place.
func captureAndCorrect(b *db) error {
	source, first := Source(brain.Learning), Memory("first")
	first.SourceNodeID = source.ID
	err := b.Update(b.ctx(), func(tx brain.Tx) error {
		return errors.Join(tx.PutSources(source), tx.PutMemories(first),
			tx.PutRelations(brain.Relation{From: source.ID, Type: brain.HasMemory, To: first.ID}))
	})
	if err != nil {
		return err
	}
	second := first
	second.ID, second.Content = NewID(), "second"
	second.Root = second.ID
	first.Tier, first.Version = tiers.Superseded, 2
	return b.Update(b.ctx(), func(tx brain.Tx) error {
		return errors.Join(tx.PutLives(first), tx.PutMemories(second), tx.PutRelations(
			brain.Relation{From: source.ID, Type: brain.HasMemory, To: second.ID},
			brain.Relation{From: second.ID, Type: brain.Supersedes, To: first.ID}))
	})
}

// wantWhole expects that each capture is there with its source and relation,
// and each correction with both of its texts as it left them.
func (e *everything) wantWhole(t *testing.T) {
	t.Helper()
	memories, replaced := map[string]int{}, map[string]bool{}
	for _, r := range e.Relations {
		switch r.Type {
		case brain.HasMemory:
			memories[r.From]++
		case brain.Supersedes:
			replaced[r.To] = true
		}
	}
	for id := range e.Sources {
		if memories[id] == 0 {
			t.Errorf("source %s has no memory", id)
		}
	}
	for id, m := range e.Memories {
		if _, ok := e.Sources[m.SourceNodeID]; m.SourceNodeID != "" && !ok {
			t.Errorf("memory %s has no source", id)
		}
		if (m.Tier == tiers.Superseded) != replaced[id] {
			t.Errorf("memory %s is in tier %s, replaced: %v", id, m.Tier, replaced[id])
		}
	}
}
