package backups

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/neo4j"
	"github.com/brainbridge/brainbridge/brain/neo4j/neo4jtest"
	"github.com/brainbridge/brainbridge/brain/sqlite"
	"github.com/brainbridge/brainbridge/brain/storetest"
	"github.com/brainbridge/brainbridge/watcher/unprivileged"
)

// place is a brain with the files around it.
type place struct {
	t     testing.TB
	home  string
	brain *brain.Brain
	now   time.Time
	warns []string
}

func newPlace(t testing.TB) *place {
	t.Helper()
	s, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "brain.db"), "one")
	if err != nil {
		t.Fatal(err)
	}
	return placeOn(t, s)
}

func placeOn(t testing.TB, s brain.Store) *place {
	t.Helper()
	t.Cleanup(func() { _ = s.Close() })
	p := &place{t: t, home: t.TempDir(), now: noon}
	p.brain = brain.New(s, brain.Options{Now: func() time.Time { return p.now }, Archive: NewArchive(filepath.Join(p.home, "archive"))})
	return p
}

func (p *place) options() Options {
	return Options{
		Brain: p.brain, Dir: filepath.Join(p.home, "backups"), Version: "test", Executable: "/no/brainbridge",
		Contents: []Content{
			{Name: "notes", Path: filepath.Join(p.home, "memory")},
			{Name: "MEMORY.md", Path: filepath.Join(p.home, "MEMORY.md")},
			{Name: "archive", Path: filepath.Join(p.home, "archive")},
			{Name: "config.toml", Path: filepath.Join(p.home, "config.toml"), Once: true, Text: func(b []byte) []byte {
				return bytes.ReplaceAll(b, []byte("secret"), []byte("[redacted]"))
			}},
		},
		Warn: func(m string) { p.warns = append(p.warns, m) },
	}
}

func (p *place) create() Backup {
	p.t.Helper()
	b, err := Create(p.t.Context(), p.options())
	if err != nil {
		p.t.Fatal(err)
	}
	return b
}

func (p *place) restoreOptions(path string) RestoreOptions {
	return RestoreOptions{Options: p.options(), Path: path, Marker: filepath.Join(p.home, "state", "restore.json")}
}

func (p *place) restore(path string) Restored {
	p.t.Helper()
	r, err := Restore(p.t.Context(), p.restoreOptions(path))
	if err != nil {
		p.t.Fatal(err)
	}
	return r
}

// path is where a file is, below the home.
func (p *place) path(name string) string { return filepath.Join(p.home, filepath.FromSlash(name)) }

func (p *place) write(name, text string) {
	p.t.Helper()
	path := filepath.Join(p.home, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		p.t.Fatal(err)
	}
}

func (p *place) read(name string) string {
	text, err := os.ReadFile(filepath.Join(p.home, name))
	if err != nil {
		return ""
	}
	return string(text)
}

func (p *place) remember(text string) string {
	p.t.Helper()
	c, err := p.brain.NewLearning("a concept", text, brain.Details{Tags: []string{"t"}})
	if err == nil {
		_, err = p.brain.Capture(p.t.Context(), c)
	}
	if err != nil {
		p.t.Fatal(err)
	}
	return c.Memory.ID
}

// lines is everything that a brain holds, sorted, as the graph file has it.
func (p *place) lines() []string {
	p.t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	if err := p.brain.Store().Dump(p.t.Context(), func(page brain.Page) error { return encodePage(e, page) }); err != nil {
		p.t.Fatal(err)
	}
	return slices.Sorted(strings.Lines(b.String()))
}

// wantLines fails the test unless the brain holds these lines.
func (p *place) wantLines(what string, want []string) {
	p.t.Helper()
	if d := cmp.Diff(want, p.lines()); d != "" {
		p.t.Fatalf("%s (-want +got):\n%s", what, d)
	}
}

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
	if len(p.warns) != 3 || !strings.Contains(strings.Join(p.warns, "\n"), "notes/out.md is not in the backup: it is a link") {
		t.Errorf("warned %q, want one for each link", p.warns)
	}
	wantPrivate(t, b.Path)
	v, err := Verify(t.Context(), b.Path)
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
	path, err := Resolve(p.options().Dir, "newest")
	if err != nil || path != found[0].Path {
		t.Errorf("the newest is %s, %v", path, err)
	}
	if _, err := Resolve(p.options().Dir, "nosuch"); !errors.Is(err, brain.ErrNotFound) {
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
	for range 5 {
		p.now = p.now.Add(time.Minute)
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
	if want := []string{made[4], made[3], made[2], mine.Path}; !slices.Equal(got, want) {
		t.Errorf("there are %v, want %v", got, want)
	}
}

// doing does something to a brain at random.
func (p *place) doing(rt *rapid.T) {
	ids := rapid.SampledFrom(p.memories())
	id := func() string { return ids.Draw(rt, "memory") }
	var err error
	switch rapid.IntRange(0, 6).Draw(rt, "step") {
	case 0, 1:
		p.remember(rapid.StringMatching(`[a-zé" <>\\\n]{1,40}x`).Draw(rt, "text"))
	case 2:
		_, err = p.brain.Correct(p.t.Context(), id(), "corrected "+rapid.StringMatching("[a-z]{4}").Draw(rt, "text"))
	case 3:
		_, err = p.brain.Boost(p.t.Context(), id(), 3)
	case 4:
		_, err = p.brain.Forget(p.t.Context(), id(), "asked for")
	case 5:
		_, err = p.brain.Relate(p.t.Context(), id(), "applies_to", id())
	case 6:
		p.now = p.now.Add(time.Duration(rapid.IntRange(1, 100).Draw(rt, "hours")) * time.Hour)
	}
	if err != nil && !errors.Is(err, brain.ErrNotFound) && !errors.Is(err, brain.ErrInvalid) && !errors.Is(err, brain.ErrConflict) {
		rt.Fatal(err)
	}
}

// memories are the ids of all memories, and one that is none.
func (p *place) memories() []string {
	ids := []string{brain.NewID(false)}
	err := p.brain.Store().Dump(p.t.Context(), func(page brain.Page) error {
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
	rapid.Check(t, func(rt *rapid.T) {
		err := errors.Join(os.RemoveAll(p.options().Dir), p.brain.Store().Load(t.Context(), decodedPages(""), nil))
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
		s, err := neo4j.Open(t.Context(), neo4j.Config{URI: uri, Brain: "backup-" + brain.NewID(false)})
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
			if _, err := from.brain.Relate(t.Context(), a, "applies_to", z); err != nil {
				t.Fatal(err)
			}
			if _, err := from.brain.Correct(t.Context(), a, "corrected"); err != nil {
				t.Fatal(err)
			}
			if _, err := from.brain.Boost(t.Context(), z, 9); err != nil {
				t.Fatal(err)
			}
			page := brain.Page{Sections: []brain.Section{storetest.Talk(storetest.Section("d", "t.md", 1, "talk"))}}
			for _, kind := range brain.RecordKinds() {
				page.Records = append(page.Records, storetest.Record(kind, "o", "k", noon))
			}
			if err := from.brain.Store().Update(t.Context(), func(tx brain.Tx) error {
				return errors.Join(tx.PutSections(page.Sections...), tx.PutRecords(page.Records...))
			}); err != nil {
				t.Fatal(err)
			}
			to.remember("what was there")
			to.restore(from.create().Path)
			to.wantLines(name, from.lines())
			if views, err := to.brain.Recall(t.Context(), brain.RecallQuery{Text: "corrected", NoTouch: true}); err != nil || len(views.Results) != 1 {
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
	v, err := Verify(p.t.Context(), path)
	if err != nil || v.OK || len(v.Problems) == 0 {
		p.t.Errorf("verify: %+v, %v; want a problem", v, err)
	}
	if _, err := Restore(p.t.Context(), p.restoreOptions(path)); !errors.Is(err, brain.ErrInvalid) {
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

// A process that dies in a restore leaves the marker; Resume finishes it,
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
			if err := p.brain.Store().Load(t.Context(), readGraph(filepath.Join(b.Path, graphFile)), nil); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			p.remember("more")
			p.write("memory/a.md", "changed\n")
			if err := writeMarker(o.Marker, Restored{Restored: b.Path, Saved: "x"}); err != nil {
				t.Fatal(err)
			}
			ended()
			if under, err := Resume(t.Context(), o); err != nil || under.Restored != b.Path {
				t.Fatalf("resume: %+v, %v", under, err)
			}
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

func TestARestoreThatCannotWriteAFileGoesOnLater(t *testing.T) {
	p := newPlace(t)
	p.write("memory/sub/a.md", "as it was\n")
	b := p.create()
	if err := os.RemoveAll(filepath.Join(p.home, "memory")); err != nil {
		t.Fatal(err)
	}
	p.write("memory", "a file where the notes were")
	o := p.restoreOptions(b.Path)
	if _, err := Restore(t.Context(), o); err == nil {
		t.Fatal("the notes were restored into a file")
	}
	if err := os.Remove(filepath.Join(p.home, "memory")); err != nil {
		t.Fatal(err)
	}
	if _, err := Resume(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	if got := p.read("memory/sub/a.md"); got != "as it was\n" {
		t.Errorf("the note holds %q", got)
	}
}

// decodedPages are the pages of a graph given as text.
func decodedPages(graph string) iter.Seq2[brain.Page, error] {
	return func(yield func(brain.Page, error) bool) { decodePages(strings.NewReader(graph), yield) }
}

// FuzzGraph reads any bytes as a graph: it ends, and what is no graph is an
// error.
func FuzzGraph(f *testing.F) {
	for _, s := range []string{"", `{"memory":{"id":"a"}}`, `{"again":["a"]}` + "\n" + `{"relation":{"from":"a"}}`, "{}", "[1]", `{"memory":`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		n := 0
		decodePages(bytes.NewReader(raw), func(p brain.Page, err error) bool {
			n += p.Len()
			return err == nil
		})
		if n > len(raw) {
			t.Errorf("%d nodes of %d bytes", n, len(raw))
		}
	})
}

// BenchmarkBackup makes and restores a backup of 100,000 memories with their
// sources, or as many as BENCH_MEMORIES says.
func BenchmarkBackup(b *testing.B) {
	n := 100_000
	if _, err := fmt.Sscan(os.Getenv("BENCH_MEMORIES"), &n); err != nil {
		n = 100_000
	}
	p := newPlace(b)
	for done := 0; done < n; done += 1000 {
		var page brain.Page
		for i := range 1000 {
			m, s := storetest.Memory(fmt.Sprintf("text %d about %x and other things of the usual length, some of which are rare", done+i, done+i)), storetest.Source(brain.Learning)
			page.Memories, page.Sources = append(page.Memories, m), append(page.Sources, s)
			page.Relations = append(page.Relations, brain.Relation{From: s.ID, Type: brain.HasMemory, To: m.ID})
		}
		if err := p.brain.Store().Update(b.Context(), func(tx brain.Tx) error {
			return errors.Join(tx.PutMemories(page.Memories...), tx.PutSources(page.Sources...), tx.PutRelations(page.Relations...))
		}); err != nil {
			b.Fatal(err)
		}
	}
	var made Backup
	b.Run("create", func(b *testing.B) {
		for b.Loop() {
			made = p.create()
		}
		b.ReportMetric(float64(made.Bytes), "bytes")
	})
	b.Run("restore", func(b *testing.B) {
		for b.Loop() {
			p.restore(made.Path)
		}
	})
}
