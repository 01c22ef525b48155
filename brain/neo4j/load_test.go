package neo4j

import (
	"context"
	"errors"
	"iter"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lease"
	"github.com/brainbridge/brainbridge/brain/neo4j/neo4jtest"
	"github.com/brainbridge/brainbridge/brain/storetest"
	"github.com/brainbridge/brainbridge/tiers"
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
			_, err := s.count(ctx, underMark+sweepOf(memoryLabel, "$brain", remove), map[string]any{"mark": removing, "limit": 1})
			return err
		}},
		{"while it renames", func(ctx context.Context, s *Store) error {
			if err := s.clear(ctx); err != nil {
				return err
			}
			if _, err := s.mark(ctx, removing, renaming); err != nil {
				return err
			}
			_, err := s.count(ctx, underMark+sweepOf(memoryLabel, "$beside", rename),
				map[string]any{"mark": renaming, "limit": 1, "beside": beside(s.brain)})
			return err
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			ctx, name := t.Context(), "load-"+brain.NewID()
			s := openLoad(t, uri, name)
			put(t, s, memoryNamed("old1"), memoryNamed("old2"))
			aside := openLoad(t, uri, beside(name)) // as Load does
			loaded := brain.Page{Memories: []brain.Memory{memoryNamed("new1"), memoryNamed("new2")}}
			if err := aside.take(ctx, func(yield func(brain.Page, error) bool) { yield(loaded, nil) }); err != nil {
				t.Fatal(err)
			}
			if _, err := s.mark(ctx, "", removing); err != nil {
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
	return brain.Memory{ID: id, Name: id, Content: "a text", Version: 1, Created: storetest.Start, State: tiers.State{Tier: tiers.Working, LastDecay: storetest.Start}}
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

// What a writer has begun before a load is committed before it is saved; who
// comes later is told that the store is away.
func TestALoadWaitsForWritersAndKeepsOthersOut(t *testing.T) {
	uri, name := neo4jtest.Server(t), "gate-"+brain.NewID()
	s, other := openLoad(t, uri, name), openLoad(t, uri, name)
	writing, marked, committed := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	go func() {
		var once sync.Once
		committed <- other.Update(t.Context(), func(tx brain.Tx) error {
			once.Do(func() { close(writing) })
			<-marked
			return tx.PutMemories(memoryNamed("early"))
		})
	}()
	<-writing
	go func() {
		defer close(marked)
		for !strings.HasPrefix(markOf(t, s), reading) {
			continue
		}
		for range 50 { // it would have saved by now
			markOf(t, s)
		}
	}()
	err := s.Load(t.Context(), page(memoryNamed("new")), func() error {
		n, err := s.count(t.Context(), "MATCH (n:Memory {brain: $brain}) RETURN count(n)", nil)
		if err != nil || n != 1 {
			t.Errorf("%d memories can be saved, %v; want the one that was being written", n, err)
		}
		late := other.Update(t.Context(), func(tx brain.Tx) error { return tx.PutMemories(memoryNamed("late")) })
		if !errors.Is(late, brain.ErrUnavailable) {
			t.Errorf("a write while the brain is saved: %v", late)
		}
		return nil
	})
	if err := errors.Join(err, <-committed); err != nil {
		t.Fatal(err)
	}
	put(t, other, memoryNamed("after"))
	wantIDs(t, s, "after", "new")
}

// A load that is ended by its context has changed nothing, or all.
func TestALoadDoesNotStopHalfWay(t *testing.T) {
	uri := neo4jtest.Server(t)
	for mark, want := range map[string]int{reading: 2500, removing: 1} {
		t.Run(mark, func(t *testing.T) {
			s := openLoad(t, uri, "cancel-"+brain.NewID())
			for range 5 {
				var ms []brain.Memory
				for range 500 {
					ms = append(ms, memoryNamed(brain.NewID()))
				}
				put(t, s, ms...)
			}
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			err := s.Load(ctx, page(memoryNamed("new")), func() error {
				if mark == reading {
					cancel()
					return nil
				}
				go func() {
					for markOf(t, s) != removing && ctx.Err() == nil {
						continue
					}
					cancel()
				}()
				return nil
			})
			if (err != nil) != (mark == reading) {
				t.Errorf("load: %v", err)
			}
			if got := markOf(t, s); got != "" {
				t.Errorf("the brain is marked %q", got)
			}
			n, err := s.count(t.Context(), "MATCH (n:Memory {brain: $brain}) RETURN count(n)", nil)
			if err != nil || n != want {
				t.Errorf("there are %d memories, %v; want %d", n, err, want)
			}
		})
	}
}

// A process that dies while it saves shuts nobody out for longer than its lease.
func TestALoadThatDiedWhileItSavedIsForgotten(t *testing.T) {
	s := openLoad(t, neo4jtest.Server(t), "died-"+brain.NewID())
	for _, mark := range []string{reading + "x", removing} {
		if _, err := s.mark(t.Context(), "", mark); err != nil {
			t.Fatal(err)
		}
		put(t, s, memoryNamed("new"))
		if got := markOf(t, s); got != "" {
			t.Errorf("the brain is marked %q", got)
		}
		wantIDs(t, s, "new")
	}
}

// If that process was one of this machine, nobody waits for its lease to expire.
func TestALoadWhoseProcessEndedIsForgottenAtOnce(t *testing.T) {
	s := openLoad(t, neo4jtest.Server(t), "ended-"+brain.NewID())
	ended := exec.Command("go", "version")
	if err := ended.Run(); err != nil {
		t.Fatal(err)
	}
	holder := brain.Holder{Host: lease.Host(), PID: ended.ProcessState.Pid(), Token: "one"}
	if _, err := s.Lease(t.Context(), loadLease, holder, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := s.mark(t.Context(), "", reading+"x"); err != nil {
		t.Fatal(err)
	}
	put(t, s, memoryNamed("new"))
	wantIDs(t, s, "new")
}

func page(ms ...brain.Memory) iter.Seq2[brain.Page, error] {
	return func(yield func(brain.Page, error) bool) { yield(brain.Page{Memories: ms}, nil) }
}

// markOf reads how far a load has come.
func markOf(t *testing.T, s *Store) string {
	_, _, load, err := s.state(context.WithoutCancel(t.Context()))
	if err != nil {
		t.Errorf("read the mark: %v", err)
	}
	return load
}
