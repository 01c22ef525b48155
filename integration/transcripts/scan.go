package transcripts

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math"
	"slices"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/durable"
	"github.com/brainbridge/brainbridge/watcher/transcript"
)

// stateBatch is how many files have their state stored in one transaction.
const stateBatch = 100

// scanned are the transcripts as they are now.
type scanned struct {
	states map[string]*fileState // by path, including removed files
	read   []string              // paths of the files that had changed
	found  int
	// problems are the problems of files that could not be read.
	problems []Problem
}

// scan reads the files that have changed, and stores which days they have messages of.
func (r *run) scan(ctx context.Context) (s scanned, err error) {
	if s.states, err = loadStates[*fileState](ctx, r.Extractor, brain.TranscriptFileRecord); err != nil {
		return s, err
	}
	changed := r.changed(r.find(ctx, &s), &s)
	read := r.progress("", len(changed))
	for batch := range slices.Chunk(changed, stateBatch) {
		var states []stateRecord
		for _, file := range batch {
			state, err := r.readFile(ctx, file, s.states[file.path])
			read()
			switch {
			case ctx.Err() != nil:
				return s, ctx.Err()
			case err != nil:
				s.unreadable(file.path, err)
			default:
				s.read, s.states[file.path] = append(s.read, file.path), state
				states = append(states, stateRecord{brain.TranscriptFileRecord, file.path, state})
			}
		}
		if err := r.put(ctx, states...); err != nil {
			return s, err
		}
	}
	return s, nil
}

func (s *scanned) unreadable(path string, err error) {
	if !errors.Is(err, fs.ErrNotExist) { // it went meanwhile
		s.problems = append(s.problems, Problem{File: path, Message: "cannot be read: " + durable.Cause(err).Error()})
	}
}

// changed returns the files that may have changed.
func (r *run) changed(found []file, s *scanned) []file {
	var changed []file
	for _, file := range found {
		if s.states[file.path] == nil {
			s.states[file.path] = &fileState{}
		}
		if !s.states[file.path].current(file.version, r.view()) {
			changed = append(changed, file)
		}
	}
	return changed
}

// readFile reads a file and returns its new state. What is written meanwhile is read the
// next time.
func (r *run) readFile(ctx context.Context, file file, before *fileState) (*fileState, error) {
	in, err := open(ctx, file.path)
	if err != nil {
		return nil, err
	}
	defer in.Close() //nolint:errcheck // it was only read
	now := &fileState{View: r.view(), version: file.version, Days: map[string]fileDay{}}
	stillThere := map[string]bool{} // days whose earlier messages the file begins with
	res, err := transcript.Read(in, r.reading(file.path, file.ModTime), func(m transcript.Message) error {
		day := r.dayOf(m.At)
		if day == r.heardDay() {
			r.heard.add(m)
		}
		d := now.Days[day].with(m)
		now.Days[day] = d
		if old := before.Days[day]; d.Count == old.Count && d.Keys == old.Keys {
			stillThere[day] = true
		}
		return ctx.Err()
	})
	switch _, speaks := now.Days[r.heardDay()]; {
	case err != nil:
		r.heardFiles = math.MinInt // what was collected of it may not be all
	case speaks:
		r.heardFiles++
	}
	now.Problems = problemsOf(file.path, res)
	now.Lost = before.Lost
	for _, day := range slices.Sorted(maps.Keys(before.Days)) {
		if before.View == now.View && !stillThere[day] && !slices.Contains(now.Lost, day) {
			now.Lost = append(now.Lost, day)
		}
	}
	return now, err
}

// problemsOf returns the problems with lines of a file.
func problemsOf(path string, res transcript.Result) (all []Problem) {
	for _, p := range res.Problems {
		all = append(all, Problem{File: path, Line: p.Line, Message: p.Message})
	}
	if res.Unfinished > 0 {
		all = append(all, Problem{File: path, Line: res.Unfinished, Message: "is cut in the middle; it is read when it is whole"})
	}
	if res.More > 0 {
		all = append(all, Problem{File: path, Message: fmt.Sprintf("and %d more problems", res.More)})
	}
	return sortProblems(all)
}

// gathered are the messages of a day, in order.
type gathered struct {
	*collector
	problems []Problem // of files that cannot be read any more
}

// gather reads the messages of a day from all of its files, unless scan did.
func (r *run) gather(ctx context.Context, day string) (gathered, error) {
	if day == r.heardDay() && r.heardFiles == len(r.days[day].inputs) {
		return gathered{collector: r.heard}, r.heard.sort()
	}
	c, err := newCollector()
	if err != nil {
		return gathered{}, err
	}
	g := gathered{collector: c}
	inputs := r.days[day].inputs
	read := r.progress(day, len(inputs))
	for _, in := range inputs {
		err := r.readDay(ctx, day, in, g.add)
		read()
		switch {
		case ctx.Err() != nil:
			return g, ctx.Err()
		case errors.Is(err, fs.ErrNotExist):
			g.problems = append(g.problems, Problem{File: in.path, Message: "is gone; what the cleaned transcript has of it stays"})
		case err != nil:
			g.problems = append(g.problems, Problem{
				File: in.path, Message: "cannot be read: " + durable.Cause(err).Error() + "; what the cleaned transcript has of it stays",
			})
		}
	}
	err = g.sort()
	return g, err
}

// readDay calls each with the messages of a day in a file. It reads no more of the file
// than that needs.
func (r *run) readDay(ctx context.Context, day string, in input, each func(transcript.Message)) error {
	f, err := open(ctx, in.path)
	if err != nil {
		return err
	}
	defer f.Close() //nolint:errcheck // it was only read
	o := r.reading(in.path, r.files.states[in.path].ModTime)
	_, err = transcript.Read(io.LimitReader(f, in.Last), o, func(m transcript.Message) error {
		if r.dayOf(m.At) == day {
			each(m)
		}
		return ctx.Err()
	})
	return err
}

// progress returns a function to call after each file that is read.
func (r *run) progress(day string, of int) (read func()) {
	done := 0
	return func() {
		if done++; r.req.Progress != nil {
			r.req.Progress(day, done, of)
		}
	}
}

func sortProblems(all []Problem) []Problem {
	brain.SortProblems(all)
	return slices.Compact(all)
}
