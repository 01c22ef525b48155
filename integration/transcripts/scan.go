package transcripts

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
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
	read   map[string]bool       // paths of the files that had changed
	found  int
	// problems are the problems of files that could not be read.
	problems []Problem
}

// scan reads the files that have changed, and stores which days they have messages of.
func (r *run) scan(ctx context.Context) (err error) {
	s := &r.files
	s.read = map[string]bool{}
	if s.states, err = loadStates[*fileState](ctx, r.Extractor, brain.TranscriptFileRecord); err != nil {
		return err
	}
	changed := slices.DeleteFunc(r.find(ctx, s), func(f file) bool {
		known := s.states[f.path]
		return known != nil && known.View == r.view() && known.version == f.version
	})
	for first := 0; first < len(changed); first += stateBatch {
		var states []stateRecord
		for n, file := range changed[first:min(first+stateBatch, len(changed))] {
			state, err := r.readFile(ctx, file, cmp.Or(s.states[file.path], &fileState{}))
			r.req.Progress("", first+n+1, len(changed))
			switch {
			case ctx.Err() != nil:
				return ctx.Err()
			case err != nil:
				s.unreadable(file.path, err)
			default:
				s.read[file.path], s.states[file.path] = true, state
				states = append(states, stateRecord{brain.TranscriptFileRecord, file.path, state})
			}
		}
		if err := r.put(ctx, states...); err != nil {
			return err
		}
	}
	return nil
}

func (s *scanned) unreadable(path string, err error) {
	if !errors.Is(err, fs.ErrNotExist) { // it went meanwhile
		s.problems = append(s.problems, Problem{File: path, Message: "cannot be read: " + durable.Cause(err).Error()})
	}
}

// readFile returns the new state of a file. What is written meanwhile is read the next time.
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
	now.Problems = problemsOf(file.path, res)
	now.Lost = before.Lost
	for _, day := range slices.Sorted(maps.Keys(before.Days)) {
		if before.View == now.View && !stillThere[day] && !slices.Contains(now.Lost, day) {
			now.Lost = append(now.Lost, day)
		}
	}
	return now, err
}

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

// gather reads the messages of a day from all of its files that scan did not read for it. The
// caller closes the collector, unless there is an error.
func (r *run) gather(ctx context.Context, day string) (c *collector, err error) {
	inputs := slices.Clone(r.days[day].inputs)
	if c = r.heard; day == r.heardDay() {
		inputs = slices.DeleteFunc(inputs, func(in input) bool { return r.files.read[in.path] })
	} else if c, err = newCollector(r.o.Location); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			c.close()
		}
	}()
	for n, in := range inputs {
		err := r.readDay(ctx, day, in, c.add)
		r.req.Progress(day, n+1, len(inputs))
		switch {
		case ctx.Err() != nil:
			return c, ctx.Err()
		case errors.Is(err, fs.ErrNotExist):
			c.problems = append(c.problems, Problem{File: in.path, Message: "is gone; what the cleaned transcript has of it stays"})
		case err != nil:
			c.problems = append(c.problems, Problem{
				File: in.path, Message: "cannot be read: " + durable.Cause(err).Error() + "; what the cleaned transcript has of it stays",
			})
		}
	}
	err = c.sort()
	return c, err
}

// readDay calls each with the messages of a day in a file, and reads no further than that needs.
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

func sortProblems(all []Problem) []Problem {
	brain.SortProblems(all)
	return slices.Compact(all)
}
