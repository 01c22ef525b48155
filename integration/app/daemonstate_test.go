package app

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/gofrs/flock"
	"github.com/google/go-cmp/cmp"

	"github.com/brainbridge/brainbridge/brain/health"
	"github.com/brainbridge/brainbridge/config"
)

// What a daemon said counts as long as it holds its lock.
func TestDaemonNow(t *testing.T) {
	dir := t.TempDir()
	d := New(Options{Settings: config.Loaded{Paths: config.Paths{State: dir}}})
	said := DaemonState{PID: 7, Notes: Scanned, Why: "no watches are left"}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(d.SetDaemonState(said))
	if got := d.daemonState(); got != nil {
		t.Errorf("without a lock there is a daemon: %+v", got)
	}
	lock := flock.New(d.daemonLock())
	must(lock.Lock())
	if diff := cmp.Diff(&said, d.daemonState()); diff != "" {
		t.Errorf("it said (-want +got):\n%s", diff)
	}
	if info, err := os.Stat(d.daemonStateFile()); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("others can read %v: %v", info.Mode(), err)
	}
	must(os.WriteFile(d.daemonStateFile(), []byte(`{"pid`), 0o600))
	if got := d.daemonState(); got == nil || got.Notes != Starting || got.Watching() {
		t.Errorf("of a torn file it makes %+v", got)
	}
	must(d.putCheck(health.FullCheck{Findings: []health.Finding{{Name: "daemon", State: health.Fail}, {Name: "store", State: health.Fail}}}))
	must(d.RemoveDaemonState())
	must(d.RemoveDaemonState())
	if c, err := d.lastCheck(); err != nil || len(c.Findings) != 1 || c.Findings[0].Name != "store" {
		t.Errorf("of the last check this is left: %+v, %v", c, err)
	}
	must(lock.Close())
	if left, err := filepath.Glob(filepath.Join(dir, ".daemon*")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// A lost brain is back before the restore is done and releases the lock of the daemon.
func TestADaemonWaitsForTheEndOfARestore(t *testing.T) {
	dir := t.TempDir()
	a := New(Options{Env: func(string) string { return "" }, Settings: config.Loaded{Paths: config.Paths{State: dir, Data: dir, NotesDir: dir}}})
	lock := flock.New(a.daemonLock())
	if err := lock.Lock(); err != nil {
		t.Fatal(err)
	}
	opened := 0
	unlock, err := a.ClaimDaemon(t.Context(), func(context.Context) error {
		switch opened++; opened {
		case 1:
			return errLost
		case 3:
			return lock.Close()
		}
		return nil
	}, func(error) {})
	if err != nil {
		t.Fatal(err)
	}
	unlock()
	if opened < 3 {
		t.Errorf("it took the lock of the restore after %d tries", opened)
	}
}
