package life

import (
	"path/filepath"
	"slices"
	"time"

	"pgregory.net/rapid"

	"github.com/brainbridge/brainbridge/backups"
	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/consolidate"
	"github.com/brainbridge/brainbridge/brain/ingest"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/brain/services"
)

type stored = brain.Memory

// world is a brain on a store, with every id that it has ever printed.
type world struct {
	*services.Services
	*rapid.T
	name, dir string
	ids       map[string]*life
	first     map[*life]string // the id that each life was given first
}

func (p *play) newWorld(name string, s brain.Store) *world {
	w := &world{T: p.T, name: name, dir: p.t.TempDir(), ids: map[string]*life{}, first: map[*life]string{}}
	archive := backups.NewArchive(filepath.Join(w.dir, "archive"), func(string) {})
	w.Services = services.New(s, services.Options{Now: func() time.Time { return p.now }, Archive: archive})
	p.worlds = append(p.worlds, w)
	return w
}

// must fails the law on an error.
func must[T any](w *world) func(T, error) T {
	return func(v T, err error) T {
		w.Helper()
		if err != nil {
			w.Fatalf("%s: %v", w.name, err)
		}
		return v
	}
}

// ran is must for what makes a run.
func ran[T any](w *world) func(T, brain.Run, error) {
	return func(v T, _ brain.Run, err error) { w.Helper(); must[T](w)(v, err) }
}

// living returns the id of the memory that holds for a life.
func (w *world) living(l *life) string { return must[shown](w)(w.show(w.first[l])).Memory.ID }

// of returns an id of a life: its first one, or the one that it has now.
func (w *world) of(l *life, now int) string {
	if now%2 == 0 {
		return w.first[l]
	}
	return w.living(l)
}

func (w *world) list(all bool) []brain.View {
	return must[[]brain.View](w)(w.Recall.List(w.Context(), lifecycle.ListQuery{All: all, Limit: 10_000}))
}

// current returns the live and expired memories as they are stored.
func (w *world) current() map[*life]stored {
	now := map[*life]stored{}
	for _, v := range w.list(false) {
		now[w.ids[v.ID]] = must[[]stored](w)(w.Base.Memories(w.Context(), v.ID))[0]
	}
	return now
}

// runs returns the journal, oldest first.
func (w *world) runs() []brain.Run {
	runs := must[[]brain.Run](w)(w.Journal.Runs(w.Context(), 1000))
	slices.Reverse(runs)
	return runs
}

func (w *world) actions(r brain.Run) (actions []brain.Action) {
	for a, err := range w.Journal.Actions(w.Context(), r) {
		actions = append(actions, must[brain.Action](w)(a, err))
	}
	return actions
}

// maintain makes a run that settles what is due and, with the step for them, merges duplicates.
func (w *world) maintain(steps ...consolidate.Step) {
	run := consolidate.New(w.Base, w.Journal, consolidate.Options{LogFile: filepath.Join(w.dir, "log"), Steps: steps})
	must[consolidate.Report](w)(run.Run(w.Context(), consolidate.Request{Kind: brain.RunConsolidate, ByPerson: true}))
}

func (w *world) duplicates() consolidate.Step {
	return consolidate.NewDuplicates(w.Base, w.Recall, w.Review, consolidate.DuplicateOptions{})
}

func (w *world) capture(s brain.Source) {
	c := must[brain.Capture](w)(w.Capture.New(s, brain.Details{}))
	must[brain.Captured](w)(w.Capture.Capture(w.Context(), c))
}

// note reads a note with one outcome.
func (w *world) note(file, says string, i brain.Importance, at time.Time) {
	o := ingest.NoteOutcome{At: at, Content: says, Source: brain.Source{
		Key: brain.Hash(file), Date: at.Format(time.DateOnly), Time: at.Format("15:04"), Type: "decision", Title: file, TitleKey: file,
		Body: says, BodyHash: brain.Hash(says), Line: 1, Importance: i,
	}}
	must[ingest.Ingested](w)(w.Ingest.Ingest(w.Context(), "dir", []ingest.Note{{File: file, Outcomes: []ingest.NoteOutcome{o}}}))
}

// decide puts two memories before a person, who says that they are the same. It reports whether that was not decided before.
func (w *world) decide(kind brain.ReviewKind, a, b *life, says string) bool {
	ids := []string{w.living(a), w.living(b)}
	must[int](w)(w.Review.Flag(w.Context(), brain.ReviewItem{Kind: kind, Memories: ids, Reason: "asked"}))
	for _, item := range must[[]brain.ReviewItem](w)(w.Review.Reviews(w.Context(), brain.ReviewPending)) {
		if item.Kind == kind && len(brain.Union(ids, item.Memories)) == 2 {
			must[brain.ReviewItem](w)(w.Review.Decide(w.Context(), item.ID, brain.VerdictSame, says))
			return true
		}
	}
	return false
}

// restoreInto makes a backup and restores it into worlds.
func (w *world) restoreInto(others ...*world) {
	options := func(w *world) backups.Options {
		return backups.Options{
			Brain: w.Services, Dir: filepath.Join(w.dir, "backups"), Version: "test", Executable: "/no/brainbridge",
			Contents: []backups.Content{{Name: "archive", Path: filepath.Join(w.dir, "archive")}}, Warn: func(m string) { w.Errorf("%s", m) },
		}
	}
	made := must[backups.Backup](w)(backups.Create(w.Context(), options(w)))
	from := must[backups.Verified](w)(backups.Verify(w.Context(), made.Path, options(w)))
	for _, w := range others {
		o := backups.RestoreOptions{Options: options(w), From: from, Marker: filepath.Join(w.dir, "restore.json")}
		must[backups.Restored](w)(backups.Restore(w.Context(), o, backups.Restored{}))
	}
}
