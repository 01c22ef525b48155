// Package testlab opens stores and services for the tests of runs.
package testlab

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/brain/sqlite"
)

// Start returns the instant at which the tests begin.
func Start() time.Time { return time.Date(2026, 2, 5, 9, 0, 0, 0, time.UTC) }

// OpenStore opens an empty store for a test.
func OpenStore(t testing.TB) brain.Store {
	t.Helper()
	s, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "brain.db"), "runs")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// At returns the services of a store with a fixed clock.
func At(s brain.Store, now time.Time) *services.Services {
	return services.New(s, services.Options{Now: func() time.Time { return now }})
}

// Memory returns the memory with an id.
func Memory(t testing.TB, s brain.Store, id string) brain.Memory {
	t.Helper()
	ms, err := At(s, Start()).Base.Memories(t.Context(), id)
	if err != nil || len(ms) == 0 {
		t.Fatal(id, err)
	}
	return ms[0]
}

// NoCoreFile is the core memory file of a brain that has none.
type NoCoreFile struct{}

// Check returns no error.
func (NoCoreFile) Check(context.Context) error { return nil }

// Plan finds no edits.
func (NoCoreFile) Plan(context.Context) ([]brain.Action, error) { return nil, nil }

// Read finds no edits.
func (NoCoreFile) Read(_ context.Context, run brain.Run, _ time.Time) ([]brain.Action, brain.Run, error) {
	return nil, run, nil
}

// Entry returns no place in the file.
func (NoCoreFile) Entry(context.Context, brain.Memory) (string, bool, error) { return "", true, nil }

// Write writes nothing.
func (NoCoreFile) Write(context.Context, time.Time, bool) error { return nil }
