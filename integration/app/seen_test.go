package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/config"
)

func TestARestoreThatFailsLeavesTheBrainLost(t *testing.T) {
	dir := t.TempDir()
	l := config.Loaded{Config: config.Default()}
	where := config.Store{Kind: config.KindSQLite, Path: filepath.Join(dir, "brain.db")}
	old := brain.Seen{ID: "old", Format: 20, Memories: 3, Commits: 9}
	w := newWitness(l, where, false, false)
	if err := w.opened(old); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(w.file); err != nil || info.Mode().Perm() != 0o600 || strings.HasPrefix(filepath.Base(w.file), "brain.db") {
		t.Fatalf("%s: %v, %v", w.file, info, err)
	}

	restored := brain.Seen{ID: "new", Format: 20, Commits: 1}
	w = newWitness(l, where, false, true)
	if err := w.opened(restored); err != nil {
		t.Fatal(err)
	}
	w.committed(restored, false) // a lease
	if got := readSeen(w.file); got == nil || *got != old {
		t.Errorf("before the load %+v is seen, want %+v", got, old)
	}
	restored.Memories = 2
	w.committed(restored, true)
	if got := readSeen(w.file); got == nil || *got != restored {
		t.Errorf("after the load %+v is seen, want %+v", got, restored)
	}
}
