package app

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/brainbridge/brainbridge/backups"
	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/config"
)

// A clock that has jumped ahead removes no backups until the next backup agrees with it.
func TestClockAheadPrunesNothing(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	a := backupApp(t, func() time.Time { return now })
	u := a.As(Caller{})
	if _, err := u.Capture(t.Context(), brain.Source{Kind: brain.Activity, Type: "work", Description: "painted the mill blue"}, Details{}); err != nil {
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
		found, err := backups.List(a.Settings.Paths.Backups, nil)
		if err != nil {
			t.Fatal(err)
		}
		if n := len(found); n != next.left {
			t.Errorf("on %s %d backups are left, want %d", now.Format(time.DateOnly), n, next.left)
		}
	}
}

// A daemon removes what a killed command has decrypted.
func TestDaemonForgetsDecrypted(t *testing.T) {
	a := backupApp(t, time.Now)
	plain := filepath.Join(a.Settings.Paths.State, "decrypted", brain.NewID())
	if err := os.MkdirAll(plain, 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Daemon(t.Context(), nil, zerolog.Nop()); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(plain); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("it is still there: %v", err)
	}
}

// backupApp makes a new brain that keeps one backup.
func backupApp(t *testing.T, now func() time.Time) *App {
	t.Helper()
	env := map[string]string{"BRAINBRIDGE_HOME": t.TempDir(), "HOME": t.TempDir(), "BRAINBRIDGE_BACKUP_KEEP": "newest 1"}
	l, err := config.Load(config.Input{Env: func(name string) string { return env[name] }})
	if err != nil {
		t.Fatal(err)
	}
	a := New(Options{Settings: l, Env: func(name string) string { return env[name] }, Now: now})
	t.Cleanup(func() {
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	})
	if err := os.MkdirAll(l.Paths.State, 0o700); err != nil {
		t.Fatal(err)
	}
	return a
}
