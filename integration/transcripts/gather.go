package transcripts

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/brainbridge/brainbridge/brain/durable"
	"github.com/brainbridge/brainbridge/watcher/transcript"
)

// gathered are the messages of a day, in order.
type gathered struct {
	*collector
	problems []Problem // of files that cannot be read any more
	changed  bool      // a file was rewritten after it was scanned
}

// gather returns the messages of a day: those that were gathered early, or else
// it reads them.
func (r *run) gather(ctx context.Context, day string, early *collector) (gathered, error) {
	g := gathered{collector: early}
	if early == nil {
		c, err := newCollector(r.o.Temp)
		if err != nil {
			return g, err
		}
		g.collector = c
		if err := r.readDay(ctx, day, &g); err != nil {
			return g, err
		}
	}
	err := g.settle()
	return g, err
}

// readDay reads the messages of a day from all of its files.
func (r *run) readDay(ctx context.Context, day string, g *gathered) error {
	from, until, err := transcript.Bounds(day, r.o.Location)
	if err != nil {
		return err
	}
	inputs := r.days[day].inputs
	r.progress = Progress{Day: day, Of: len(inputs)}
	for _, in := range inputs {
		r.progress.Size += in.Last - r.files.states[in.path].resumePoint(in.First).Offset
	}
	for _, in := range inputs {
		err := r.readPart(in, func(m transcript.Message) error {
			if !m.At.Before(from) && m.At.Before(until) {
				g.add(m, in.path)
			}
			return ctx.Err()
		})
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, errRewritten):
			g.changed = true
		case errors.Is(err, fs.ErrNotExist):
			g.problems = append(g.problems, Problem{File: in.path, Message: "is gone; what the cleaned transcript has of it stays"})
		case err != nil:
			g.problems = append(g.problems, Problem{
				File: in.path, Message: "cannot be read: " + durable.Cause(err).Error() + "; what the cleaned transcript has of it stays",
			})
		}
		r.readOne()
	}
	return nil
}

// readPart reads the part of a file that speaks of a day, and not more of the
// file than that needs.
func (r *run) readPart(in input, each func(transcript.Message) error) error {
	f, err := os.Open(in.path)
	if err != nil {
		return err
	}
	defer f.Close() //nolint:errcheck // it was only read
	s := r.files.states[in.path]
	change, err := transcript.Check(f, s.Position)
	if err != nil {
		return err
	}
	if change == transcript.Rewritten {
		return errRewritten
	}
	o := r.reading(in.path)
	o.State, o.FileTime = s.resumePoint(in.First), time.Unix(0, s.Position.ModTime)
	if _, err := f.Seek(o.State.Offset, io.SeekStart); err != nil {
		return fmt.Errorf("seek in transcript: %w", err)
	}
	_, err = transcript.Read(io.LimitReader(meter{f, r.count}, in.Last-o.State.Offset), o, each)
	return err
}
