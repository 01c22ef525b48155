package services_test

import (
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/brain/consolidate"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/brain/sqlite"
)

// The limit of a day holds however many ask at once, and a call that ends after
// midnight is accounted to the day that it was reserved on.
func TestTheTokensOfADay(t *testing.T) {
	s, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "brain.db"), "spend")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	now := time.Date(2026, 2, 5, 23, 59, 0, 0, time.UTC)
	b := services.New(s, services.Options{Now: func() time.Time { return now }})
	var mu sync.Mutex
	var all sync.WaitGroup
	granted := 0
	for range 8 {
		all.Go(func() {
			_, ok, err := b.Spend.Reserve(t.Context(), 300, 1000)
			if err != nil {
				t.Error(err)
			}
			mu.Lock()
			defer mu.Unlock()
			if ok {
				granted++
			}
		})
	}
	all.Wait()
	want := func(day string, tokens, calls int) {
		t.Helper()
		got, err := b.Spend.Today(t.Context())
		if err != nil || got != (consolidate.Spending{Day: day, Tokens: tokens, Calls: calls}) {
			t.Errorf("%+v, %v; want %s, %d tokens, %d calls", got, err, day, tokens, calls)
		}
	}
	if granted != 3 {
		t.Errorf("%d of 8 were granted 300 of 1,000 tokens", granted)
	}
	want("2026-02-05", 900, 3)
	spent := b.Spend.Replace(t.Context(), "2026-02-05", 300, 120)
	if spent != nil {
		t.Fatal(spent)
	}
	want("2026-02-05", 720, 3)
	now = now.Add(time.Hour)
	want("2026-02-06", 0, 0)
	if err := b.Spend.Replace(t.Context(), "2026-02-05", 300, 0); err != nil {
		t.Fatal(err)
	}
	want("2026-02-06", 0, 0)
	now = now.Add(-time.Hour)
	want("2026-02-05", 420, 3)
	if _, ok, err := b.Spend.Reserve(t.Context(), 1e9, 0); !ok || err != nil {
		t.Errorf("0 is a limit of tokens, and has to be none: %v, %v", ok, err)
	}
}
