package services_test

import (
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/brain/modeltier"
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
			_, ok, err := b.Spend.Reserve(t.Context(), modeltier.Spend{Tokens: 300}, modeltier.Spend{Tokens: 1000})
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
		if err != nil || got != (modeltier.Spending{Day: day, Spend: modeltier.Spend{Tokens: tokens}, Calls: calls}) {
			t.Errorf("%+v, %v; want %s, %d tokens, %d calls", got, err, day, tokens, calls)
		}
	}
	if granted != 3 {
		t.Errorf("%d of 8 were granted 300 of 1,000 tokens", granted)
	}
	want("2026-02-05", 900, 3)
	spent := b.Spend.Replace(t.Context(), "2026-02-05", modeltier.Spend{Tokens: 300}, modeltier.Spend{Tokens: 120})
	if spent != nil {
		t.Fatal(spent)
	}
	want("2026-02-05", 720, 3)
	now = now.Add(time.Hour)
	want("2026-02-06", 0, 0)
	if err := b.Spend.Replace(t.Context(), "2026-02-05", modeltier.Spend{Tokens: 300}, modeltier.Spend{}); err != nil {
		t.Fatal(err)
	}
	want("2026-02-06", 0, 0)
	now = now.Add(-time.Hour)
	want("2026-02-05", 420, 3)
	if _, ok, err := b.Spend.Reserve(t.Context(), modeltier.Spend{Tokens: 1e9}, modeltier.Spend{}); !ok || err != nil {
		t.Errorf("0 is a limit of tokens, and has to be none: %v, %v", ok, err)
	}
}

// A limit of money holds beside that of tokens, and what a call did not use is
// given back to the last billionth.
func TestTheMoneyOfADay(t *testing.T) {
	s, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "brain.db"), "money")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	now := time.Date(2026, 2, 5, 12, 0, 0, 0, time.UTC)
	b := services.New(s, services.Options{Now: func() time.Time { return now }})
	limit := modeltier.Spend{Tokens: 1_000_000, Cost: 0.5}
	for i := range 7 {
		most := modeltier.Spend{Tokens: 1000, Cost: 0.1}
		got, ok, err := b.Spend.Reserve(t.Context(), most, limit)
		if want := i < 5; err != nil || ok != want {
			t.Fatalf("call %d: granted %v, want %v: %+v, %v", i, ok, want, got, err)
		}
	}
	for range 5 {
		used := modeltier.Spend{Tokens: 10, Cost: 0.0123}
		if err := b.Spend.Replace(t.Context(), "2026-02-05", modeltier.Spend{Tokens: 1000, Cost: 0.1}, used); err != nil {
			t.Fatal(err)
		}
	}
	got, err := b.Spend.Today(t.Context())
	if want := (modeltier.Spending{Day: "2026-02-05", Spend: modeltier.Spend{Tokens: 50, Cost: 0.0615}, Calls: 5}); err != nil || got != want {
		t.Errorf("%+v, %v; want %+v", got, err, want)
	}
	if _, ok, err := b.Spend.Reserve(t.Context(), modeltier.Spend{Tokens: 1000, Cost: 1e6}, modeltier.Spend{Tokens: 2000}); err != nil || !ok {
		t.Errorf("no limit of money: granted %v, %v", ok, err)
	}
}
