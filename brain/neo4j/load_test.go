package neo4j

import (
	"context"
	"testing"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/neo4j/neo4jtest"
)

// A load whose process ends in the middle is finished by whoever opens the
// brain next, at whatever point it ended.
func TestTheNextToOpenFinishesALoad(t *testing.T) {
	uri := neo4jtest.Server(t)
	for _, c := range []struct {
		name string
		left func(ctx context.Context, s *Store) error
	}{
		{"before anything was removed", func(context.Context, *Store) error { return nil }},
		{"while it removes", func(ctx context.Context, s *Store) error {
			_, err := s.count(ctx, underMark+sweepOf(memoryLabel, "$brain")+"DETACH DELETE n RETURN count(*)", map[string]any{"mark": removing, "limit": 1})
			return err
		}},
		{"while it renames", func(ctx context.Context, s *Store) error {
			if err := s.clear(ctx); err != nil {
				return err
			}
			if err := s.mark(ctx, removing, renaming); err != nil {
				return err
			}
			_, err := s.count(ctx, underMark+sweepOf(memoryLabel, "$beside")+"SET n.brain = $brain RETURN count(*)",
				map[string]any{"mark": renaming, "limit": 1, "beside": beside(s.brain)})
			return err
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			ctx, name := t.Context(), "load-"+brain.NewID(false)
			s := openLoad(t, uri, name)
			put(t, s, memoryNamed("old1"), memoryNamed("old2"))
			aside := openLoad(t, uri, beside(name)) // as Load does
			aside.vocabulary = s.vocabulary
			put(t, aside, memoryNamed("new1"), memoryNamed("new2"))
			if err := s.mark(ctx, "", removing); err != nil {
				t.Fatal(err)
			}
			if err := c.left(ctx, s); err != nil {
				t.Fatal(err)
			}
			wantIDs(t, openLoad(t, uri, name), "new1", "new2")
			wantIDs(t, openLoad(t, uri, name), "new1", "new2")
			wantIDs(t, aside)
		})
	}
}

func openLoad(t *testing.T, uri, name string) *Store {
	t.Helper()
	s, err := Open(t.Context(), Config{URI: uri, Brain: name})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func memoryNamed(id string) brain.Memory {
	return brain.Memory{ID: id, Root: id, Name: id, Content: "a text", Version: 1}
}

func put(t *testing.T, s *Store, ms ...brain.Memory) {
	t.Helper()
	if err := s.Update(t.Context(), func(tx brain.Tx) error { return tx.PutMemories(ms...) }); err != nil {
		t.Fatal(err)
	}
}

func wantIDs(t *testing.T, s *Store, want ...string) {
	t.Helper()
	var got []string
	err := s.Dump(t.Context(), func(p brain.Page) error {
		for _, m := range p.Memories {
			got = append(got, m.ID)
		}
		return nil
	})
	if err != nil || len(got) != len(want) {
		t.Fatalf("the brain has %v, %v; want %v", got, err, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("the brain has %v, want %v", got, want)
		}
	}
}
