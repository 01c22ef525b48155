package spool

import (
	"bytes"
	"context"
	"errors"
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
}

// finishWait is how long an interrupted drain may take to write down how far it
// came.
const finishWait = 10 * time.Second

// Drain hands the captures of this brain and store to store, oldest first. Storing
// must be idempotent: after a crash a capture is handed over again.
//
// A capture that store refuses with [brain.ErrInvalid], [brain.ErrNotFound] or
// [brain.ErrConflict], and a line that cannot be read, goes to the rejected file,
// and the drain goes on. Any other error of store ends the drain, keeps this
// capture and the rest, and is returned, wrapped, with the counts so far. Captures
// added meanwhile are kept. If another drain is at work, Drain returns zero counts
// at once.
func (s *Spool) Drain(ctx context.Context, store func(context.Context, brain.Capture) error) (d Drained, err error) {
	defer func() { err = brain.Wrap(err, "drain the spool") }()
	info, err := os.Stat(s.captures())
	if errors.Is(err, fs.ErrNotExist) || err == nil && info.Size() == 0 {
		return Drained{}, nil
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
	err = s.lock().Do(ctx, func() (err error) {
		content, err = durable.ReadFile(s.captures())
		return err
	})
	if err != nil {
		return Drained{}, err
	}
	out, failed := s.handOver(ctx, split(content), store)
	done, err := s.finish(ctx, out)
	return done, errors.Join(failed, err)
}

// outcome counts the results of the lines that were handed over.
type outcome struct {
	stored, rejected [][]byte
	rejections       []byte // the lines for the rejected file
}

// handOver stores lines in order. An error ends it; the outcome is that so far.
func (s *Spool) handOver(ctx context.Context, lines [][]byte, store func(context.Context, brain.Capture) error) (out outcome, err error) {
	at := time.Now().UTC().Truncate(time.Millisecond)
	for _, raw := range lines {
		l, err := parse(raw)
		if err == nil {
			if !s.mine(l) {
				continue
			}
			if err := ctx.Err(); err != nil {
				return out, err
			}
			if err = store(ctx, l.Capture); err == nil {
				out.stored = append(out.stored, raw)
				continue
			}
			if !refusedForGood(err) {
				return out, err
			}
		}
		rejection, err := plaintext.JSON(newRejection(at, raw, err), "")
		if err != nil {
			return out, err
		}
		out.rejected = append(out.rejected, raw)
		out.rejections = append(out.rejections, rejection...)
	}
	return out, nil
}

// refusedForGood reports whether an error is about the capture, not the store.
func refusedForGood(err error) bool {
	if errors.Is(err, brain.ErrUnavailable) || errors.Is(err, brain.ErrRefused) {
		return false
	}
	return errors.Is(err, brain.ErrInvalid) || errors.Is(err, brain.ErrNotFound) || errors.Is(err, brain.ErrConflict)
}

// finish writes the rejected file, then removes what is done from the file of
// captures. It does so also after the context has ended.
func (s *Spool) finish(ctx context.Context, out outcome) (Drained, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), finishWait)
	defer cancel()
	d := Drained{Stored: len(out.stored)}
	release, err := s.lock().Acquire(ctx)
	if err != nil {
		return d, err
	}
	defer release()
	done := out.stored
	var failed error
	if len(out.rejected) > 0 {
		if failed = appendLines(s.rejected(), out.rejections); failed == nil {
			done = slices.Concat(done, out.rejected)
			d.Rejected, d.RejectedFile = len(out.rejected), s.rejected()
		}
	}
	d.Left, err = s.remove(done)
	return d, errors.Join(failed, err)
}

// remove removes lines from the file of captures and returns how many are left.
// It compares their text, so lines that others have added meanwhile stay.
func (s *Spool) remove(lines [][]byte) (left int, err error) {
	content, err := durable.ReadFile(s.captures())
	if err != nil {
		return 0, err
	}
	done := map[string]int{} // how often each is to go
	for _, raw := range lines {
		done[string(raw)]++
	}
	all := split(content)
	kept := slices.DeleteFunc(slices.Clone(all), func(raw []byte) bool {
		done[string(raw)]--
		return done[string(raw)] >= 0
	})
	if len(kept) == len(all) && len(all) > 0 {
		return len(kept), nil
	}
	if len(kept) > 0 {
		return len(kept), durable.WriteFile(s.captures(), append(bytes.Join(kept, []byte("\n")), '\n'), durable.Options{})
	}
	if err := os.Remove(s.captures()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return 0, err
	}
	return 0, durable.SyncDir(filepath.Dir(s.captures()))
}
