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

	"pgregory.net/rapid"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/neo4j"
	"github.com/brainbridge/brainbridge/brain/neo4j/neo4jtest"
	"github.com/brainbridge/brainbridge/brain/recall"
	"github.com/brainbridge/brainbridge/brain/storetest"
	"github.com/brainbridge/brainbridge/brain/words"
)

// doing does something to a brain at random.
func (p *place) doing(rt *rapid.T) {
	ids := rapid.SampledFrom(p.memories())
	id := func() string { return ids.Draw(rt, "memory") }
	var err error
	switch rapid.IntRange(0, 6).Draw(rt, "step") {
	case 0, 1:
		p.remember(rapid.StringMatching(`[a-zé" <>\\\n]{1,40}x`).Draw(rt, "text"))
	case 2:
		_, _, err = p.brain.Capture.Correct(p.t.Context(), id(), "", "corrected "+rapid.StringMatching("[a-z]{4}").Draw(rt, "text"))
	case 3:
		_, err = p.brain.Capture.Boost(p.t.Context(), id(), 3)
	case 4:
		_, _, err = p.brain.Journal.Forget(p.t.Context(), id(), "asked for")
	case 5:
		_, _, err = p.brain.Capture.Relate(p.t.Context(), id(), "applies_to", id())
	case 6:
		p.now = p.now.Add(time.Duration(rapid.IntRange(1, 100).Draw(rt, "hours")) * time.Hour)
	}
	if err != nil && !errors.Is(err, brain.ErrNotFound) && !errors.Is(err, brain.ErrInvalid) && !errors.Is(err, brain.ErrConflict) {
		rt.Fatal(err)
	}
}

// memories are the ids of all memories, and one that is none.
func (p *place) memories() []string {
	ids := []string{brain.NewID()}
	err := p.brain.Base.Store.Dump(p.t.Context(), func(page brain.Page) error {
		for _, m := range page.Memories {
			ids = append(ids, m.ID)
		}
		return nil
	})
	if err != nil {
		p.t.Fatal(err)
	}
	return ids
}

// Whatever was done before, a backup brings the brain back line by line, and
// what a restore saved brings back what was done after it.
func TestARestoreComesToTheSame(t *testing.T) {
	p := newPlace(t)
	storetest.Some(t, storetest.Dear, func(rt *rapid.T) {
		err := errors.Join(os.RemoveAll(p.options().Dir), p.brain.Base.Store.Load(t.Context(), decodedPages(""), nil))
		if err != nil {
			rt.Fatal(err)
		}
		steps := func() {
			for range rapid.IntRange(0, 8).Draw(rt, "steps") {
				p.doing(rt)
			}
		}
		steps()
		before, b := p.lines(), p.create()
		steps()
		after := p.lines()
		r := p.restore(b.Path)
		p.wantLines("restored", before)
		if !strings.HasPrefix(filepath.Base(r.Saved), "broken-") {
			rt.Fatalf("the present state was saved as %s", r.Saved)
		}
		p.restore(r.Saved)
		p.wantLines("what was saved", after)
	})
}

// Both stores take what either gave.
func TestBackupsGoFromStoreToStore(t *testing.T) {
	uri := neo4jtest.Server(t)
	inSQLite := func() *place { return newPlace(t) }
	inNeo4j := func() *place {
		s, err := neo4j.Open(t.Context(), neo4j.Config{URI: uri, Brain: "backup-" + brain.NewID()})
		if err != nil {
			t.Fatal(err)
		}
		return placeOn(t, s)
	}
	for name, c := range map[string]struct{ from, to func() *place }{
		"SQLite to SQLite": {inSQLite, inSQLite}, "SQLite to Neo4j": {inSQLite, inNeo4j},
		"Neo4j to SQLite": {inNeo4j, inSQLite}, "Neo4j to Neo4j": {inNeo4j, inNeo4j},
	} {
		t.Run(name, func(t *testing.T) {
			from, to := c.from(), c.to()
			a, z := from.remember("one text"), from.remember("another")
			if _, _, err := from.brain.Capture.Relate(t.Context(), a, "applies_to", z); err != nil {
				t.Fatal(err)
			}
			if _, _, err := from.brain.Capture.Correct(t.Context(), a, "", "corrected"); err != nil {
				t.Fatal(err)
			}
			if _, err := from.brain.Capture.Boost(t.Context(), z, 9); err != nil {
				t.Fatal(err)
			}
			page := brain.Page{Sections: []brain.Section{storetest.Talk(storetest.Section("d", "t.md", 1, "talk"))}}
			for _, kind := range brain.RecordKinds() {
				page.Records = append(page.Records, storetest.Record(kind, "o", "k", noon))
			}
			if err := from.brain.Base.Store.Update(t.Context(), func(tx brain.Tx) error {
				return errors.Join(tx.PutSections(page.Sections...), tx.PutRecords(page.Records...))
			}); err != nil {
				t.Fatal(err)
			}
			to.remember("what was there")
			to.restore(from.create().Path)
			to.wantLines(name, from.lines())
			if views, err := to.brain.Recall.Recall(t.Context(), recall.Query{Words: words.Parse("corrected"), NoTouch: true}); err != nil || len(views.Results) != 1 {
				t.Errorf("recall: %+v, %v", views, err)
			}
		})
	}
}

// Whatever happens to a byte or a file of a backup: it is refused, by name,
// and nothing is touched.
func TestADamagedBackupIsRefused(t *testing.T) {
	p := newPlace(t)
	p.remember("a text")
	p.write("memory/2026-03-01.md", "a note\n")
	whole := p.create()
	p.remember("a second text")
	before := p.lines()
	damages := map[string]func(path string, content []byte) error{
		"is cut":      func(path string, c []byte) error { return os.WriteFile(path, c[:len(c)/2], 0o600) },
		"has a bit":   func(path string, c []byte) error { c[len(c)/3] ^= 4; return os.WriteFile(path, c, 0o600) },
		"is gone":     func(path string, _ []byte) error { return os.Remove(path) },
		"is longer":   func(path string, c []byte) error { return os.WriteFile(path, append(c, 'x'), 0o600) },
		"is a folder": func(path string, _ []byte) error { return errors.Join(os.Remove(path), os.Mkdir(path, 0o700)) },
	}
	for _, name := range []string{graphFile, manifestFile, manifestSum, scriptFile, "notes/2026-03-01.md"} {
		for how, damage := range damages {
			if name == manifestSum && how == "is longer" {
				continue // the sum itself is as it was
			}
			t.Run(name+" "+how, func(t *testing.T) {
				path := filepath.Join(t.TempDir(), "brain-1")
				if err := os.CopyFS(path, os.DirFS(whole.Path)); err != nil {
					t.Fatal(err)
				}
				content, err := os.ReadFile(filepath.Join(path, name))
				if err != nil {
					t.Fatal(err)
				}
				if err := damage(filepath.Join(path, name), content); err != nil {
					t.Fatal(err)
				}
				p.refuses(path)
			})
		}
	}
	p.wantLines("the brain", before)
	if found, _ := List(p.options().Dir, nil); len(found) != 1 {
		t.Errorf("there are %+v, want nothing saved", found)
	}
}

func (p *place) refuses(path string) {
	p.t.Helper()
	v, err := Verify(p.t.Context(), path, Options{})
	if err != nil || v.OK || len(v.Problems) == 0 {
		p.t.Errorf("verify: %+v, %v; want a problem", v, err)
	}
	if _, err := Restore(p.t.Context(), p.restoreOptions(path), Restored{}); !errors.Is(err, brain.ErrInvalid) {
		p.t.Errorf("restore: %v, want ErrInvalid", err)
	}
}

func TestAFolderThatIsNoBackupIsRefused(t *testing.T) {
	p := newPlace(t)
	p.write("foreign/README.md", "something else")
	p.refuses(filepath.Join(p.home, "foreign"))
	for name, change := range map[string]func(*manifest){
		"newer":       func(m *manifest) { m.Format = format + 1 },
		"of no brain": func(m *manifest) { m.Brain = "" },
		"leads out":   func(m *manifest) { m.Files["notes/../../x"] = m.Files[graphFile] },
		"absolute":    func(m *manifest) { m.Files["/etc/passwd"] = m.Files[graphFile] },
		"other count": func(m *manifest) { m.Counts.Memories++ },
	} {
		t.Run(name, func(t *testing.T) {
			b := p.create()
			m, err := readManifest(b.Path)
			if err != nil {
				t.Fatal(err)
			}
			change(&m)
			err = errors.Join(os.Remove(filepath.Join(b.Path, manifestFile)), os.Remove(filepath.Join(b.Path, manifestSum)), m.write(b.Path))
			if err != nil {
				t.Fatal(err)
			}
			p.refuses(b.Path)
		})
	}
}

func TestARestoreBringsFilesBackAndKeepsOthers(t *testing.T) {
	p := newPlace(t)
	p.write("memory/a.md", "as it was\n")
	p.write("memory/sub/b.md", "deep\n")
	p.write("memory/link.md", "was a file\n")
	p.write("config.toml", "old\n")
	long := time.Date(2025, 1, 2, 3, 4, 5, 0, time.UTC)
	if err := os.Chtimes(p.path("memory/a.md"), long, long); err != nil {
		t.Fatal(err)
	}
	b := p.create()
	p.write("memory/a.md", "changed\n")
	p.write("memory/new.md", "written afterwards\n")
	p.write("outside.md", "not ours\n")
	p.write("config.toml", "new\n")
	err := errors.Join(os.RemoveAll(p.path("memory/sub")), os.Remove(p.path("memory/link.md")),
		os.Symlink("../outside.md", p.path("memory/link.md")))
	if err != nil {
		t.Fatal(err)
	}
	p.restore(b.Path)
	for name, want := range map[string]string{
		"memory/a.md": "as it was\n", "memory/sub/b.md": "deep\n", "memory/new.md": "written afterwards\n",
		"outside.md": "not ours\n", "config.toml": "new\n",
	} {
		if got := p.read(name); got != want {
			t.Errorf("%s holds %q, want %q", name, got, want)
		}
	}
	info, err := os.Stat(p.path("memory/a.md"))
	if err != nil || !info.ModTime().Equal(long) || info.Mode().Perm() != 0o644 {
		t.Errorf("a.md: %v, %v, %v; want its own time and mode", info.ModTime(), info.Mode(), err)
	}
	if !slices.ContainsFunc(p.warns, func(w string) bool { return strings.Contains(w, "notes/link.md was not restored") }) {
		t.Errorf("warned %q, want a word on the link", p.warns)
	}
}

// A process that dies in a restore leaves the marker; Restore finishes it,
// wherever it ended.
func TestARestoreThatEndedInTheMiddleIsFinished(t *testing.T) {
	p := newPlace(t)
	p.remember("a text")
	p.write("memory/a.md", "as it was\n")
	want, b := p.lines(), p.create()
	o := p.restoreOptions(b.Path)
	for name, ended := range map[string]func(){
		"before the graph": func() {},
		"after the graph": func() {
			if err := p.brain.Base.Store.Load(t.Context(), pagesOf(t, b.Path), nil); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			p.remember("more")
			p.write("memory/a.md", "changed\n")
			if err := Mark(o.Marker, Restored{Restored: b.Path, Saved: "x"}); err != nil {
				t.Fatal(err)
			}
			ended()
			resume(t, o)
			p.wantLines("the brain", want)
			if got := p.read("memory/a.md"); got != "as it was\n" {
				t.Errorf("the note holds %q", got)
			}
			if _, found, err := Unfinished(o.Marker); found || err != nil {
				t.Errorf("the marker is still there: %v", err)
			}
		})
	}
}

// One file that cannot be written is named, and the rest is restored.
func TestAFileThatCannotBeWrittenIsLeftOut(t *testing.T) {
	long := strings.Repeat("漢", 85)
	for name, inTheWay := range map[string]func(p *place, o *RestoreOptions){
		"a folder instead of the file": func(p *place, _ *RestoreOptions) { p.write("memory/"+long+"/full.md", "in the way") },
		"a file instead of its folder": func(p *place, _ *RestoreOptions) { p.write("memory/sub", "in the way") },
		"a path that is too long": func(p *place, o *RestoreOptions) {
			deep := p.path("memory")
			for len(deep) < 3700 {
				deep = filepath.Join(deep, strings.Repeat("d", 250))
			}
			o.Contents[0].Path = deep
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t)
			p.remember("a text")
			p.write("memory/"+long, "as it was\n")
			p.write("memory/sub/"+long, "as it was\n")
			p.write("MEMORY.md", "the block\n")
			want, b := p.lines(), p.create()
			if err := errors.Join(os.RemoveAll(p.path("memory")), os.Remove(p.path("MEMORY.md"))); err != nil {
				t.Fatal(err)
			}
			o := p.restoreOptions(b.Path)
			inTheWay(p, &o)
			if _, err := Restore(t.Context(), o, Restored{}); err != nil {
				t.Fatal(err)
			}
			p.wantLines("the brain", want)
			if len(p.warns) == 0 || slices.ContainsFunc(p.warns, func(w string) bool { return !strings.Contains(w, long+" was not restored") }) {
				t.Errorf("warned %d times, want the names of the files: %.300q", len(p.warns), p.warns)
			}
			if got := p.read("MEMORY.md"); got != "the block\n" {
				t.Errorf("MEMORY.md has %q", got)
			}
			if _, found, err := Unfinished(o.Marker); found || err != nil {
				t.Errorf("the restore is not finished: %v", err)
			}
		})
	}
}

// A restore whose backup is away is finished when it is there again.
func TestARestoreWhoseBackupIsAwayGoesOnLater(t *testing.T) {
	p := newPlace(t)
	p.write("memory/a.md", "as it was\n")
	b := p.create()
	p.write("memory/a.md", "changed\n")
	o := p.restoreOptions(b.Path)
	note, aside := filepath.Join(b.Path, "notes", "a.md"), filepath.Join(p.home, "aside")
	if err := os.Rename(note, aside); err != nil {
		t.Fatal(err)
	}
	if done, err := Restore(t.Context(), o, Restored{}); err == nil || !done.Graph {
		t.Errorf("restored without a file of the backup: %+v, %v", done, err)
	}
	if err := os.Rename(aside, note); err != nil {
		t.Fatal(err)
	}
	resume(t, o)
	if got := p.read("memory/a.md"); got != "as it was\n" {
		t.Errorf("the note has %q", got)
	}
}

// However often a restore is tried in vain, it leaves one copy of the present state.
func TestTriesInVainLeaveOneCopy(t *testing.T) {
	p := newPlace(t)
	p.remember("a text")
	b := p.create()
	o := p.restoreOptions(b.Path)
	saved := p.restore(b.Path).Saved
	if err := os.WriteFile(filepath.Join(b.Path, graphFile), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if _, err := Restore(t.Context(), o, Restored{Restored: b.Path, Saved: saved}); err == nil {
			t.Error("a damaged backup was restored")
		}
	}
	if found, err := List(o.Dir, nil); err != nil || len(found) != 2 {
		t.Errorf("there are %+v, %v", found, err)
	}
}

// What the store cannot read is named, and kept as it is when a restore replaces it.
func TestWhatCannotBeReadIsNamed(t *testing.T) {
	p := newPlace(t)
	p.remember("a text")
	want, good := p.lines(), p.create()
	bad := storetest.Memory("of no tier")
	bad.Tier = "foo"
	if err := p.brain.Base.Store.Update(t.Context(), func(tx brain.Tx) error { return tx.PutMemories(bad) }); err != nil {
		t.Fatal(err)
	}
	b := p.create()
	left := b.Unreadable()
	if len(left) != 1 || left[0].Kind != brain.MemoryNode || left[0].ID != bad.ID || b.Memories != 1 {
		t.Errorf("made %+v, want it without %s", b, bad.ID)
	}
	if len(p.warns) != 1 || !strings.Contains(p.warns[0], bad.ID) {
		t.Errorf("warned %q", p.warns)
	}
	if v, err := Verify(t.Context(), b.Path, Options{}); err != nil || !v.OK || len(v.LeftOut) != 1 {
		t.Errorf("verified %+v, %v", v, err)
	}
	kept := 0
	o := p.restoreOptions(good.Path)
	o.KeepRaw = func(context.Context) (string, error) { kept++; return "the copy", nil }
	if _, err := Restore(t.Context(), o, Restored{}); err != nil || kept != 1 {
		t.Errorf("restored over it: %v, kept %d times", err, kept)
	}
	p.wantLines("the brain", want)
	o = p.restoreOptions(b.Path)
	o.KeepRaw = func(context.Context) (string, error) { kept++; return "", nil }
	if _, err := Restore(t.Context(), o, Restored{}); err != nil || kept != 1 {
		t.Errorf("restored again: %v, kept %d times", err, kept)
	}
	p.wantLines("the brain", want)
}

// resume goes on with the restore that the marker names, as the next command does.
func resume(t *testing.T, o RestoreOptions) {
	t.Helper()
	under, found, err := Unfinished(o.Marker)
	if !found || err != nil || under.Restored != o.From.Path {
		t.Fatalf("unfinished: %+v, %v, %v", under, found, err)
	}
	if _, err := Restore(t.Context(), o, under); err != nil {
		t.Fatal(err)
	}
}
