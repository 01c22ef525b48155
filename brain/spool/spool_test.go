package spool

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/brainbridge/brainbridge/brain"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func capture(id string) brain.Capture {
	return brain.Capture{
		At:     noon,
		Source: &brain.Source{ID: "s-" + id, Kind: brain.Learning, Created: noon, Concept: id, Learned: "a <b> & \u2028 ü"},
		Memory: &brain.Memory{ID: id, Name: id, Content: "line one\nline two of " + id, Created: noon},
		Relate: []brain.NewRelation{{Type: "related_to", To: "other"}},
	}
}

// shelf is a store that keeps ids and answers as it is told.
type shelf struct {
	ids    []string
	answer func(brain.Capture) error
}

func (s *shelf) store(_ context.Context, c brain.Capture) error {
	if s.answer != nil {
		if err := s.answer(c); err != nil {
			return err
		}
	}
	s.ids = append(s.ids, c.Memory.ID)
	return nil
}

func newSpool(t *testing.T) *Spool {
	t.Helper()
	return New(filepath.Join(t.TempDir(), "state", "spool"), "default", "neo4j://localhost:7687")
}

func add(t *testing.T, s *Spool, ids ...string) {
	t.Helper()
	for _, id := range ids {
		if err := s.Add(t.Context(), capture(id)); err != nil {
			t.Fatal(err)
		}
	}
}

func wantLen(t *testing.T, s *Spool, want int) {
	t.Helper()
	n, elsewhere, err := s.Waiting()
	for _, more := range elsewhere {
		n += more
	}
	if n != want || err != nil {
		t.Errorf("Len() = %d, %v; want %d", n, err, want)
	}
}

func drainAll(t *testing.T, s *Spool, sh *shelf, want Drained) {
	t.Helper()
	got, err := s.Drain(t.Context(), sh.store)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("Drain (-want +got):\n%s", d)
	}
}

func TestAnEmptySpoolMakesNothing(t *testing.T) {
	s := newSpool(t)
	wantLen(t, s, 0)
	drainAll(t, s, &shelf{}, Drained{})
	if _, err := os.Stat(s.dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the folder exists: %v", err)
	}
	add(t, s, "a")
	drainAll(t, s, &shelf{}, Drained{Stored: 1})
	if err := os.Remove(s.path("drain.lock")); err != nil {
		t.Fatal(err)
	}
	drainAll(t, s, &shelf{}, Drained{})
	if _, err := os.Stat(s.path("drain.lock")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("draining nothing took a lock: %v", err)
	}
}

func TestWhatGoesInComesOut(t *testing.T) {
	s := newSpool(t)
	want := capture("a")
	energy := 2.5
	want.Energy = &energy
	want.Memory.Observations = []string{"one", "two"}
	if err := s.Add(t.Context(), want); err != nil {
		t.Fatal(err)
	}
	wantLen(t, s, 1)
	var got []brain.Capture
	d, err := s.Drain(t.Context(), func(_ context.Context, c brain.Capture) error {
		got = append(got, c)
		return nil
	})
	if err != nil || d != (Drained{Stored: 1}) {
		t.Errorf("Drain() = %+v, %v", d, err)
	}
	if d := cmp.Diff([]brain.Capture{want}, got); d != "" {
		t.Errorf("captures (-want +got):\n%s", d)
	}
	wantLen(t, s, 0)
}

func TestOnlyThePersonMayReadIt(t *testing.T) {
	s := newSpool(t)
	add(t, s, "a", "bad")
	sh := &shelf{answer: refuse("bad", brain.ErrNotFound)}
	add(t, s, "b")
	drainAll(t, s, sh, Drained{Stored: 2, Rejected: 1, RejectedFile: s.rejected()})
	add(t, s, "c")
	files, err := os.ReadDir(s.dir)
	if err != nil || len(files) != 5 {
		t.Fatalf("files %v, %v", files, err)
	}
	for _, f := range files {
		if info, err := f.Info(); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s has mode %v, %v", f.Name(), info.Mode(), err)
		}
	}
	if info, err := os.Stat(s.dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the folder has mode %v, %v", info.Mode(), err)
	}
}

func refuse(id string, reason error) func(brain.Capture) error {
	return func(c brain.Capture) error {
		if c.Memory.ID == id {
			return fmt.Errorf("capture: %w", reason)
		}
		return nil
	}
}

func TestACaptureThatIsRefusedForGoodIsRejected(t *testing.T) {
	for _, reason := range []error{brain.ErrInvalid, brain.ErrNotFound, brain.ErrConflict} {
		s, sh := newSpool(t), &shelf{answer: refuse("bad", reason)}
		add(t, s, "a", "bad", "b")
		drainAll(t, s, sh, Drained{Stored: 2, Rejected: 1, RejectedFile: s.rejected()})
		if !slices.Equal(sh.ids, []string{"a", "b"}) {
			t.Errorf("%v: stored %v", reason, sh.ids)
		}
		side, err := os.ReadFile(s.rejected())
		if err != nil || strings.Count(string(side), "\n") != 1 {
			t.Fatalf("%v: side file %q, %v", reason, side, err)
		}
		for _, part := range []string{`"reason":"capture: ` + reason.Error(), "line two of bad"} {
			if !strings.Contains(string(side), part) {
				t.Errorf("%v: %q is not in the side file %s", reason, part, side)
			}
		}
		drainAll(t, s, sh, Drained{})
	}
}

func TestAStoreThatGoesAwayKeepsTheRest(t *testing.T) {
	for _, reason := range []error{
		brain.ErrUnavailable, brain.ErrRefused, brain.ErrBusy, errors.New("what is this"),
		fmt.Errorf("%w: %w", brain.ErrUnavailable, brain.ErrNotFound),
	} {
		s, sh := newSpool(t), &shelf{answer: refuse("b", reason)}
		add(t, s, "a", "b", "c")
		d, err := s.Drain(t.Context(), sh.store)
		if !errors.Is(err, reason) || d != (Drained{Stored: 1, Left: 2}) {
			t.Errorf("%v: Drain() = %+v, %v", reason, d, err)
		}
		wantLen(t, s, 2)
		sh.answer = nil
		drainAll(t, s, sh, Drained{Stored: 2})
		if !slices.Equal(sh.ids, []string{"a", "b", "c"}) {
			t.Errorf("%v: stored %v", reason, sh.ids)
		}
	}
}

func TestAnInterruptedDrainWritesDownHowFarItCame(t *testing.T) {
	s := newSpool(t)
	add(t, s, "a", "b", "c")
	ctx, cancel := context.WithCancel(t.Context())
	d, err := s.Drain(ctx, func(context.Context, brain.Capture) error { cancel(); return nil })
	if !errors.Is(err, context.Canceled) || d != (Drained{Stored: 1, Left: 2}) {
		t.Errorf("Drain() = %+v, %v", d, err)
	}
	wantLen(t, s, 2)
}

func TestLinesOfOthersStay(t *testing.T) {
	s := newSpool(t)
	other := New(s.dir, "work", s.store)
	moved := New(s.dir, s.brain, "neo4j://elsewhere")
	add(t, s, "a")
	add(t, other, "b")
	add(t, moved, "c")
	add(t, s, "d")
	wantLen(t, s, 4)
	sh := &shelf{}
	drainAll(t, s, sh, Drained{Stored: 2, Left: 2})
	drainAll(t, s, sh, Drained{Left: 2})
	drainAll(t, moved, sh, Drained{Stored: 1, Left: 1})
	drainAll(t, other, sh, Drained{Stored: 1})
	if !slices.Equal(sh.ids, []string{"a", "d", "c", "b"}) {
		t.Errorf("stored %v", sh.ids)
	}
}

func TestCapturesAddedWhileDrainingAreKept(t *testing.T) {
	s := newSpool(t)
	second := New(s.dir, s.brain, s.store)
	add(t, s, "a", "b")
	sh := &shelf{answer: func(c brain.Capture) error {
		add(t, second, "during "+c.Memory.ID)
		drainAll(t, second, &shelf{}, Drained{}) // another drainer is at work
		return nil
	}}
	drainAll(t, s, sh, Drained{Stored: 2, Left: 2})
	sh.answer = nil
	drainAll(t, second, sh, Drained{Stored: 2})
	if !slices.Equal(sh.ids, []string{"a", "b", "during a", "during b"}) {
		t.Errorf("stored %v", sh.ids)
	}
}

func TestTheSameCaptureTwice(t *testing.T) {
	s, sh := newSpool(t), &shelf{}
	add(t, s, "a", "a")
	sh.answer = func(brain.Capture) error { add(t, s, "a"); sh.answer = nil; return nil }
	drainAll(t, s, sh, Drained{Stored: 2, Left: 1})
	drainAll(t, s, sh, Drained{Stored: 1})
}

func TestWhatCannotBeStoredIsNotSpooled(t *testing.T) {
	s := newSpool(t)
	for _, c := range []brain.Capture{{}, {Memory: &brain.Memory{}}, {Source: &brain.Source{}, Memory: &brain.Memory{ID: "x"}}} {
		if err := s.Add(t.Context(), c); !errors.Is(err, brain.ErrInvalid) {
			t.Errorf("Add(%+v) = %v", c, err)
		}
	}
	activity := brain.Capture{Source: &brain.Source{ID: "s"}}
	if err := s.Add(t.Context(), activity); err != nil {
		t.Errorf("a source alone: %v", err)
	}
	wantLen(t, s, 1)
}

func TestAddSaysWhenTheFolderCannotBeMade(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := New(filepath.Join(file, "spool"), "b", "s").Add(t.Context(), capture("a")); err == nil {
		t.Error("a capture was acknowledged that is nowhere")
	}
}

func TestAddGivesUpWithItsContext(t *testing.T) {
	s := newSpool(t)
	add(t, s, "a")
	unlock, err := s.lock().Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	if err := s.Add(ctx, capture("b")); !errors.Is(err, brain.ErrBusy) {
		t.Errorf("Add() = %v while the file is locked", err)
	}
	unlock()
	wantLen(t, s, 1)
}

func TestHandlesAddAndDrainAtTheSameTime(t *testing.T) {
	s := newSpool(t)
	const writers, each = 6, 25
	var mu sync.Mutex
	stored := map[string]int{}
	store := func(_ context.Context, c brain.Capture) error {
		mu.Lock()
		defer mu.Unlock()
		stored[c.Memory.ID]++
		return nil
	}
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			h := New(s.dir, s.brain, s.store)
			for i := range each {
				if err := h.Add(t.Context(), capture(fmt.Sprintf("%d-%d", w, i))); err != nil {
					t.Error(err)
				}
				if i%5 == w%5 {
					if _, err := h.Drain(t.Context(), store); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	wg.Wait()
	if _, err := s.Drain(t.Context(), store); err != nil {
		t.Fatal(err)
	}
	for id, n := range stored {
		if n != 1 {
			t.Errorf("%s was stored %d times", id, n)
		}
	}
	if len(stored) != writers*each {
		t.Errorf("%d of %d captures were stored", len(stored), writers*each)
	}
	wantLen(t, s, 0)
}

func TestACutFileIsNoticed(t *testing.T) {
	for name, damage := range map[string]func(path string, size int64) error{
		"cut":     func(path string, size int64) error { return os.Truncate(path, size/2) },
		"deleted": func(path string, _ int64) error { return os.Remove(path) },
	} {
		t.Run(name, func(t *testing.T) {
			s := newSpool(t)
			add(t, s, "a", "b", "c", "d")
			if s.Cut() {
				t.Error("it was cut before anything happened")
			}
			info, err := os.Stat(s.captures())
			if err == nil {
				err = damage(s.captures(), info.Size())
			}
			if err != nil {
				t.Fatal(err)
			}
			add(t, s, "e") // which does not hide it
			if !s.Cut() {
				t.Error("nothing was noticed")
			}
			for _, want := range []bool{true, false} {
				d, err := s.Drain(t.Context(), func(context.Context, brain.Capture) error { return nil })
				if err != nil || d.Cut != want {
					t.Errorf("Drain() = %+v, %v, want cut %t", d, err, want)
				}
			}
		})
	}
}
