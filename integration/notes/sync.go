package notes

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/watcher"
)

const (
	// batchOutcomes is how many outcomes, bullets and sections go into one
	// transaction, and batchFiles how many files: large enough to share its
	// cost, small enough not to keep others waiting.
	batchOutcomes = 2000
	batchFiles    = 400
	// racy is how close to the scan a file may have been saved for its size and
	// time not to be trusted: a second save may have left both the same.
	racy = 2 * time.Second
)

// Sync scans the directory and takes in what changed. A file that cannot be
// read is a problem, and what is known of it stays. progress may be nil.
func (d *Door) Sync(ctx context.Context, progress func(done, total int)) (Result, error) {
	dir, err := d.Own(ctx)
	if err != nil {
		return Result{}, err
	}
	infos, problems, err := watcher.Scan(ctx, d.scanConfig())
	if err != nil {
		return Result{}, fmt.Errorf("scan the notes: %w", err)
	}
	b, err := d.begin(ctx, dir)
	if err != nil {
		return Result{}, err
	}
	if progress == nil {
		progress = func(int, int) {}
	}
	for _, p := range problems {
		b.problem(p.Path, 0, p.Message)
		delete(b.states, p.Path) // what is known of it stays
	}
	for i, info := range infos {
		if err := b.add(ctx, info); err != nil {
			return b.res, err
		}
		progress(i+1, len(infos))
	}
	// Files that are gone come last, so that a renamed one is known by then.
	for _, file := range slices.Sorted(maps.Keys(b.states)) {
		if err := b.gone(ctx, file); err != nil {
			return b.res, err
		}
	}
	if err := b.finish(ctx); err != nil {
		return b.res, err
	}
	return b.res, d.brain.FinishJob(ctx, scanJob(dir), d.o.Now())
}

func scanJob(dir string) string { return "notes:" + dir }

// Take takes in these files only, as a watcher names them.
func (d *Door) Take(ctx context.Context, paths []string) (Result, error) {
	dir, err := d.Own(ctx)
	if err != nil {
		return Result{}, err
	}
	b, err := d.begin(ctx, dir)
	if err != nil {
		return Result{}, err
	}
	var vanished []string
	for _, rel := range slices.Compact(slices.Sorted(slices.Values(paths))) {
		if !Match(rel) {
			continue
		}
		info, err := os.Stat(d.path(rel))
		switch {
		case os.IsNotExist(err):
			vanished = append(vanished, rel)
		case err != nil:
			b.problem(rel, 0, err.Error())
		case !info.Mode().IsRegular():
			b.problem(rel, 0, "it is not a file")
		default:
			f := watcher.FileInfo{Path: rel, Size: info.Size(), ModTime: info.ModTime()}
			if err := b.add(ctx, f); err != nil {
				return b.res, err
			}
		}
	}
	for _, rel := range vanished {
		if _, known := b.states[rel]; !known {
			continue
		}
		if err := b.gone(ctx, rel); err != nil {
			return b.res, err
		}
	}
	return b.res, b.finish(ctx)
}

func (d *Door) path(rel string) string { return filepath.Join(d.o.Dir, filepath.FromSlash(rel)) }

// intake collects notes until there are enough for a transaction.
type intake struct {
	d      *Door
	dir    string
	now    time.Time
	states map[string]brain.NoteState // of the files not yet seen
	res    Result
	notes  []brain.Note
	weight int
}

func (d *Door) begin(ctx context.Context, dir string) (*intake, error) {
	states, err := d.brain.NoteStates(ctx, dir)
	return &intake{d: d, dir: dir, now: d.o.Now(), states: states, res: Result{Problems: []Problem{}}}, err
}

func (b *intake) problem(file string, line int, message string) {
	b.res.Problems = append(b.res.Problems, Problem{file, line, message})
}

// add looks at one file and takes it in if it changed.
func (b *intake) add(ctx context.Context, info watcher.FileInfo) error {
	b.res.Files++
	known, seen := b.states[info.Path]
	delete(b.states, info.Path)
	if seen && skippable(known, info) {
		b.res.Unchanged += known.Outcomes
		b.report(info.Path, known.Problems)
		return nil
	}
	n, ok := b.d.read(info, b.now)
	if !ok {
		return nil // it vanished: the next scan sees that it is gone
	}
	b.report(info.Path, n.State.Problems)
	return b.put(ctx, n)
}

// skippable reports whether a file is surely as it was: same size and time,
// and not saved so close to when it was read that a second save could hide.
func skippable(known brain.NoteState, info watcher.FileInfo) bool {
	same := known.Size == info.Size && known.Modified.Equal(brain.Instant(info.ModTime)) &&
		(known.Inode == 0 || info.Inode == 0 || known.Inode == info.Inode)
	return same && !known.Racy
}

func (b *intake) report(file string, problems []brain.NoteProblem) {
	for _, p := range problems {
		b.problem(file, p.Line, p.Message)
	}
}

func (b *intake) gone(ctx context.Context, file string) error {
	return b.put(ctx, brain.Note{File: file, Gone: true})
}

func (b *intake) put(ctx context.Context, n brain.Note) error {
	b.notes = append(b.notes, n)
	b.weight += len(n.Outcomes) + len(n.Sections)
	if b.weight < batchOutcomes && len(b.notes) < batchFiles {
		return nil
	}
	return b.flush(ctx)
}

func (b *intake) flush(ctx context.Context) error {
	if len(b.notes) == 0 {
		return nil
	}
	took, err := b.d.brain.Ingest(ctx, b.dir, b.notes)
	b.res.New += took.New
	b.res.Changed += took.Changed
	b.res.Unchanged += took.Unchanged
	b.res.Gone += took.Gone
	b.notes, b.weight = nil, 0
	return err
}

func (b *intake) finish(ctx context.Context) error {
	err := b.flush(ctx)
	slices.SortStableFunc(b.res.Problems, func(a, z Problem) int {
		return cmp.Or(cmp.Compare(a.File, z.File), cmp.Compare(a.Line, z.Line))
	})
	return err
}

// Status is how the notes stand, as of the last sync.
type Status struct {
	Dir      string    `json:"dir"`
	Watching bool      `json:"watching"` // filled in by who knows
	LastScan time.Time `json:"lastScan"`
	Files    int       `json:"files"`
	Problems []Problem `json:"problems"`
}

// Status reads what the last sync left behind; it reads no note.
func (d *Door) Status(ctx context.Context) (Status, error) {
	out := Status{Dir: d.o.Dir, Problems: []Problem{}}
	dir, err := d.Own(ctx)
	if err != nil {
		return out, err
	}
	states, err := d.brain.NoteStates(ctx, dir)
	if err != nil {
		return out, err
	}
	out.Files = len(states)
	for _, file := range slices.Sorted(maps.Keys(states)) {
		for _, p := range states[file].Problems {
			out.Problems = append(out.Problems, Problem{file, p.Line, p.Message})
		}
	}
	_, problems, err := watcher.Scan(ctx, d.scanConfig())
	if err != nil {
		return out, fmt.Errorf("scan the notes: %w", err)
	}
	for _, p := range problems {
		out.Problems = append(out.Problems, Problem{p.Path, 0, p.Message})
	}
	out.LastScan, err = d.brain.JobFinished(ctx, scanJob(dir))
	return out, err
}

// today is the note that a captured outcome goes to.
func (d *Door) today(at time.Time) string {
	return path.Base(at.In(d.o.Location).Format(time.DateOnly) + ".md")
}
