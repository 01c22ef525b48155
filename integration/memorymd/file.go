package memorymd

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/durable"
)

// File is MEMORY.md on disk.
type File struct {
	Path string
	Lock string // the lock file of processes that write the file
}

// write replaces the file by what plan works out from its text, under the lock. plan also
// returns the state of the text. keep stores the result and the change that undoes it, just
// before the file is replaced; its error leaves the file as it is. If somebody saves the
// file meanwhile, both are called again, up to five times, and then the error is
// [brain.ErrBusy]. written is false if the plan changes nothing; then nothing is kept.
//
// The file is replaced whole and keeps its mode. If it cannot be written, and there
// is something to write, that is the first error. After another error keep may have
// been called.
func (f File) write(ctx context.Context, plan func(text []byte) (Result, State, error), keep func(Result, Change) error) (res Result, written bool, err error) {
	err = f.locked(ctx, func(seen durable.Snapshot) error {
		planned, st, err := plan(seen.Text)
		if res = planned; err != nil || !res.Changed {
			return err
		}
		err = f.replace(ctx, seen, res.Text, func() error {
			return keep(res, newChange(f.Path, seen.Text, seen.Exists, st, res))
		})
		if errors.Is(err, durable.ErrUnsynced) {
			res.Warnings = append(res.Warnings, err.Error())
			err = nil
		}
		written = err == nil
		return err
	})
	return res, written, err
}

// undo undoes a change, see [Revert]. keep stores the state that the file has then, just
// before the file is replaced; it may be called again. If the file is already as it was
// before the change, only keep is called. If the error is [durable.ErrUnsynced], the change
// is undone.
func (f File) undo(ctx context.Context, c Change, keep func() error) error {
	return f.locked(ctx, func(seen durable.Snapshot) error {
		if seen.Exists == !c.Made && sum(seen.Text) == c.Before || !seen.Exists && c.Made {
			return keep() // an earlier try got this far
		}
		text, remove, err := Revert(seen.Text, c)
		if err != nil {
			return err
		}
		if !remove {
			return f.replace(ctx, seen, text, keep)
		}
		if err := f.checkWritable(seen); err != nil {
			return err
		}
		return seen.Remove(keep)
	})
}

// locked runs fn with the present file under the lock, again if it is saved meanwhile.
func (f File) locked(ctx context.Context, fn func(durable.Snapshot) error) error {
	lock := durable.Lock{Path: f.Lock, Wait: 30 * time.Second, Busy: brain.Busy("another process is writing %s", f.Path)}
	busy := brain.Busy("another program saved %s each time that it was to be written; nothing was written", f.Path)
	return lock.Do(ctx, func() error {
		return durable.RetryChanged(busy, func() error {
			seen, err := f.read()
			if err != nil {
				return err
			}
			return fn(seen)
		})
	})
}

// read returns the present file; links are followed. A folder or a device is refused.
func (f File) read() (durable.Snapshot, error) {
	if info, err := os.Stat(f.Path); err == nil && !info.Mode().IsRegular() {
		return durable.Snapshot{}, brain.Errorf(brain.ErrInvalid, "move it out of the way, or set notes.memory_md", "%s is not a file", f.Path)
	}
	seen, err := durable.ReadSnapshot(f.Path)
	return seen, brain.Wrap(err, "read %s", f.Path)
}

// checkWritable returns an error for a read-only file, because replacing it would succeed.
func (f File) checkWritable(s durable.Snapshot) error {
	if !s.Exists || s.Mode&0o222 != 0 {
		return nil
	}
	return brain.Errorf(brain.ErrInvalid, "make it writable: chmod u+w "+f.Path, "%s is read-only; nothing was written", f.Path)
}

// replace writes text over the file unless it changed. keep is called just before.
func (f File) replace(ctx context.Context, s durable.Snapshot, text []byte, keep func() error) error {
	if err := f.checkWritable(s); err != nil {
		return err
	}
	if err := durable.MakeDir(filepath.Dir(s.Target), 0o755); err != nil {
		return fmt.Errorf("make the folder of %s: %w", f.Path, err)
	}
	mode := s.Mode
	if !s.Exists {
		mode = 0o644 // the file is the person's own, as in `serve`
	}
	return s.Replace(text, durable.Options{Mode: mode, KeepMode: true}, func() error {
		if err := ctx.Err(); err != nil {
			return err
		}
		return keep()
	})
}

// Change is one writing of the file: a single replacement, which covers the block and what
// was inserted next to it.
type Change struct {
	Path   string `json:"path"`
	Made   bool   `json:"made,omitempty"` // there was no file before
	Before string `json:"before"`         // SHA-256 of the file before, "" for none
	// State is restored by an undo: the state before, in the journal without the
	// entries that the person had deleted by then, so that they come back.
	State State  `json:"state"`
	Hash  string `json:"hash"` // SHA-256 of the block as written, "" if nothing was written
	// New replaced Old, At bytes after the start of the written block; a separator before a
	// new block makes At negative.
	At  int    `json:"at"`
	Old string `json:"old,omitempty"`
	New string `json:"new,omitempty"`
}

func newChange(path string, before []byte, exists bool, st State, res Result) Change {
	a, b := string(before), string(res.Text)
	head, tail := 0, 0
	for head < min(len(a), len(b)) && a[head] == b[head] {
		head++
	}
	for head > 0 && head < len(a) && !utf8.RuneStart(a[head]) {
		head--
	}
	for tail < min(len(a), len(b))-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	for tail > 0 && !utf8.RuneStart(a[len(a)-tail]) {
		tail--
	}
	block, _ := find(path, b) // the plan has found it
	c := Change{
		Path: path, Made: !exists, State: st, Hash: sum(res.Text[block.Start:block.End]),
		At: head - block.Start, Old: a[head : len(a)-tail], New: b[head : len(b)-tail],
	}
	if exists {
		c.Before = sum(before)
	}
	return c
}

// Revert undoes a change. The person's own text may have changed since, but not the block or
// what moved below it: [brain.ErrConflict]. remove says that nothing is left of a file that
// did not exist before.
func Revert(text []byte, c Change) (before []byte, remove bool, err error) {
	s := string(text)
	b, err := find(c.Path, s)
	at := b.Start + c.At
	if err != nil || !b.Found || sum(text[b.Start:b.End]) != c.Hash || at < 0 || at > len(s) || !strings.HasPrefix(s[at:], c.New) {
		return nil, false, brain.Errorf(brain.ErrConflict, "undo the change by hand, or curate again",
			"the managed block of %s changed since it was written, so this cannot be undone; nothing was written", c.Path)
	}
	out := s[:at] + c.Old + s[at+len(c.New):]
	return []byte(out), c.Made && out == "", nil
}
