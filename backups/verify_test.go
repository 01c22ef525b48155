package backups

import (
	"errors"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/brainbridge/brainbridge/brain"
)

// pagesOf are the pages of a backup.
func pagesOf(t testing.TB, path string) iter.Seq2[brain.Page, error] {
	t.Helper()
	m, err := readManifest(path)
	if err != nil {
		t.Fatal(err)
	}
	return readGraph(filepath.Join(path, graphFile), m.Files[graphFile], unmetered)
}

// A backup that changes after it was verified is not restored.
func TestABackupThatChangesAfterItWasVerified(t *testing.T) {
	p := newPlace(t)
	p.remember("a text")
	b := p.create()
	p.remember("more")
	want := p.lines()
	o := p.restoreOptions(b.Path)
	if !o.From.OK {
		t.Fatalf("verify: %+v", o.From)
	}
	path := filepath.Join(b.Path, graphFile)
	held, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	held[len(held)-1] ^= 1 // in a sum of the format that its reader may pass over
	if err := os.WriteFile(path, held, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Restore(t.Context(), o, Restored{}); err == nil || !strings.Contains(err.Error(), "nothing was changed") {
		t.Errorf("restore: %v", err)
	}
	p.wantLines("the brain", want)
	if _, err := os.Stat(o.Marker); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the marker: %v", err)
	}
}

// Each step of a backup and of its restore is told, to its end where that is known.
func TestProgressOfABackup(t *testing.T) {
	p := newPlace(t)
	p.remember("a text")
	last := map[string][2]int{}
	o := p.options()
	o.Progress = func(step string, done, total int) { last[step] = [2]int{done, total} }
	b, err := Create(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	r := p.restoreOptions(b.Path)
	r.Progress = o.Progress
	if _, err := Restore(t.Context(), r, Restored{}); err != nil {
		t.Fatal(err)
	}
	for step, total := range map[string]bool{"backing up the graph": false, "checking bytes": true, "restoring the graph": true, "restoring files": true} {
		if told, ok := last[step]; !ok || told[0] == 0 || total && told[0] > told[1] {
			t.Errorf("of %s is told %v", step, told)
		}
	}
}

// Only a file that does not exist is reported as missing.
func TestAFileThatCannotBeRead(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"none":                         "it is missing",
		filepath.Join("file", "below"): "not a directory",
	} {
		err := checkFile(filepath.Join(dir, name), file{}, unmetered)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
}
