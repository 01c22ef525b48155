package durable_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

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

func TestRemoveTempsTakesOnlyWhatAWriteLeft(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "note.md")
	kept := []string{".note.md", ".note.md.lock", ".note.md123x", ".note.mdown1", "note.md", "note.md1"}
	for _, name := range append(kept, ".note.md123", ".note.md9") {
		put(t, filepath.Join(dir, name), "", 0o600)
	}
	durable.RemoveTemps(path)
	if left := names(t, dir); len(left) != len(kept) {
		t.Errorf("it left %v, want %v", left, kept)
	}
	f, err := durable.Prepare(path, []byte("x"), durable.Options{}) // a writer that dies here
	if err != nil {
		t.Fatal(err)
	}
	defer f.Discard()
	durable.RemoveTemps(path)
	if left := names(t, dir); len(left) != len(kept) {
		t.Errorf("what a dead writer left stayed: %v", left)
	}
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
	path := filepath.Join(t.TempDir(), "lock")
	unlock, err := durable.Lock(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	if other, err := durable.TryLock(path); other != nil || err != nil {
		t.Errorf("TryLock() of a lock that is held = %v, %v", other != nil, err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := durable.Lock(ended, path); !errors.Is(err, context.Canceled) {
		t.Errorf("Lock() with a context that has ended = %v", err)
	}
	unlock()
	again, err := durable.TryLock(path)
	if again == nil || err != nil {
		t.Fatalf("TryLock() of a free lock = %v, %v", again != nil, err)
	}
	again()
	missing := filepath.Join(path, "below", "a file")
	if _, err := durable.Lock(t.Context(), missing); err == nil || errors.Is(err, context.Canceled) {
		t.Errorf("Lock() where none can be = %v", err)
	}
	if _, err := durable.TryLock(missing); err == nil {
		t.Error("TryLock() locked what cannot be")
	}
}
