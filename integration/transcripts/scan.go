package transcripts

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/durable"
	"github.com/brainbridge/brainbridge/watcher/transcript"
)

// scanned are the transcripts after their new lines were read.
type scanned struct {
	states map[string]*fileState // by path, of files that are gone too
	read   []string              // paths of the files that had changed
	found  int
	// problems are those of files that could not be read.
	problems []Problem
}

// find returns the transcripts that the sources name, each once, by path. A
// folder that does not exist has none.
func (x *Extractor) find() (paths []string, problems []Problem) {
	for _, glob := range x.o.Sources {
		found, err := doublestar.FilepathGlob(glob, doublestar.WithFilesOnly())
		if err != nil {
			problems = append(problems, Problem{File: glob, Message: "cannot be searched: " + durable.Cause(err).Error()})
		}
		paths = append(paths, found...)
	}
	slices.Sort(paths)
	return slices.Compact(paths), problems
}

// scan reads the new lines of all files and stores how far each was read. If
// nothing is known of the requested day, it gathers the messages of that day on
// the way, so that they are read once; otherwise early is nil.
func (r *run) scan(ctx context.Context) (s scanned, early *collector, err error) {
	if s.states, err = loadStates[*fileState](ctx, r.Extractor, brain.TranscriptFileRecord, ""); err != nil {
		return s, nil, err
	}
	paths, problems := r.find()
	s.found, s.problems = len(paths), problems
	changed := r.changed(paths, &s)
	if r.req.Day != "" && !s.knows(r.req.Day) {
		if early, err = newCollector(r.o.Temp); err != nil {
			return s, nil, err
		}
	}
	for batch := range slices.Chunk(changed, stateBatch) {
		from := len(s.read)
		for _, path := range batch {
			if err := r.readNew(ctx, path, &s, early); err != nil {
				return s, early, err
			}
		}
		var states []stateRecord
		for _, path := range s.read[from:] {
			states = append(states, stateRecord{brain.TranscriptFileRecord, path, s.states[path]})
		}
		if err := r.put(ctx, states...); err != nil {
			return s, early, err
		}
	}
	return s, early, nil
}

// knows reports whether a file is known to speak of a day.
func (s *scanned) knows(day string) bool {
	for _, state := range s.states {
		if state.Days[day] != nil {
			return true
		}
	}
	return false
}

func (s *scanned) unreadable(path string, err error) {
	if !errors.Is(err, fs.ErrNotExist) { // it went meanwhile
		s.problems = append(s.problems, Problem{File: path, Message: "cannot be read: " + durable.Cause(err).Error()})
	}
}

// changed returns the files whose hints say that they may have changed.
func (r *run) changed(paths []string, s *scanned) []string {
	var changed []string
	for _, path := range paths {
		info, err := statRegular(path)
		if err != nil {
			s.unreadable(path, err)
			continue
		}
		state := s.states[path]
		if state == nil {
			state = &fileState{}
			s.states[path] = state
		}
		if state.View == r.view() && state.Position.Matches(info) {
			continue
		}
		changed = append(changed, path)
		r.progress.Of++
		r.progress.Size += info.Size()
	}
	return changed
}

func statRegular(path string) (fs.FileInfo, error) {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("it is not a regular file")
	}
	return info, err
}

// errRewritten is the error of a file that was rewritten while it was read.
var errRewritten = errors.New("it was rewritten meanwhile")

// readNew reads the new part of a file. The state of a file that cannot be read
// stays.
func (r *run) readNew(ctx context.Context, path string, s *scanned, early *collector) error {
	state := s.states[path]
	defer r.readOne()
	f, err := os.Open(path)
	if err != nil {
		s.unreadable(path, err)
		return nil
	}
	defer f.Close() //nolint:errcheck // it was only read
	before, err := transcript.Check(f, state.Position)
	if err != nil {
		s.unreadable(path, err)
		return nil
	}
	fromStart := before == transcript.Rewritten || state.View != r.view()
	from, next := state.Position, newTally(state.Days, r.o.Location)
	if fromStart {
		from, next = transcript.Position{}, newTally(nil, r.o.Location)
	}
	pos, res, change, err := transcript.Follow(meter{f, r.count}, from, r.reading(path), func(m transcript.Message) error {
		if day := next.add(m); early != nil && day == r.req.Day {
			early.add(m, path)
		}
		return ctx.Err()
	})
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err == nil && change == transcript.Rewritten && !fromStart:
		s.unreadable(path, errRewritten)
	case err != nil:
		s.unreadable(path, err)
	case change != transcript.Unchanged:
		s.read = append(s.read, path)
		if before == transcript.Rewritten {
			state.recordLost(next.days)
		}
		state.update(pos, res, fromStart)
		state.View, state.Days = r.view(), next.days
	}
	return nil
}

// reading returns the options for reading a transcript.
func (x *Extractor) reading(path string) transcript.Options {
	return transcript.Options{File: path, SideChains: x.o.SideChains, Now: x.brain.Base.Now()}
}

// meter is a file whose bytes are counted while they are read.
type meter struct {
	*os.File
	count func(int)
}

// Read counts.
func (m meter) Read(p []byte) (int, error) {
	n, err := m.File.Read(p)
	m.count(n)
	return n, err
}

// count adds bytes to the progress.
func (r *run) count(n int) {
	before := r.progress.Bytes
	r.progress.Bytes = min(r.progress.Bytes+int64(n), r.progress.Size)
	if before>>20 != r.progress.Bytes>>20 {
		r.report()
	}
}

// readOne adds a file to the progress.
func (r *run) readOne() {
	r.progress.Files++
	r.report()
}

func (r *run) report() {
	if r.req.Progress != nil {
		r.req.Progress(r.progress)
	}
}

func sortProblems(all []Problem) []Problem {
	brain.SortProblems(all)
	all = slices.Compact(all)
	if all == nil {
		all = []Problem{}
	}
	return all
}
