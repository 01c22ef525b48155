package notes_test

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/recall"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/brain/sqlite"
	"github.com/brainbridge/brainbridge/brain/words"
	"github.com/brainbridge/brainbridge/integration/notes"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// rig is a notes directory with a brain of its own.
type rig struct {
	testing.TB
	dir   string
	store *countingStore
	brain *services.Services
	door  *notes.Directory
	now   time.Time
	saves int
}

// countingStore counts writes.
type countingStore struct {
	brain.Store
	updates atomic.Int64
	down    atomic.Bool
}

func (s *countingStore) Update(ctx context.Context, fn func(brain.Tx) error) error {
	s.updates.Add(1)
	if s.down.Load() {
		return brain.ErrUnavailable
	}
	return s.Store.Update(ctx, fn)
}

type archive struct{ kept []brain.Forgotten }

func (a *archive) Append(_ context.Context, _ time.Time, f []brain.Forgotten) (string, error) {
	a.kept = append(a.kept, f...)
	return "archive", nil
}

func (a *archive) Find(_ context.Context, id string) (brain.Forgotten, error) {
	for _, f := range a.kept {
		if f.Memory.ID == id {
			return f, nil
		}
	}
	return brain.Forgotten{}, brain.ErrNotFound
}

func newRig(t testing.TB) *rig {
	t.Helper()
	home := t.TempDir()
	s, err := sqlite.Open(t.Context(), filepath.Join(home, "brain.db"), "default")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	r := &rig{TB: t, dir: filepath.Join(home, "memory"), store: &countingStore{Store: s}, now: time.Date(2026, 2, 6, 12, 0, 0, 0, time.UTC)}
	if err := os.Mkdir(r.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	r.brain = services.New(r.store, services.Options{Now: r.clock, Session: "s", Archive: &archive{}})
	r.door = r.doorOf("default")
	return r
}

func (r *rig) clock() time.Time {
	return r.now
}

func (r *rig) doorOf(name string) *notes.Directory {
	return notes.New(r.brain, with(notes.Options{Dir: r.dir, Brain: name, MaxFile: 1 << 16}))
}

// with completes options.
func with(o notes.Options) notes.Options {
	o.Location, o.Host, o.Warn = time.UTC, cmp.Or(o.Host, "here"), func(string) {}
	o.Include, o.MaxFile = []string{"**/*.md", "**/*.markdown"}, cmp.Or(o.MaxFile, 8<<20)
	return o
}

func (r *rig) path(name string) string { return filepath.Join(r.dir, filepath.FromSlash(name)) }

// save writes a note, each with a time of its own, long ago.
func (r *rig) save(name, text string) {
	r.Helper()
	if err := os.MkdirAll(filepath.Dir(r.path(name)), 0o700); err != nil {
		r.Fatal(err)
	}
	if err := os.WriteFile(r.path(name), []byte(text), 0o600); err != nil {
		r.Fatal(err)
	}
	r.touch(name)
}

func (r *rig) touch(name string) {
	r.Helper()
	r.saves++
	at := r.now.Add(-time.Hour + time.Duration(r.saves)*time.Millisecond)
	if err := os.Chtimes(r.path(name), at, at); err != nil {
		r.Fatal(err)
	}
}

func (r *rig) remove(name string) {
	r.Helper()
	if err := os.RemoveAll(r.path(name)); err != nil {
		r.Fatal(err)
	}
}

func (r *rig) rename(from, to string) {
	r.Helper()
	if err := os.Rename(r.path(from), r.path(to)); err != nil {
		r.Fatal(err)
	}
}

func (r *rig) sync() notes.Result {
	r.Helper()
	res, err := r.door.Sync(r.Context(), nil)
	if err != nil {
		r.Fatal(err)
	}
	return res
}

// counts are new, changed, unchanged and gone.
func (r *rig) wantSync(created, changed, unchanged, gone int) {
	r.Helper()
	res := r.sync()
	if got := [4]int{res.New, res.Changed, res.Unchanged, res.Gone}; got != [4]int{created, changed, unchanged, gone} {
		r.Errorf("new, changed, unchanged, gone = %v, want %v", got, [4]int{created, changed, unchanged, gone})
	}
}

func (r *rig) recall(query string) []recall.Recalled {
	r.Helper()
	found, err := r.brain.Recall.Recall(r.Context(), recall.Query{Words: words.Parse(query), Limit: 50, NoTouch: true})
	if err != nil {
		r.Fatal(err)
	}
	return found.Results
}

// once returns the one memory that answers.
func (r *rig) once(words string) brain.View {
	r.Helper()
	found := r.recall(words)
	if len(found) != 1 {
		r.Fatalf("%q is recalled %d times: %+v", words, len(found), found)
	}
	return found[0].Memory
}

// source is the outcome of a memory.
func (r *rig) source(id string) brain.Source {
	r.Helper()
	shown, err := r.brain.Recall.Show(r.Context(), id, true)
	if err != nil {
		r.Fatal(err)
	}
	if shown.Source == nil {
		r.Fatalf("%s has no source", id)
	}
	return *shown.Source
}

func (r *rig) wantPlace(v brain.View, file string, line int) {
	r.Helper()
	if v.Source == nil || *v.Source != (brain.Place{File: file, Line: line}) {
		r.Errorf("%s stands at %+v, want %s:%d", v.Name, v.Source, file, line)
	}
}

func problemFiles(list []notes.Problem) []string {
	var files []string
	for _, p := range list {
		files = append(files, p.File)
	}
	return slices.Compact(files)
}

const note = "# 2026-02-05 - Daily Notes\n\n## [09:00] decision: Heron database\n\nWe use the heron engine.\n\n## [10:00] lesson: Otters swim\n\nOtters need rivers.\n"
