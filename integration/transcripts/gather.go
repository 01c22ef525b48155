package transcripts

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/brainbridge/brainbridge/watcher/transcript"
)

// errRewritten: a file is not what it was when its days were counted.
var errRewritten = errors.New("it was rewritten meanwhile")

// gathered is what a day is made of.
type gathered struct {
	*collector
	gone    bool // a file that speaks of the day cannot be read any more
	changed bool // one was rewritten after it was looked at
}

// gather reads what a day is made of. A file that cannot be read is a problem
// of the report.
func (r *run) gather(ctx context.Context, day string, report *Day) (gathered, error) {
	r.told = Progress{Day: day, Of: len(r.days[day])}
	for _, in := range r.days[day] {
		r.told.Size += in.Last - r.states[in.path].from(in.First).Offset
	}
	c, err := newCollector(r.o.Temp)
	if err != nil {
		return gathered{}, err
	}
	g := gathered{collector: c}
	for _, in := range r.days[day] {
		err := r.readDay(ctx, c, day, in)
		var fatal errFatal
		switch {
		case err == nil:
		case ctx.Err() != nil:
			c.close()
			return gathered{}, ctx.Err()
		case errors.As(err, &fatal):
			c.close()
			return gathered{}, fatal
		case errors.Is(err, errRewritten):
			g.changed = true
		default:
			g.gone = true
			report.Problems = append(report.Problems, Problem{File: in.path, Message: lost(err)})
		}
		r.told.Files++
		r.tell()
	}
	return g, nil
}

func lost(err error) string {
	if errors.Is(err, fs.ErrNotExist) {
		return "is gone; what the cleaned transcript has of it stays"
	}
	return "cannot be read: " + reason(err) + "; what the cleaned transcript has of it stays"
}

// readDay reads what one file has of a day, and not more of the file than that
// needs.
func (r *run) readDay(ctx context.Context, c *collector, day string, in input) error {
	from, until, err := transcript.Bounds(day, r.o.Location)
	if err != nil {
		return errFatal{err}
	}
	f, err := os.Open(in.path)
	if err != nil {
		return err
	}
	defer f.Close() //nolint:errcheck // it was only read
	s := r.states[in.path]
	change, err := transcript.Check(f, s.Position)
	if err != nil {
		return err
	}
	if change == transcript.Rewritten {
		return errRewritten
	}
	at := s.from(in.First)
	if _, err := f.Seek(at.Offset, io.SeekStart); err != nil {
		return fmt.Errorf("seek in transcript: %w", err)
	}
	o := r.reading(in.path)
	o.State, o.FileTime = at, time.Unix(0, s.Position.ModTime)
	limited := io.LimitReader(f, in.Last-at.Offset)
	_, err = transcript.Read(counted{limited, r.meter}, o, func(m transcript.Message) error {
		if m.At.Before(from) || !m.At.Before(until) {
			return ctx.Err()
		}
		return c.add(m, in.path)
	})
	return err
}

// counted counts what is read.
type counted struct {
	io.Reader
	count func(int)
}

// Read counts.
func (c counted) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.count(n)
	return n, err
}
