package notes

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/ingest"
	"github.com/brainbridge/brainbridge/watcher"
)

// area has the files that a sync looks at, nil for the whole directory.
type area []string

func (a area) covers(rel string) bool { return a == nil || slices.Contains(a, rel) }

// hasPathIn reports whether a file of the area is rel or below it.
func (a area) hasPathIn(rel string) bool {
	return slices.ContainsFunc(a, func(p string) bool { return watcher.Within(p, rel) })
}

// plan compares the directory with its stored state.
type plan struct {
	dir    string                      // its id
	states map[string]ingest.NoteState // as stored before
	read   []watcher.FileInfo          // files to read, by path
	same   []string                    // unchanged files
	gone   []string
	faults []ingest.Note        // states of files that cannot be read
	files  int                  // existing notes
	copied func(time.Time) bool // see [watcher.Copied]; of the scanned files only
}

// makePlan scans an area, after reading the state, so that what is stored meanwhile is not missing.
func (d *Directory) makePlan(ctx context.Context, dir string, a area) (*plan, error) {
	p := &plan{dir: dir}
	var err error
	if p.states, err = d.brain.Ingest.NoteStates(ctx, dir, a...); err != nil {
		return nil, err
	}
	files, faults, err := watcher.Scan(ctx, watcher.Config{
		Dir:     d.o.Dir,
		Match:   func(rel string) bool { return a.covers(rel) && d.Match(rel) },
		SkipDir: func(rel string) bool { return d.SkipDir(rel) || a != nil && !a.hasPathIn(rel) },
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil, brain.Errorf(brain.ErrNotFound, "mount it, restore it, or name another with "+d.nameAnother(),
			"the notes directory %s does not exist; nothing was changed", d.o.Dir)
	}
	if err != nil {
		return nil, fmt.Errorf("scan the notes: %w", err)
	}
	if _, err := ReadOwner(d.o.Dir); err != nil && (!d.o.Dry || !errors.Is(err, fs.ErrNotExist)) {
		return nil, fmt.Errorf("the notes directory changed while it was being read; try again: %w", err)
	}
	p.copied = watcher.Copied(brain.Map(files, func(f watcher.FileInfo) time.Time { return f.ModTime }))
	rules := d.rules()
	if d.o.Reread {
		rules = "" // those of no file
	}
	p.addFiles(files, rules)
	p.addMissing(files, faults, a)
	return p, nil
}

// isCopied reports whether a time of change is that of a copy of the directory.
func (p *plan) isCopied(t time.Time) bool { return p != nil && p.copied(t) }

// formerPath returns the path of a file that is gone and held the same bytes, "" for none.
func (p *plan) formerPath(data []byte) string {
	if p == nil || len(p.gone) == 0 {
		return ""
	}
	hash := hashOf(data)
	for _, file := range p.gone {
		if p.states[file].Hash == hash {
			return file
		}
	}
	return ""
}

// addFiles separates unchanged files from those to read.
func (p *plan) addFiles(files []watcher.FileInfo, rules string) {
	p.files = len(files)
	for _, f := range files {
		if s, known := p.states[f.Path]; known && (s.Rules == rules || s.Hash == "" && rules != "") && unchanged(s, f) {
			p.same = append(p.same, f.Path)
		} else {
			p.read = append(p.read, f)
		}
	}
}

// unchanged trusts size, time and inode, if that is known, unless the state is racy.
func unchanged(s ingest.NoteState, f watcher.FileInfo) bool {
	return !s.Racy && s.Size == f.Size && s.Modified.Equal(f.ModTime) && (s.Inode == 0 || f.Inode == 0 || s.Inode == f.Inode)
}

// addMissing adds the known files that were not found, and that no fault explains, as gone.
func (p *plan) addMissing(files []watcher.FileInfo, faults []watcher.Problem, a area) {
	found := make(map[string]bool, len(files))
	for _, f := range files {
		found[f.Path] = true
	}
	for _, f := range faults {
		if (a.covers(f.Path) || a.hasPathIn(f.Path)) && !found[f.Path] {
			found[f.Path] = true
			p.faults = append(p.faults, withFault(p.states[f.Path], Problem{File: f.Path, Message: f.Message}))
		}
	}
	for file := range p.states {
		if !found[file] && !slices.ContainsFunc(faults, func(f watcher.Problem) bool { return watcher.Within(file, f.Path) }) {
			p.gone = append(p.gone, file)
		}
	}
	slices.Sort(p.gone)
}

// withFault returns the new state of a file that cannot be read; its content stays.
func withFault(before ingest.NoteState, problem Problem) ingest.Note {
	before.Racy, before.Problems = true, []Problem{problem}
	return ingest.Note{File: problem.File, StateOnly: true, State: before}
}

// Compare returns the notes that are not what the store has read: new or changed files, and
// those that are gone. It reads every file and writes nothing. A directory that was never
// read, or does not exist, has none.
func (d *Directory) Compare(ctx context.Context) (changed, gone []string, err error) {
	dir, err := d.OwnerID(ctx)
	if err != nil || dir == "" {
		return nil, nil, err
	}
	dry := &Directory{brain: d.brain, o: d.o, memoryMD: d.memoryMD}
	dry.o.Dry = true
	p, err := dry.makePlan(ctx, dir, nil)
	if err != nil {
		return nil, nil, err
	}
	for _, file := range slices.Concat(p.same, brain.Map(p.read, func(f watcher.FileInfo) string { return f.Path })) {
		state, known := p.states[file]
		data, err := os.ReadFile(filepath.Join(d.o.Dir, filepath.FromSlash(file)))
		if !known || err == nil && state.Hash != "" && state.Hash != hashOf(data) {
			changed = append(changed, file)
		}
	}
	slices.Sort(changed)
	return changed, p.gone, ctx.Err()
}
