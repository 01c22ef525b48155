package notes

import (
	"context"
	"maps"
	"path"
	"slices"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/ingest"
	"github.com/brainbridge/brainbridge/watcher"
)

// Sync scans the whole directory and stores what is new, changed or gone. If nothing
// changed, it writes only the time of the scan. progress, if not nil, receives the number
// of files that were read.
//
// Errors are those of Claim and of the store; nothing then counts as removed. Batches that
// were stored before an error stay, and the next sync continues from there.
func (d *Directory) Sync(ctx context.Context, progress func(done, total int)) (Result, error) {
	return d.sync(ctx, nil, progress)
}

// SyncPaths is Sync of these files only, relative to the directory and slash-separated, whether
// they exist or not. Paths that are not notes are ignored. The result is about these files.
func (d *Directory) SyncPaths(ctx context.Context, paths []string) (Result, error) {
	var a area
	for _, p := range paths {
		if p = path.Clean(p); p != ".." && !path.IsAbs(p) && !watcher.Within(p, "..") && d.Match(p) {
			a = append(a, p)
		}
	}
	if len(a) == 0 {
		return Result{Problems: []Problem{}}, nil
	}
	return d.sync(ctx, a, nil)
}

// Take is SyncPaths without the result.
func (d *Directory) Take(ctx context.Context, paths []string) error {
	_, err := d.SyncPaths(ctx, paths)
	return err
}

type syncing struct {
	d        *Directory
	plan     *plan
	count    Result
	gone     map[string]bool // sources
	problems map[string][]Problem
}

func (s *syncing) result() Result {
	out := s.count
	out.Gone += len(s.gone)
	out.Problems = append([]Problem{}, slices.Concat(slices.Collect(maps.Values(s.problems))...)...)
	brain.SortProblems(out.Problems)
	return out
}

// sync stores the changes in an area. Removed files come first, so that a renamed file keeps the identity of its outcomes.
func (d *Directory) sync(ctx context.Context, a area, progress func(done, total int)) (Result, error) {
	s := &syncing{d: d, gone: map[string]bool{}, problems: map[string][]Problem{}}
	err := s.run(ctx, a, progress)
	return s.result(), brain.Wrap(err, "sync the notes")
}

func (s *syncing) run(ctx context.Context, a area, progress func(done, total int)) error {
	dir, err := s.d.Claim(ctx)
	if err != nil {
		return err
	}
	if s.plan, err = s.d.makePlan(ctx, dir, a); err != nil {
		return err
	}
	s.countUnchanged()
	if err := s.storeGone(ctx); err != nil {
		return err
	}
	for files := s.plan.read; len(files) > 0; {
		n := batchEnd(files)
		list, err := load(ctx, files[:n], s.loadChanged)
		if err != nil {
			return err
		}
		if err := s.storeBatch(ctx, list); err != nil {
			return err
		}
		if files = files[n:]; progress != nil {
			progress(len(s.plan.read)-len(files), len(s.plan.read))
		}
	}
	if err := s.reclaim(ctx); err != nil || a != nil {
		return err
	}
	if err := s.d.rememberPlace(ctx, dir); err != nil {
		return err
	}
	return s.d.brain.Base.FinishJob(ctx, scanJob(dir), s.d.brain.Base.Now())
}

// countUnchanged counts the files that are not read.
func (s *syncing) countUnchanged() {
	p := s.plan
	s.count.Files = p.files
	for _, file := range p.same {
		s.count.Unchanged += counted(file, p.states[file])
	}
	for file, state := range p.states {
		if len(state.Problems) > 0 && !slices.Contains(p.gone, file) {
			s.problems[file] = state.Problems
		}
	}
}

// storeGone stores the faults of the scan and the removed files.
func (s *syncing) storeGone(ctx context.Context) error {
	var notes []ingest.Note
	for _, n := range s.plan.faults {
		s.problems[n.File] = n.State.Problems
		if !sameState(n.State, s.plan.states[n.File]) {
			notes = append(notes, n)
		}
	}
	s.count.Read = append(s.count.Read, s.plan.gone...)
	for _, file := range s.plan.gone {
		notes = append(notes, ingest.Note{File: file, Gone: true, Page: dayOf(file) == ""})
	}
	for batch := range slices.Chunk(notes, batchFiles) {
		if err := s.ingest(ctx, batch); err != nil {
			return err
		}
	}
	return nil
}

func (s *syncing) ingest(ctx context.Context, notes []ingest.Note) error {
	if len(notes) == 0 {
		return nil
	}
	in, err := s.d.brain.Ingest.Ingest(ctx, s.plan.dir, notes)
	if err != nil {
		return err
	}
	s.count.New += in.New
	s.count.Changed += in.Changed
	s.count.Unchanged += in.Unchanged
	s.count.Gone += in.Gone - len(in.GoneIDs) // sections; outcomes may be in another file
	s.countMoved(in)
	return nil
}

// countMoved keeps the sources that no file holds.
func (s *syncing) countMoved(in ingest.Ingested) {
	for _, id := range in.GoneIDs {
		s.gone[id] = true
	}
	for _, id := range in.BackIDs {
		delete(s.gone, id)
	}
}

func (s *syncing) storeBatch(ctx context.Context, batch []loadedNote) error {
	var notes []ingest.Note
	for _, l := range batch {
		if !l.settled {
			notes = append(notes, l.note)
		}
	}
	if err := s.ingest(ctx, notes); err != nil {
		return err
	}
	for _, l := range batch {
		s.problems[l.note.File] = l.note.State.Problems
		if !l.note.StateOnly {
			s.count.Read = append(s.count.Read, l.note.File)
		} else if !l.failed {
			s.count.Unchanged += counted(l.note.File, l.note.State)
		}
	}
	return nil
}

// reclaim gives outcomes that were removed from one file to another file that also has
// them: a copy of the day, which was not read because it did not change, or a file of an
// earlier batch. It reads whole days again, but only if something was removed.
func (s *syncing) reclaim(ctx context.Context) error {
	if len(s.gone) == 0 {
		return nil
	}
	days := map[string]bool{}
	for _, f := range s.plan.read {
		days[dayOf(f.Path)] = true
	}
	for _, file := range s.plan.gone {
		days[dayOf(file)] = true
	}
	files, _, err := s.d.dayFiles(ctx, func(day string) bool { return days[day] })
	if err != nil {
		return err
	}
	for len(files) > 0 {
		n := batchEnd(files)
		list, err := load(ctx, files[:n], s.loadWhole)
		if err != nil {
			return err
		}
		var notes []ingest.Note
		for _, l := range list {
			if !l.failed {
				notes = append(notes, l.note)
			}
		}
		in, err := s.d.brain.Ingest.Ingest(ctx, s.plan.dir, notes)
		if err != nil {
			return err
		}
		s.countMoved(in)
		files = files[n:]
	}
	return nil
}
