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

// scan reads the files that have changed, and stores which days they have messages of.
func (r *run) scan(ctx context.Context) (err error) {
	if r.files, err = loadAllStates[fileState](ctx, r.Extractor, brain.TranscriptFileRecord); err != nil {
		return err
	}
	found := r.find(ctx)
	changed := slices.DeleteFunc(slices.Clone(found), func(f file) bool {
		known := r.files[f.path]
		return known.Settings == r.settings() && known.version == f.version
	})
	states := map[string]fileState{}
	for n, f := range changed {
		state := fileState{Settings: r.settings(), version: f.version, Days: map[string]fileDay{}}
		res, err := r.read(ctx, f.path, f.ModTime, math.MaxInt64, func(m transcript.Message) {
			day := r.dayOf(m.At)
			state.Days[day] = state.Days[day].with(m)
		})
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			r.unreadable(f.path, err)
		} else {
			state.Problems, state.Unknown = problemsOf(f.path, res), res.Unknown
			r.files[f.path], states[f.path], r.changed = state, state, append(r.changed, f.path)
		}
		r.req.Progress("", n+1, len(changed))
	}
	r.forgetMoved(found)
	if len(states) == 0 {
		return nil
	}
	return putStates(ctx, r.Extractor, brain.TranscriptFileRecord, states)
}

func (r *run) unreadable(path string, err error) {
	if err != nil && !errors.Is(err, fs.ErrNotExist) { // it went meanwhile
		r.problems = append(r.problems, Problem{File: path, Message: "cannot be read: " + durable.Cause(err).Error()})
	}
}

// read calls each with the messages of a file, up to an offset.
func (r *run) read(ctx context.Context, path string, modTime, to int64, each func(transcript.Message)) (transcript.Result, error) {
	f, err := open(ctx, path)
	if err != nil {
		return transcript.Result{}, err
	}
	defer f.Close() //nolint:errcheck // it was only read
	return transcript.Read(io.LimitReader(f, to), r.readOptions(path, modTime), func(m transcript.Message) error {
		each(m)
		return ctx.Err()
	})
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
	return all
}

// forgetMoved forgets the files that agents have renamed or copied from a database, as they do to
// archive a session. An inode alone says nothing: that of a removed file is used again.
func (r *run) forgetMoved(found []file) {
	at, versions := map[string]bool{}, map[version]bool{}
	for _, f := range found {
		at[f.path], versions[f.version] = true, f.Inode != 0 // which a session of a database lacks
	}
	maps.DeleteFunc(r.files, func(path string, gone fileState) bool {
		return !at[path] && (versions[gone.version] || len(gone.Days) > 0 && slices.ContainsFunc(found, func(f file) bool {
			return maps.Equal(r.files[f.path].Days, gone.Days)
		}))
	})
}

// gather collects the messages of a day from all of its files.
func (r *run) gather(ctx context.Context, c *collector, report *Day) error {
	inputs := r.days[report.Date]
	for n, in := range inputs {
		_, err := r.read(ctx, in.path, r.files[in.path].ModTime, in.Last, func(m transcript.Message) {
			if r.dayOf(m.At) == report.Date {
				c.add(m)
			}
		})
		r.req.Progress(report.Date, n+1, len(inputs))
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			what := "cannot be read: " + durable.Cause(err).Error()
			if errors.Is(err, fs.ErrNotExist) {
				what = "is gone"
			}
			report.Problems = append(report.Problems, Problem{File: in.path, Message: what + "; what the cleaned transcript has of it stays"})
		}
	}
	return c.sort()
}
