package app

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/brainbridge/brainbridge/config"
	"github.com/brainbridge/brainbridge/integration/transcripts"
)

func TestBrainsInHome(t *testing.T) {
	home := filepath.Join(t.TempDir(), "data [old] *")
	for _, name := range []string{"default", "work"} {
		if err := os.MkdirAll(filepath.Join(home, name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(home, name, "brain.db"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(home, "backups"), 0o700); err != nil {
		t.Fatal(err)
	}
	var l config.Loaded
	l.Paths.Database = filepath.Join(home, "other", "brain.db")
	if got := brainsInHome(l); !slices.Equal(got, []string{"default", "work"}) {
		t.Errorf("brains %q", got)
	}
}

func TestFailedDays(t *testing.T) {
	err := failedDays([]transcripts.Day{
		{Date: "2026-02-03", Chunks: 3, Failures: 1}, {Date: "2026-02-04", Chunks: 2}, {Date: "2026-02-05", Chunks: 2, Failures: 2, Partial: "no budget"},
	})
	want := "2026-02-03 is not done: 1 of 3 chunks failed\n2026-02-05 is not done: 2 of 2 chunks failed: no budget"
	if err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	if err := failedDays([]transcripts.Day{{Date: "2026-02-04", Chunks: 2}}); err != nil {
		t.Error(err)
	}
}
