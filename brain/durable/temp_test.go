package durable_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/brainbridge/brainbridge/brain/durable"
)

func temps(t *testing.T, dir string) []string {
	t.Helper()
	return slices.DeleteFunc(names(t, dir), func(name string) bool { return !durable.IsTemp(name) })
}

func TestANameMayBeAsLongAsTheFileSystemAllows(t *testing.T) {
	dir := t.TempDir()
	for name, write := range map[string]func(path string) error{
		strings.Repeat("漢", 85):  func(path string) error { return durable.WriteFile(path, []byte("new"), durable.Options{}) },
		strings.Repeat("k", 255): func(path string) error { return durable.WriteNewFile(path, []byte("new")) },
		strings.Repeat("ü", 127): func(path string) error {
			s, err := durable.ReadSnapshot(path)
			if err != nil {
				return err
			}
			return s.Replace([]byte("new"), durable.Options{}, nil)
		},
	} {
		path := filepath.Join(dir, name)
		if err := write(path); err != nil {
			t.Errorf("a name of %d bytes: %v", len(name), err)
		}
		want(t, path, "new", 0o600)
	}
}

func TestAWriteRemovesWhatAKilledProcessLeft(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	kept := []string{".brainbridge", ".brainbridge-x", ".file", "file"}
	left := []string{".brainbridge-1.tmp", ".brainbridge-2.tmp", ".brainbridge-7.tmp"}
	for _, name := range append(kept, left...) {
		put(t, filepath.Join(dir, name), "", 0o600)
	}
	linked := filepath.Join(dir, "linked") // by WriteNewFile, just before the process was killed
	put(t, linked, "text", 0o600)
	if err := os.Link(linked, filepath.Join(dir, ".brainbridge-3.tmp")); err != nil {
		t.Fatal(err)
	}
	other, err := durable.Prepare(filepath.Join(dir, "other"), []byte("of a living writer"), durable.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := durable.WriteFile(path, []byte("new"), durable.Options{}); err != nil {
		t.Fatal(err)
	}
	if left := temps(t, dir); len(left) != 1 {
		t.Errorf("the folder has %v, want the file of the living writer alone", left)
	}
	if err := other.Replace(); err != nil {
		t.Fatal(err)
	}
	want(t, linked, "text", 0o600)
	want(t, filepath.Join(dir, "other"), "of a living writer", 0o600)
	if left := names(t, dir); len(left) != len(kept)+2 {
		t.Errorf("the folder has %v", left)
	}
}

// A reader never sees a mix, and no writer takes the temporary file of another.
func TestManyWriteInOneFolder(t *testing.T) {
	dir := t.TempDir()
	const writers, each = 40, 20
	var all sync.WaitGroup
	for w := range writers {
		all.Go(func() {
			path, text := filepath.Join(dir, fmt.Sprint("file-", w)), strings.Repeat(fmt.Sprint(w, " "), 1000)
			for range each {
				if err := durable.WriteFile(path, []byte(text), durable.Options{}); err != nil {
					t.Error(err)
				}
				if got, err := os.ReadFile(path); err != nil || string(got) != text {
					t.Errorf("%s has %.20q, %v", path, got, err)
				}
			}
		})
	}
	all.Wait()
	if left := names(t, dir); len(left) != writers {
		t.Errorf("the folder has %v", left)
	}
}

func TestAFileThatItsOwnerMayNotWriteIsReplaced(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	put(t, path, "old", 0o444)
	for range 2 {
		if err := durable.WriteFile(path, []byte("new"), durable.Options{KeepMode: true}); err != nil {
			t.Fatal(err)
		}
	}
	want(t, path, "new", 0o444)
	if left := names(t, dir); len(left) != 1 {
		t.Errorf("the folder has %v", left)
	}
}

// If a folder is in the way of each temporary file, the error names them.
func TestAnErrorNamesTheTemporaryFilesInTheWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		for n := range 16 {
			if err := os.Mkdir(filepath.Join(dir, fmt.Sprint(".brainbridge-", n+1, ".tmp")), 0o700); err != nil {
				t.Fatal(err)
			}
		}
		err := durable.WriteFile(filepath.Join(dir, "file"), []byte("new"), durable.Options{})
		if err == nil || !strings.Contains(err.Error(), ".brainbridge-7.tmp") || strings.Contains(err.Error(), "are being written") {
			t.Errorf("got %v, want the files in the way", err)
		}
	})
}
