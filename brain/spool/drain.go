package spool

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/durable"
	"github.com/brainbridge/brainbridge/brain/plaintext"
)

// Drained counts what became of the captures in the spool.
type Drained struct {
	Stored   int // acknowledged by the store
	Rejected int // refused for good, or unreadable
	Left     int // still waiting: for another brain or store, after a failure, or added meanwhile
	// RejectedFile holds the rejected ones; it is empty if there were none.
	RejectedFile string
	// Cut is that of [Spool.Cut] before the drain.
	Cut bool
}

// finishWait is how long an interrupted drain may take to write down how far it
// came.
const finishWait = 10 * time.Second

// Drain hands the captures of this brain and store to put, oldest first. Storing must be
// idempotent: after a crash a capture is handed over again.
//
// A capture that put refuses with [brain.ErrInvalid], [brain.ErrNotFound] or
// [brain.ErrConflict], and a line that cannot be read, goes to the rejected file,
// and the drain goes on. Any other error of put, and one that is also [brain.ErrUnavailable]
// or [brain.ErrRefused], ends the drain, keeps this capture and the rest, and is returned,
// wrapped, with the counts so far. Captures added meanwhile are kept. If another drain is at
// work, Drain returns zero counts at once.
func (s *Spool) Drain(ctx context.Context, put func(context.Context, brain.Capture) error) (d Drained, err error) {
	defer func() { err = brain.Wrap(err, "drain the spool") }()
	// Every command drains, and mostly finds nothing: then it needs no lock.
	info, err := os.Stat(s.captures())
	if errors.Is(err, fs.ErrNotExist) || err == nil && info.Size() == 0 {
		if s.noted() == 0 {
			return Drained{}, nil
		}
		err = nil
	}
	if err != nil {
		return Drained{}, err
	}
	release, err := durable.Lock{Path: s.path("drain.lock")}.Acquire(ctx)
	if errors.Is(err, durable.ErrBusy) {
		return Drained{}, nil
	}
	if err != nil {
		return Drained{}, err
	}
	defer release()
	var content []byte // it may grow while they are stored
	cut := false
	err = s.lock().Do(ctx, func() (err error) {
		if cut = s.Cut(); cut {
			s.note(0)
		}
		content, err = durable.ReadFile(s.captures())
		return err
	})
	if err != nil || len(content) == 0 {
		return Drained{Cut: cut}, err
	}
	out, failed := s.handOver(ctx, split(content), put)
	d, err = s.finish(ctx, content, out)
	d.Cut = cut
	return d, errors.Join(failed, err)
}

// outcome has the lines of the file by what became of them.
type outcome struct {
	stored     int
	rejected   [][]byte
	rejections []byte   // the lines for the rejected file
	left       [][]byte // for another brain or store, or not handed over after a failure
}

// handOver stores lines in order. It stops at the first error and returns what was done before.
func (s *Spool) handOver(ctx context.Context, lines [][]byte, put func(context.Context, brain.Capture) error) (out outcome, err error) {
	at := time.Now().UTC().Truncate(time.Millisecond)
	for i, raw := range lines {
		l, err := parse(raw)
		if err == nil {
			if !s.mine(l) {
				out.left = append(out.left, raw)
				continue
			}
			if err = ctx.Err(); err == nil {
				err = put(ctx, l.Capture)
			}
			if err == nil {
				out.stored++
				continue
			}
			if !isAboutCapture(err) {
				out.left = append(out.left, lines[i:]...)
				return out, err
			}
		}
		rejection, err := plaintext.JSON(newRejection(at, raw, err), "")
		if err != nil {
			out.left = append(out.left, lines[i:]...)
			return out, err
		}
		out.rejected = append(out.rejected, raw)
		out.rejections = append(out.rejections, rejection...)
	}
	return out, nil
}

// isAboutCapture reports whether an error is about the capture, not the store.
func isAboutCapture(err error) bool {
	if errors.Is(err, brain.ErrUnavailable) || errors.Is(err, brain.ErrRefused) {
		return false
	}
	return errors.Is(err, brain.ErrInvalid) || errors.Is(err, brain.ErrNotFound) || errors.Is(err, brain.ErrConflict)
}

// finish writes the rejected file, then removes the captures that are done from their file. read
// is what the file held at the beginning of the drain; since then others can only have added to
// it. finish also works after the context has ended.
func (s *Spool) finish(ctx context.Context, read []byte, out outcome) (d Drained, err error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), finishWait)
	defer cancel()
	d = Drained{Stored: out.stored, Left: len(split(read))}
	release, err := s.lock().Acquire(ctx)
	if err != nil {
		return d, err
	}
	defer release()
	content, err := durable.ReadFile(s.captures())
	if err != nil {
		return d, err
	}
	added, unchanged := bytes.CutPrefix(content, read)
	if !unchanged {
		return d, fmt.Errorf("%s was changed by another program, so the captures stay in it and are stored again", s.captures())
	}
	var failed error
	if len(out.rejected) > 0 {
		if failed = appendLines(s.rejected(), out.rejections); failed != nil {
			out.left, out.rejected = append(out.left, out.rejected...), nil
		}
	}
	left := slices.Concat(out.left, split(added))
	d.Left = len(left)
	if len(left) == len(split(content)) && len(left) > 0 {
		return d, failed
	}
	if err := s.replace(left); err != nil {
		d.Left = len(split(content))
		return d, errors.Join(failed, err)
	}
	if d.Rejected = len(out.rejected); d.Rejected > 0 {
		d.RejectedFile = s.rejected()
	}
	return d, failed
}

// replace replaces the lines in the file of captures. Without lines, the file is removed.
func (s *Spool) replace(lines [][]byte) error {
	text := append(bytes.Join(lines, []byte("\n")), '\n')
	if len(lines) == 0 {
		text = nil
	}
	s.note(int64(len(text))) // first, so that it is never more than the file has
	if len(lines) == 0 {
		if err := os.Remove(s.captures()); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return durable.SyncDir(filepath.Dir(s.captures()))
	}
	err := durable.WriteFile(s.captures(), text, durable.Options{})
	if errors.Is(err, durable.ErrUnsynced) { // after a power failure, the next drain stores them again
		return nil
	}
	return err
}
