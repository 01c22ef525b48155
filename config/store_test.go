package config

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
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
	var l Loaded
	l.Paths.Database = filepath.Join(home, "other", "brain.db")
	if got := l.Brains(); !slices.Equal(got, []string{"default", "work"}) {
		t.Errorf("brains %q", got)
	}
}
