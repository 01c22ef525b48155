package config

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/gofrs/flock"
)

// Some come through a link, which is the same file.
func TestChangesAtOnceAreAllKept(t *testing.T) {
	values := map[string]string{
		"brain": "b", "store": "sqlite:/x.db", "neo4j.user": "u", "neo4j.database": "d", "notes.dir": "/n",
		"notes.timezone": "UTC", "consolidate.every": "5m", "journal.keep": "7d", "log.level": "warn",
	}
	for range 10 {
		dir, env := home(t, "# mine\n")
		files := []string{filepath.Join(dir, "config.toml"), filepath.Join(t.TempDir(), "link.toml")}
		must(t, os.Symlink(files[0], files[1]))
		start := make(chan struct{})
		errs := make(chan error, len(values))
		var all sync.WaitGroup
		for key, value := range values {
			file := files[0]
			files[0], files[1] = files[1], files[0]
			all.Go(func() {
				<-start
				errs <- Set(file, key, value)
			})
		}
		close(start)
		all.Wait()
		for range values {
			must(t, <-errs)
		}
		l, err := Load(Input{Env: env.get})
		must(t, err)
		for _, s := range l.Settings() {
			if want, ok := values[s.Key]; ok && (s.Value != want || s.Origin != FromFile) {
				t.Errorf("%+v, want %s: the change is lost", s, want)
			}
		}
		if left, _ := os.ReadDir(dir); len(left) != 1 {
			t.Errorf("left behind: %v", left)
		}
	}
}

func TestALockThatIsHeld(t *testing.T) {
	file := filepath.Join(t.TempDir(), "config.toml")
	unlock, err := lock(file, patience)
	must(t, err)
	_, err = lock(file, time.Millisecond)
	var e *Error
	if !errors.As(err, &e) || e.Where != file || e.Hint == "" || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a second lock: %v", err)
	}
	unlock()
	unlock, err = lock(file, patience)
	must(t, err)
	unlock()
}

func TestALockThatACrashLeft(t *testing.T) {
	file := filepath.Join(t.TempDir(), "config.toml")
	left := filepath.Join(filepath.Dir(file), ".config.toml.lock")
	must(t, os.WriteFile(left, nil, 0o600))
	must(t, Set(file, "brain", "b"))
	if _, err := os.Stat(left); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the lock is still there: %v", err)
	}
}

// One who waited gets the lock of a file that its holder has removed, and that
// the next one has perhaps made again: it is worth nothing.
func TestALockOfARemovedFileIsNone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	l := flock.New(path)
	must(t, l.Lock())
	defer func() { must(t, l.Close()) }()
	if !isAt(l, path) {
		t.Error("the lock is not where it was made")
	}
	must(t, os.Remove(path))
	if isAt(l, path) {
		t.Error("the lock counts, though its file is gone")
	}
	must(t, os.WriteFile(path, nil, 0o600))
	if isAt(l, path) {
		t.Error("the lock counts, though another file is in its place")
	}
}
