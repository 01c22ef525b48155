package capture

import (
	"errors"
	"path/filepath"
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/brain/sqlite"
	"github.com/brainbridge/brainbridge/tiers"
)

var noon = time.Date(2026, 2, 6, 12, 0, 0, 0, time.UTC)

func learning() brain.Capture {
	s := brain.Source{ID: "s", Kind: brain.Learning, Concept: "walrus", Learned: "tusks"}
	m := brain.Memory{ID: "walrus", Name: "walrus", Content: "tusks", MemoryType: "learning", SourceNodeID: "s", SessionID: "session"}
	m.Complete()
	return brain.Capture{Source: &s, Memory: &m, At: noon}
}

// shelf is a store for captures.
type shelf struct {
	t *testing.T
	s brain.Store
}

func newShelf(t *testing.T) shelf {
	s, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "brain.db"), "b")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return shelf{t, s}
}

func (s shelf) update(fn func(brain.Tx) error) error { return s.s.Update(s.t.Context(), fn) }

func (s shelf) store(c brain.Capture) (done brain.Captured, err error) {
	return New(lifecycle.NewBase(s.s, lifecycle.Options{}), nil).Capture(s.t.Context(), c)
}

func (s shelf) must(fn func(brain.Tx) error) {
	s.t.Helper()
	if err := s.update(fn); err != nil {
		s.t.Fatal(err)
	}
}

func (s shelf) memory(id string) (m brain.Memory) {
	s.t.Helper()
	s.must(func(tx brain.Tx) error {
		found, err := tx.Memories(id)
		if err == nil {
			m = found[0]
		}
		return err
	})
	return m
}

func TestANewCaptureIsStoredOnce(t *testing.T) {
	s, c := newShelf(t), learning()
	for range 2 {
		done, err := s.store(c)
		if err != nil || done.MemoryID != "walrus" || done.SourceID != "s" || done.Tier != tiers.Working || done.Energy == 0 {
			t.Fatalf("%+v, %v", done, err)
		}
	}
	if m := s.memory("walrus"); m.Tier != tiers.Working || !m.LastAccessed.Equal(noon) || !m.ValidFrom.Equal(noon) || m.Version != c.Memory.Version {
		t.Errorf("memory: %+v", m)
	}
	if c.Memory.Tier != "" {
		t.Error("the caller's capture was changed")
	}
	s.must(func(tx brain.Tx) error {
		rels, err := tx.Relations("walrus")
		if len(rels) != 1 || rels[0].From != "s" || rels[0].Type != brain.HasMemory {
			t.Errorf("relations: %v", rels)
		}
		return err
	})
}

func TestAnActivityHasNoMemory(t *testing.T) {
	c := brain.Capture{Source: &brain.Source{ID: "s", Kind: brain.Activity, Description: "a walk"}, At: noon}
	done, err := newShelf(t).store(c)
	if err != nil || done.SourceID != "s" || done.MemoryID != "" || done.Title != "a walk" || done.Tier != "" {
		t.Errorf("%+v, %v", done, err)
	}
}

func TestTheNameOfAnotherEntityIsRefused(t *testing.T) {
	s := newShelf(t)
	c := learning()
	c.Memory.Entity = true
	c.Memory.Complete()
	if _, err := s.store(c); err != nil {
		t.Fatal(err)
	}
	c = learning()
	c.Source.ID, c.Memory.ID, c.Memory.Name, c.Memory.Entity = "t", "n", "Walrus", true
	c.Memory.Complete()
	if _, err := s.store(c); !errors.Is(err, brain.ErrConflict) {
		t.Error(err)
	}
}

// An outcome may have been read from its note, and promoted, before its capture
// comes out of the spool.
func TestAnOutcomeThatWasReadFromItsNoteIsCompleted(t *testing.T) {
	s, c := newShelf(t), learning()
	c.Source.Kind, c.Source.Project, c.Source.Created = brain.Outcome, "lake", noon
	c.Memory.Project, c.Memory.Agent = "lake", "Ada"
	s.must(func(tx brain.Tx) error {
		stored := brain.Memory{
			ID: "walrus", Name: "walrus", Version: 1, AccessCount: 5, SourceNodeID: "s", LastAccessed: noon,
			State: tiers.State{Tier: tiers.ShortTerm, ValidFrom: noon.Add(-time.Hour)},
		}
		stored.Complete()
		return errors.Join(tx.PutSources(brain.Source{ID: "s", Kind: brain.Outcome, File: "day.md"}), tx.PutMemories(stored))
	})
	for range 2 { // the second time it was captured whole
		if _, err := s.store(c); err != nil {
			t.Fatal(err)
		}
		if m := s.memory("walrus"); m.Project != "lake" || m.SessionID != "session" || m.Agent != "Ada" || m.Version != 2 || m.Tier != tiers.ShortTerm {
			t.Errorf("memory: %+v", m)
		}
	}
	s.must(func(tx brain.Tx) error {
		found, err := tx.Sources("s")
		if len(found) != 1 || found[0].Project != "lake" || found[0].File != "day.md" || !found[0].Created.Equal(noon) {
			t.Errorf("source: %+v", found)
		}
		return err
	})
}

// An activity, which has no memory, comes out of the spool like any other capture.
func TestActivityOutOfTheSpool(t *testing.T) {
	s := newShelf(t)
	c := brain.Capture{Source: &brain.Source{ID: "s", Kind: brain.Activity, Type: "work", Description: "tusks"}, At: noon}
	b := New(lifecycle.NewBase(s.s, lifecycle.Options{}), nil)
	for range 2 { // a capture may come twice
		if note, err := b.CaptureSpooled(t.Context(), c); err != nil || note != "" {
			t.Fatalf("%q, %v", note, err)
		}
	}
	s.must(func(tx brain.Tx) error {
		held, err := tx.Sources("s")
		if len(held) != 1 {
			t.Errorf("%d activities", len(held))
		}
		return err
	})
}
