package app

import (
	"os"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/brainbridge/brainbridge/backups"
	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/config"
)

// A clock that has jumped ahead removes no backups until the next backup agrees with it.
func TestClockAheadPrunesNothing(t *testing.T) {
	env := map[string]string{"BRAINBRIDGE_HOME": t.TempDir(), "HOME": t.TempDir(), "BRAINBRIDGE_BACKUP_KEEP": "newest 1"}
	l, err := config.Load(config.Input{Env: func(name string) string { return env[name] }})
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	a := New(Options{Settings: l, Env: func(name string) string { return env[name] }, Now: func() time.Time { return now }})
	t.Cleanup(func() {
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	})
	u := a.As(Caller{})
	if _, err := u.Capture(t.Context(), brain.Source{Kind: brain.Activity, Type: "work", Description: "painted the mill blue"}, Details{}); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(l.Paths.State, 0o700); err != nil {
		t.Fatal(err)
	}
	d := &Daemon{use: u, log: zerolog.Nop()}
	for _, next := range []struct {
		days, left int
	}{{0, 1}, {1, 1}, {3650, 2}, {1, 1}} {
		now = now.AddDate(0, 0, next.days)
		if err := d.backUp(t.Context()); err != nil {
			t.Fatal(err)
		}
		found, err := backups.List(l.Paths.Backups, nil)
		if err != nil {
			t.Fatal(err)
		}
		if n := len(found); n != next.left {
			t.Errorf("on %s %d backups are left, want %d", now.Format(time.DateOnly), n, next.left)
		}
	}
}
