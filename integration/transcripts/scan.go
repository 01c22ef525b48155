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

// scan reads the files that have changed, and stores which days they have messages of.
func (r *run) scan(ctx context.Context) (err error) {
	if r.states, err = loadStates[*fileState](ctx, r.Extractor, brain.TranscriptFileRecord); err != nil {
		return err
	}
	changed := slices.DeleteFunc(r.find(ctx), func(f file) bool {
		known := r.states[f.path]
		return known != nil && known.Settings == r.settings() && known.version == f.version
	})
	done := 0
	for batch := range slices.Chunk(changed, stateBatch) {
		states := map[string]*fileState{}
		for _, file := range batch {
			state, err := r.readFile(ctx, file, cmp.Or(r.states[file.path], &fileState{}))
			done++
			r.req.Progress("", done, len(changed))
			switch {
			case ctx.Err() != nil:
				return ctx.Err()
			case err != nil:
				r.unreadable(file.path, err)
			default:
				r.read[file.path], r.states[file.path] = true, state
				states[file.path] = state
			}
		}
		if err := putStates(ctx, r.Extractor, brain.TranscriptFileRecord, states); err != nil {
			return err
		}
	}
	return nil
}

func (r *run) unreadable(path string, err error) {
	if !errors.Is(err, fs.ErrNotExist) { // it went meanwhile
		r.problems = append(r.problems, Problem{File: path, Message: "cannot be read: " + durable.Cause(err).Error()})
	}
}

// readFile returns the new state of a file. What is written meanwhile is read the next time.
func (r *run) readFile(ctx context.Context, file file, before *fileState) (*fileState, error) {
	in, err := open(ctx, file.path)
	if err != nil {
		return nil, err
	}
	defer in.Close() //nolint:errcheck // it was only read
	now := &fileState{Settings: r.settings(), version: file.version, Days: map[string]fileDay{}}
	stillThere := map[string]bool{} // days whose earlier messages the file begins with
	res, err := transcript.Read(in, r.readOptions(file.path, file.ModTime), func(m transcript.Message) error {
		day := r.dayOf(m.At)
		if day == r.collectedDay() {
			r.collected.add(m)
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
		if before.Settings == now.Settings && !stillThere[day] && !slices.Contains(now.Lost, day) {
			now.Lost = append(now.Lost, day)
		}
	}
	return now, err
}

func problemsOf(path string, res transcript.Result) (all []Problem) {
	for _, p := range res.Problems {
		all = append(all, Problem{File: path, Line: p.Line, Message: p.Message})
	}
	if res.UnfinishedLine > 0 {
		all = append(all, Problem{File: path, Line: res.UnfinishedLine, Message: "is incomplete; it will be read when its end is written"})
	}
	if res.MoreProblems > 0 {
		all = append(all, Problem{File: path, Message: fmt.Sprintf("and %d more problems", res.MoreProblems)})
	}
	return sortProblems(all)
}

// gather adds the messages of a day from all of its files that scan did not read for it.
func (r *run) gather(ctx context.Context, day string, c *collector) error {
	inputs := slices.Clone(r.days[day].inputs)
	if c == r.collected {
		inputs = slices.DeleteFunc(inputs, func(in input) bool { return r.read[in.path] })
	}
	for n, in := range inputs {
		err := r.readDay(ctx, day, in, c.add)
		r.req.Progress(day, n+1, len(inputs))
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, fs.ErrNotExist):
			c.problems = append(c.problems, Problem{File: in.path, Message: "is gone; what the cleaned transcript has of it stays"})
		case err != nil:
			c.problems = append(c.problems, Problem{
				File: in.path, Message: "cannot be read: " + durable.Cause(err).Error() + "; what the cleaned transcript has of it stays",
			})
		}
	}
	return c.sort()
}

// readDay calls each with the messages of a day in a file, and reads no further than that needs.
func (r *run) readDay(ctx context.Context, day string, in input, each func(transcript.Message)) error {
	f, err := open(ctx, in.path)
	if err != nil {
		return err
	}
	defer f.Close() //nolint:errcheck // it was only read
	o := r.readOptions(in.path, r.states[in.path].ModTime)
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
