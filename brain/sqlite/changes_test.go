package sqlite

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/storetest"
	"github.com/brainbridge/brainbridge/brain/words"
)

// TestAMemoryChangedInPlaceIsFoundByItsNewTags: what a transaction keeps in
// mind of a memory that it read is not the caller's copy.
func TestAMemoryChangedInPlaceIsFoundByItsNewTags(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "brain.db"), "changes")
	m := storetest.Memory("a text")
	m.Tags = []string{"apple"}
	must(t, s.Update(t.Context(), func(x brain.Tx) error { return x.PutMemories(m) }))
	must(t, s.Update(t.Context(), func(x brain.Tx) error {
		read, err := x.Memories(m.ID)
		if err != nil {
			return err
		}
		read[0].Tags[0] = "pear"
		return x.PutMemories(read...)
	}))
	var hits []brain.Hit
	must(t, s.View(t.Context(), func(r brain.Reader) (err error) {
		hits, err = r.Search(brain.SearchQuery{Words: words.Parse("pear"), Limit: 5})
		return err
	}))
	if len(hits) != 1 || hits[0].ID != m.ID {
		t.Errorf("the new tag finds %v, want %s", hits, m.ID)
	}
}

// TestARelationOfWhatWentInTheSameTransaction: what a transaction has met and
// then removed is no end of a relation any more.
func TestARelationOfWhatWentInTheSameTransaction(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "brain.db"), "changes")
	a, b := storetest.Memory("one"), storetest.Memory("other")
	src := brain.Source{ID: storetest.NewID(), Kind: brain.Activity}
	rel := brain.Relation{From: a.ID, Type: "follows", To: b.ID}
	origin := brain.Relation{From: src.ID, Type: brain.HasMemory, To: a.ID}
	must(t, s.Update(t.Context(), func(x brain.Tx) error {
		for _, err := range []error{x.PutMemories(a, b), x.PutSources(src), x.PutRelations(rel, origin)} {
			if err != nil {
				return err
			}
		}
		return nil
	}))
	for name, c := range map[string]struct {
		remove func(brain.Tx) error
		rel    brain.Relation
	}{
		"memory": {func(x brain.Tx) error { return x.DeleteNodes(b.ID) }, rel},
		"source": {func(x brain.Tx) error { return x.DeleteNodes(src.ID) }, origin},
	} {
		err := s.Update(t.Context(), func(x brain.Tx) error {
			if _, err := x.Relations(a.ID, b.ID); err != nil {
				return err
			}
			if _, err := x.Memories(a.ID, b.ID); err != nil {
				return err
			}
			if err := c.remove(x); err != nil {
				return err
			}
			return x.PutRelations(c.rel)
		})
		if !errors.Is(err, brain.ErrNotFound) {
			t.Errorf("a relation of a %s that was removed before: %v, want %v", name, err, brain.ErrNotFound)
		}
	}
}
