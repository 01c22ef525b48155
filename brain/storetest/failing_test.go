package storetest_test

import (
	"context"
	"errors"
	"path/filepath"
	"testing"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/sqlite"
	"github.com/brainbridge/brainbridge/brain/storetest"
)

// work stores a memory in one View and one Update, repeatable by id, and counts the runs of fn.
type work struct {
	m    brain.Memory
	runs int
}

func (w *work) do(ctx context.Context, s brain.Store) error {
	if err := s.View(ctx, func(brain.Reader) error { return nil }); err != nil {
		return err
	}
	return s.Update(ctx, func(tx brain.Tx) error {
		w.runs++
		there, err := tx.Memories(w.m.ID)
		if err != nil || len(there) > 0 {
			return err
		}
		return tx.PutMemories(w.m)
	})
}

func TestFailures(t *testing.T) {
	s, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "brain.db"), "failing")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	for name, c := range map[string]struct {
		plan   storetest.Plan
		err    error
		stored int
		runs   int
	}{
		"none":            {storetest.Plan{}, nil, 1, 1},
		"View":            {storetest.Plan{FailAt: 1}, storetest.ErrInjected, 0, 0},
		"after View":      {storetest.Plan{FailAt: 2}, storetest.ErrInjected, 0, 0},
		"Update":          {storetest.Plan{FailAt: 3}, storetest.ErrInjected, 0, 0},
		"the commit":      {storetest.Plan{FailAt: 4}, storetest.ErrInjected, 0, 1},
		"retry":           {storetest.Plan{RetryCommit: 1}, nil, 1, 2},
		"repeat":          {storetest.Plan{RepeatCommit: 1}, nil, 1, 2},
		"unknown outcome": {storetest.Plan{UnknownCommit: 1}, brain.ErrUnavailable, 1, 1},
	} {
		w, f := work{m: storetest.Memory("counter")}, storetest.Failing(s, c.plan)
		if err := w.do(t.Context(), f); !errors.Is(err, c.err) {
			t.Errorf("%s: error is %v, want %v", name, err, c.err)
		}
		var stored []brain.Memory
		err := s.View(t.Context(), func(r brain.Reader) (err error) {
			stored, err = r.Memories(w.m.ID)
			return err
		})
		if err != nil || len(stored) != c.stored || w.runs != c.runs {
			t.Errorf("%s: %d stored after %d runs (%v), want %d after %d", name, len(stored), w.runs, err, c.stored, c.runs)
		}
		if err := w.do(t.Context(), f); err != nil {
			t.Errorf("%s: the second time: %v", name, err)
		}
	}
}
