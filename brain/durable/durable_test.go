package durable_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/brain/durable"
)

func put(t *testing.T, path, text string, mode fs.FileMode) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, mode); err != nil { // whatever the umask is
		t.Fatal(err)
	}
}

func want(t *testing.T, path, text string, mode fs.FileMode) {
	t.Helper()
	got, err := os.ReadFile(path)
	if err != nil || string(got) != text {
		t.Errorf("%s holds %q, %v; want %q", path, got, err, text)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != mode {
		t.Errorf("the mode of %s is %v, %v; want %v", path, info.Mode(), err, mode)
	}
}

func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}

func TestWriteFile(t *testing.T) {
	for name, test := range map[string]struct {
		before fs.FileMode // 0: it is not there
		o      durable.Options
		after  fs.FileMode
	}{
		"new":                      {0, durable.Options{}, 0o600},
		"new, readable":            {0, durable.Options{Mode: 0o644, KeepMode: true}, 0o644},
		"ours becomes private":     {0o644, durable.Options{}, 0o600},
		"a person's keeps its own": {0o664, durable.Options{KeepMode: true}, 0o664},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "file")
			if test.before != 0 {
				put(t, path, "old", test.before)
			}
			if err := durable.WriteFile(path, []byte("new"), test.o); err != nil {
				t.Fatal(err)
			}
			want(t, path, "new", test.after)
			if left := names(t, dir); len(left) != 1 {
				t.Errorf("it left %v", left)
			}
		})
	}
}

func TestWriteFileKeepsALink(t *testing.T) {
	dir, elsewhere := t.TempDir(), t.TempDir()
	link, file := filepath.Join(dir, "link"), filepath.Join(elsewhere, "file")
	put(t, file, "old", 0o600)
	if err := os.Symlink(file, link); err != nil {
		t.Fatal(err)
	}
	if err := durable.WriteFile(link, []byte("new"), durable.Options{}); err != nil {
		t.Fatal(err)
	}
	want(t, file, "new", 0o600)
	if info, err := os.Lstat(link); err != nil || info.Mode().Type() != fs.ModeSymlink {
		t.Errorf("the link became %v, %v", info, err)
	}
}

// A link to what is not there yet stays one too.
func TestWriteFileFollowsALinkToNothing(t *testing.T) {
	dir, elsewhere := t.TempDir(), t.TempDir()
	link, file := filepath.Join(dir, "link"), filepath.Join(elsewhere, "file")
	for from, to := range map[string]string{link: "second", filepath.Join(dir, "second"): file} {
		if err := os.Symlink(to, from); err != nil {
			t.Fatal(err)
		}
	}
	if err := durable.WriteFile(link, []byte("new"), durable.Options{}); err != nil {
		t.Fatal(err)
	}
	want(t, file, "new", 0o600)
	if to, err := os.Readlink(link); err != nil || to != "second" {
		t.Errorf("the link leads to %q, %v", to, err)
	}
	ring := filepath.Join(dir, "ring")
	if err := os.Symlink("ring", ring); err != nil {
		t.Fatal(err)
	}
	if err := durable.WriteFile(ring, []byte("new"), durable.Options{}); err == nil {
		t.Error("a link to itself was followed to an end")
	}
}

func TestAFailedWriteLeavesTheFile(t *testing.T) {
	if err := durable.WriteFile(filepath.Join(t.TempDir(), "missing", "file"), nil, durable.Options{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("WriteFile() into a missing folder = %v", err)
	}
	dir := t.TempDir()
	taken := filepath.Join(dir, "taken")
	if err := os.MkdirAll(filepath.Join(taken, "full"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := durable.WriteFile(taken, []byte("new"), durable.Options{}); err == nil {
		t.Error("a folder was replaced by a file")
	}
	if left := names(t, dir); len(left) != 1 {
		t.Errorf("a failed write left %v", left)
	}
}

func TestPrepareChangesNothingYet(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	put(t, path, "old", 0o600)
	f, err := durable.Prepare(path, []byte("new"), durable.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want(t, path, "old", 0o600)
	f.Discard()
	if left := names(t, dir); len(left) != 1 {
		t.Errorf("Discard left %v", left)
	}
	if f, err = durable.Prepare(path, []byte("new"), durable.Options{}); err != nil {
		t.Fatal(err)
	}
	if err := f.Replace(); err != nil {
		t.Fatal(err)
	}
	f.Discard()
	want(t, path, "new", 0o600)
}

func TestReadFileOfNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if got, err := durable.ReadFile(path); got != nil || err != nil {
		t.Errorf("ReadFile() = %q, %v", got, err)
	}
	put(t, path, "text", 0o600)
	if got, err := durable.ReadFile(path); string(got) != "text" || err != nil {
		t.Errorf("ReadFile() = %q, %v", got, err)
	}
	if _, err := durable.ReadFile(filepath.Dir(path)); err == nil {
		t.Error("a folder was read")
	}
}

func TestMakeDir(t *testing.T) {
	top := t.TempDir()
	deep := filepath.Join(top, "a", "b")
	for range 2 { // the second time it is there
		if err := durable.MakeDir(deep, durable.PrivateDir); err != nil {
			t.Fatal(err)
		}
	}
	for _, dir := range []string{filepath.Dir(deep), deep} {
		if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != durable.PrivateDir {
			t.Errorf("%s: %v, %v", dir, info, err)
		}
	}
	put(t, filepath.Join(top, "file"), "", 0o600)
	if err := durable.MakeDir(filepath.Join(top, "file", "below"), durable.PrivateDir); err == nil {
		t.Error("a folder was made below a file")
	}
}

func TestLock(t *testing.T) {
	busy, dir := errors.New("busy"), t.TempDir()
	for name, path := range map[string]string{"a file": filepath.Join(dir, "made", "lock"), "a folder": dir} {
		lock := durable.Lock{Path: path, Busy: busy}
		if held, err := durable.Locked(path); held || err != nil {
			t.Errorf("%s: locked before it is: %v, %v", name, held, err)
		}
		release, err := lock.Acquire(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := lock.Acquire(t.Context()); !errors.Is(err, busy) {
			t.Errorf("%s: held twice: %v", name, err)
		}
		if held, err := durable.Locked(path); !held || err != nil {
			t.Errorf("%s: not locked: %v, %v", name, held, err)
		}
		lock.Wait = time.Millisecond
		if _, err := lock.Acquire(t.Context()); !errors.Is(err, busy) {
			t.Errorf("%s: after a wait: %v", name, err)
		}
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		lock.Wait = time.Hour
		if _, err := lock.Acquire(ended); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: canceled: %v", name, err)
		}
		time.AfterFunc(5*time.Millisecond, release)
		release, err = lock.Acquire(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		release()
	}
	below := durable.Lock{Path: filepath.Join(dir, "made", "lock", "below"), Busy: busy}
	if _, err := below.Acquire(t.Context()); err == nil || errors.Is(err, busy) {
		t.Errorf("a lock below a file: %v", err)
	}
}

func TestRenameToFree(t *testing.T) {
	dir := t.TempDir()
	name := func(n int) string { return filepath.Join(dir, fmt.Sprint("aside-", n)) }
	for _, want := range []string{name(1), name(2)} {
		path := filepath.Join(dir, "file")
		put(t, path, "text", 0o600)
		if got, err := durable.RenameToFree(path, name); got != want || err != nil {
			t.Errorf("it is now %s, %v; want %s", got, err, want)
		}
	}
}

func TestWriteNewFileNeverReplaces(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if err := durable.WriteNewFile(path, []byte("first")); err != nil {
		t.Fatal(err)
	}
	if err := durable.WriteNewFile(path, []byte("second")); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a second file: %v", err)
	}
	want(t, path, "first", 0o600)
	if left := names(t, filepath.Dir(path)); len(left) != 1 {
		t.Errorf("it left %v", left)
	}
}
