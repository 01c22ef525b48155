package backups

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/watcher/unprivileged"
)

func TestABackupHoldsWhatIsAroundTheGraph(t *testing.T) {
	p := newPlace(t)
	p.remember("a text")
	p.write("memory/2026-03-01.md", "a note\n")
	p.write("memory/knowledge/deep/x.md", "knowledge\n")
	p.write("MEMORY.md", "the block\n")
	p.write("archive/2026-02-01-forgotten.json", "[]\n")
	p.write("archive/archive.lock", "")
	p.write("config.toml", "key = 'secret'\n")
	p.write("outside/secret.md", "not in the notes\n")
	for link, target := range map[string]string{"memory/out.md": "../outside/secret.md", "memory/outside": "../outside", "memory/gone.md": "nowhere"} {
		if err := os.Symlink(target, filepath.Join(p.home, link)); err != nil {
			t.Fatal(err)
		}
	}
	b := p.create()
	if want := filepath.Join(p.home, "backups", "brain-20260301_120000"); b.Path != want || b.Memories != 1 || b.Files != 7 || !b.Created.Equal(noon) {
		t.Errorf("made %+v, want 7 files and 1 memory in %s", b, want)
	}
	for name, want := range map[string]string{
		"notes/2026-03-01.md": "a note\n", "notes/knowledge/deep/x.md": "knowledge\n", "MEMORY.md": "the block\n",
		"archive/2026-02-01-forgotten.json": "[]\n", "config.toml": "key = '[redacted]'\n",
	} {
		if got, err := os.ReadFile(filepath.Join(b.Path, name)); err != nil || string(got) != want {
			t.Errorf("%s holds %q, %v; want %q", name, got, err, want)
		}
	}
	if len(p.warns) != 3 || !strings.Contains(strings.Join(p.warns, "\n"), "notes/out.md is not in the backup: it is a symlink") {
		t.Errorf("warned %q, want one for each link", p.warns)
	}
	wantPrivate(t, b.Path)
	v, err := Verify(t.Context(), b.Path, Options{})
	if err != nil || !v.OK || len(v.Problems) > 0 {
		t.Errorf("verify: %+v, %v", v, err)
	}
}

// wantPrivate expects that nobody else may read anything there.
func wantPrivate(t *testing.T, dir string) {
	t.Helper()
	err := filepath.Walk(dir, func(path string, info os.FileInfo, err error) error {
		if err == nil && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has mode %v", path, info.Mode())
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

func TestANameThatIsTakenGetsANumber(t *testing.T) {
	p := newPlace(t)
	for _, want := range []string{"brain-20260301_120000", "brain-20260301_120000-2", "brain-20260301_120000-3"} {
		if b := p.create(); filepath.Base(b.Path) != want {
			t.Errorf("made %s, want %s", b.Path, want)
		}
	}
	found, err := List(p.options().Dir, nil)
	if err != nil || len(found) != 3 || !strings.HasSuffix(found[0].Path, "-3") {
		t.Errorf("listed %+v, %v; want three, the last one first", found, err)
	}
	path, err := Resolve(p.options().Dir, "newest", "one", nil)
	if err != nil || path != found[0].Path {
		t.Errorf("the newest is %s, %v", path, err)
	}
	if _, err := Resolve(p.options().Dir, "nosuch", "one", nil); !errors.Is(err, brain.ErrNotFound) {
		t.Errorf("error is %v, want ErrNotFound", err)
	}
}

func TestWhatAKilledProcessLeftIsNoBackup(t *testing.T) {
	p := newPlace(t)
	p.write("backups/.unfinished-1/graph.jsonl.zst", "half")
	if found, err := List(p.options().Dir, nil); err != nil || len(found) > 0 {
		t.Errorf("listed %+v, %v", found, err)
	}
	b := p.create()
	entries, _ := os.ReadDir(p.options().Dir)
	if len(entries) != 2 || entries[1].Name() != filepath.Base(b.Path) {
		t.Errorf("the folder holds %v, want the lock and the backup alone", entries)
	}
}

func TestABackupThatFailsLeavesNothing(t *testing.T) {
	p := newPlace(t)
	p.write("memory/a.md", "a")
	ctx, cancel := context.WithCancel(t.Context())
	o := p.options()
	o.Contents[0].Text = nil
	o.Contents = append(o.Contents, Content{Name: "last.txt", Path: p.path("memory/a.md"), Text: func(b []byte) []byte {
		cancel() // in the middle, after the graph
		return b
	}}, Content{Name: "more", Path: filepath.Join(p.home, "memory")})
	if _, err := Create(ctx, o); !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v, want that of the context", err)
	}
	if entries, _ := os.ReadDir(o.Dir); len(entries) != 1 {
		t.Errorf("the folder holds %v, want the lock alone", entries)
	}
}

func TestAFolderThatCannotBeWrittenToIsNamed(t *testing.T) {
	if unprivileged.Elsewhere(t) {
		return
	}
	p := newPlace(t)
	p.write("backups/x", "")
	if err := os.Chmod(p.options().Dir, 0o500); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(p.options().Dir, 0o700) })
	_, err := Create(t.Context(), p.options())
	if !errors.Is(err, brain.ErrInvalid) || !strings.Contains(err.Error(), p.options().Dir) {
		t.Errorf("error is %v, want ErrInvalid that names the folder", err)
	}
}

func TestOnlyTheNewestOfAReasonAreKept(t *testing.T) {
	p := newPlace(t)
	mine := p.create()
	o := p.options()
	o.Reason, o.Keep = "merge", 3
	var made []string
	for n := range 5 {
		p.now = p.now.Add(time.Minute)
		o.KeepFirst = n == 4
		b, err := Create(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		made = append(made, b.Path)
	}
	found, err := List(o.Dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, b := range found {
		got = append(got, b.Path)
	}
	if want := []string{made[4], made[3], made[2], made[1], mine.Path}; !slices.Equal(got, want) {
		t.Errorf("there are %v, want %v", got, want)
	}
}
