package notes

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/durable"
	"github.com/brainbridge/brainbridge/brain/ingest"
	"github.com/brainbridge/brainbridge/brain/plaintext"
	"github.com/brainbridge/brainbridge/watcher"
	"github.com/brainbridge/brainbridge/watcher/dailynote"
)

// maxProblems is the number of problems of one file that are stored.
const maxProblems = 1000

func problemf(file string, line int, format string, args ...any) *Problem {
	return &Problem{File: file, Line: line, Message: fmt.Sprintf(format, args...)}
}

// read returns a file's bytes, or why it cannot be read.
func (d *Directory) read(info watcher.FileInfo) ([]byte, *Problem) {
	if info.Size > d.o.MaxFile {
		return nil, d.tooLarge(info.Path, info.Size)
	}
	data, err := os.ReadFile(filepath.Join(d.o.Dir, filepath.FromSlash(info.Path)))
	if err != nil {
		return nil, unreadable(info.Path, err)
	}
	return data, d.checkText(info.Path, data)
}

func (d *Directory) tooLarge(file string, size int64) *Problem {
	return problemf(file, 0, "has %d bytes, more than the %d of notes.max_file; skipped. Split it, or set notes.max_file", size, d.o.MaxFile)
}

func unreadable(file string, err error) *Problem {
	if errors.Is(err, fs.ErrNotExist) {
		return problemf(file, 0, "disappeared while it was being read; the next sync looks again")
	}
	return problemf(file, 0, "cannot be read: %v; its stored content stays", durable.Cause(err))
}

// checkText returns why bytes are not the text of a note, nil if they are.
func (d *Directory) checkText(file string, data []byte) *Problem {
	if int64(len(data)) > d.o.MaxFile {
		return d.tooLarge(file, int64(len(data)))
	}
	if line, reason := plaintext.NotText(data); reason != "" {
		return problemf(file, line, "%s; skipped. Convert it to UTF-8", reason)
	}
	return nil
}

// state returns the state of a file to store.
func (d *Directory) state(info watcher.FileInfo, data []byte, n ingest.Note, problems []dailynote.Problem) ingest.NoteState {
	outcomes := 0
	for _, o := range n.Outcomes {
		if !o.Ticked {
			outcomes++
		}
	}
	return ingest.NoteState{
		Size: info.Size, Modified: info.ModTime.UTC(), Inode: info.Inode,
		Racy: d.mayChangeUnseen(info.ModTime) || info.Size != int64(len(data)),
		Hash: hashOf(data), Rules: d.rules(), Outcomes: outcomes, Sections: len(n.Sections), Problems: problemsIn(info.Path, problems),
	}
}

func hashOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// grammar is the version of the rules by which notes are read. Raise it when they change.
const grammar = "4"

// rules returns the rules by which notes are read, with the settings that change what they say.
func (d *Directory) rules() string {
	rules := grammar
	for _, g := range d.o.Projects {
		rules += "\n" + g[0] + "=" + g[1]
	}
	return rules
}

// mayChangeUnseen reports whether a file could change again without a change of its time,
// because it was written within the clock's own step. (git calls such an entry of
// its index racily clean.) A time of whole seconds comes from a file system with
// steps of up to two seconds. A time in the future is safe: the next write changes
// it.
func (d *Directory) mayChangeUnseen(modified time.Time) bool {
	step := 50 * time.Millisecond
	if modified.Nanosecond() == 0 {
		step = 2 * time.Second
	}
	return d.brain.Base.Now().Sub(modified).Abs() < step
}

// problemsIn returns the problems of a file that are stored.
func problemsIn(file string, found []dailynote.Problem) []Problem {
	var all []Problem
	for i, p := range found {
		if i == maxProblems {
			return append(all, *problemf(file, 0, "and %d more", len(found)-i))
		}
		all = append(all, Problem{File: file, Line: p.Line, Message: p.Message})
	}
	return all
}

// counted returns how many items of a file a result counts: not the prose of a daily note.
func counted(file string, s ingest.NoteState) int {
	if dayOf(file) != "" {
		return s.Outcomes
	}
	return s.Outcomes + s.Sections
}

func sameState(a, b ingest.NoteState) bool {
	return a.Size == b.Size && a.Inode == b.Inode && a.Racy == b.Racy && a.Hash == b.Hash && a.Rules == b.Rules &&
		a.Outcomes == b.Outcomes && a.Sections == b.Sections && a.Modified.Equal(b.Modified) && slices.Equal(a.Problems, b.Problems)
}

// DayFiles lists the existing notes of one day, YYYY-MM-DD, relative to the
// directory.
func (d *Directory) DayFiles(ctx context.Context, day string) ([]string, error) {
	infos, _, err := d.dayFiles(ctx, func(of string) bool { return of == day })
	return brain.Map(infos, func(info watcher.FileInfo) string { return info.Path }), err
}

// Read parses the notes of one day, or of every day if that is "". It stores
// nothing.
func (d *Directory) Read(ctx context.Context, day string) (read []ingest.Note, problems []Problem, err error) {
	infos, faults, err := d.dayFiles(ctx, func(of string) bool { return day == "" || of == day })
	if err != nil {
		return nil, nil, err
	}
	for _, f := range faults {
		problems = append(problems, Problem{File: f.Path, Message: f.Message})
	}
	for _, info := range infos {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		data, bad := d.read(info)
		if bad != nil {
			problems = append(problems, *bad)
			continue
		}
		note := d.brain.Ingest.CleanNote(d.parse(info, data, nil))
		problems = append(problems, note.State.Problems...)
		read = append(read, note)
	}
	return read, problems, nil
}

// dayFiles finds the notes of days.
func (d *Directory) dayFiles(ctx context.Context, wanted func(day string) bool) ([]watcher.FileInfo, []watcher.Problem, error) {
	infos, faults, err := watcher.Scan(ctx, watcher.Config{
		Dir:     d.o.Dir,
		Match:   func(rel string) bool { return dayOf(rel) != "" && wanted(dayOf(rel)) && d.Match(rel) },
		SkipDir: d.SkipDir,
	})
	return infos, faults, brain.Wrap(err, "look for the notes of a day")
}

// Limits of the files that are read at once and stored in one transaction. Files of one day
// stay together, so that an outcome that moved between them is found.
const (
	batchFiles = 320
	batchBytes = 2 << 20
	dayWeight  = 16       // of the bytes of days: up to 1,600 short outcomes
	mostBytes  = 16 << 20 // even of one day
	readers    = 4
)

// loadedNote is a file that was read.
type loadedNote struct {
	note    ingest.Note
	failed  bool // it could not be read
	settled bool // nothing about it has to be stored
}

// batchEnd returns how many of the files, sorted by path, are read and stored at once.
func batchEnd(files []watcher.FileInfo) int {
	var size, weight int64
	for i, f := range files {
		full := i >= batchFiles || weight >= batchBytes
		newDay := i > 0 && (dayOf(f.Path) == "" || dayOf(f.Path) != dayOf(files[i-1].Path))
		if full && newDay || size >= mostBytes {
			return i
		}
		weight += f.Size
		if size += f.Size; dayOf(f.Path) != "" {
			weight += (dayWeight - 1) * f.Size
		}
	}
	return len(files)
}

// load reads and parses files in parallel.
func load(ctx context.Context, files []watcher.FileInfo, one func(watcher.FileInfo) loadedNote) ([]loadedNote, error) {
	list := make([]loadedNote, len(files))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(readers)
	for i, f := range files {
		g.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			list[i] = one(f)
			return nil
		})
	}
	return list, g.Wait()
}

// loadChanged reads a file. If its bytes are the known ones, only its state counts.
func (s *syncing) loadChanged(f watcher.FileInfo) loadedNote {
	before := s.plan.states[f.Path]
	l := s.loadWhole(f)
	if !l.failed && l.note.State.Hash == before.Hash && before.Rules == s.d.rules() {
		l.note = ingest.Note{File: f.Path, StateOnly: true, State: l.note.State}
	}
	l.settled = l.note.StateOnly && sameState(l.note.State, before)
	return l
}

// loadWhole reads a file whether it changed or not.
func (s *syncing) loadWhole(f watcher.FileInfo) loadedNote {
	data, bad := s.d.read(f)
	if bad != nil {
		return loadedNote{note: withFault(s.plan.states[f.Path], *bad), failed: true}
	}
	return loadedNote{note: s.d.parse(f, data, s.plan)}
}
