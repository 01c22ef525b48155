package sqlite_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/brain/sqlite"
)

// A check finds nothing wrong with what another process has written since the last search.
func TestACheckAfterWritesElsewhere(t *testing.T) {
	path := filepath.Join(t.TempDir(), "brain.db")
	open := func() *sqlite.Store {
		s, err := sqlite.Open(t.Context(), path, "one")
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
	checks, other := open(), services.New(open(), services.Options{})
	for i := range 300 {
		c, err := other.Capture.NewMemory(brain.Memory{Content: fmt.Sprintf("mill number %d has %d stones and %d doors", i, i*7, i*13), MemoryType: "note"}, brain.Details{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := other.Capture.Capture(t.Context(), c); err != nil {
			t.Fatal(err)
		}
		if i%10 != 0 {
			continue
		}
		if err := checks.Check(t.Context()); err != nil {
			t.Fatalf("after %d writes: %v", i+1, err)
		}
	}
}
