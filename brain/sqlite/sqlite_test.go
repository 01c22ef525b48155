package sqlite

import (
	"path/filepath"
	"testing"

	"go.uber.org/goleak"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/storetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// TestConformance runs the suite that every store passes.
func TestConformance(t *testing.T) {
	storetest.Run(t, func(tb testing.TB) storetest.Factory {
		path := filepath.Join(tb.TempDir(), "brain.db")
		return func(tb testing.TB, name string) brain.Store { return open(tb, path, name) }
	})
}

func open(tb testing.TB, path, name string) *Store {
	tb.Helper()
	s, err := Open(tb.Context(), path, name)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = s.Close() })
	return s
}
