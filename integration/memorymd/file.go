package memorymd

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/durable"
)

const lockWait = 30 * time.Second

// File is MEMORY.md on disk.
type File struct {
	Path string
	Lock string // the lock file of processes that write the file
}

// Read returns the text of the file, nil if it does not exist. A symbolic link is
// followed.
func (f File) Read() ([]byte, error) {
	s, err := f.read()
	return s.Text, err
}

// Writing is the caller's part of [File.Write]. Both functions may be called again,
// with the text as it is then.
type Writing struct {
	// Plan works out the new file. It also returns the state of the text.
	Plan func(text []byte) (Result, State, error)
	// Keep stores the result and the change that undoes it, just before the file
	// is replaced. An error leaves the file as it is.
	Keep func(Result, Change) error
}

// Write plans and replaces the file, under the lock. If somebody saves the file
// meanwhile it plans again, and after five times it returns [brain.ErrBusy].
// written is false if the plan changes nothing; then nothing is kept.
//
// The file is replaced whole and keeps its mode. If it cannot be written, and there
// is something to write, that is the first error. After another error Keep may have
// been called.
func (f File) Write(ctx context.Context, w Writing) (res Result, written bool, err error) {
	err = f.locked(ctx, func(seen durable.Snapshot) error {
		plan, st, err := w.Plan(seen.Text)
		if res = plan; err != nil || !res.Changed {
			return err
		}
		err = f.replace(ctx, seen, res.Text, func() error {
			return w.Keep(res, newChange(f.Path, seen.Text, seen.Exists, st, res))
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

// Undo undoes a change, see [Revert]. keep stores the state that the file has then,
// [Change.State], just before the file is replaced; it may be called again. If the
// file is as it was before the change, only keep is called. With
// [durable.ErrUnsynced] the change is undone all the same.
func (f File) Undo(ctx context.Context, c Change, keep func() error) error {
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

// locked runs fn with the present file under the lock, again if somebody saves the
// file meanwhile.
func (f File) locked(ctx context.Context, fn func(durable.Snapshot) error) error {
	lock := durable.Lock{Path: f.Lock, Wait: lockWait, Busy: brain.Busy("another process is writing %s", f.Path)}
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

// read returns the present file. A link to nothing, and a folder or a device, are
// refused.
func (f File) read() (durable.Snapshot, error) {
	switch info, err := os.Stat(f.Path); {
	case errors.Is(err, fs.ErrNotExist):
		if _, err := os.Lstat(f.Path); err == nil {
			return durable.Snapshot{}, brain.Errorf(brain.ErrInvalid, "make that file, or remove the link",
				"%s is a link to a file that does not exist", f.Path)
		}
	case err != nil:
		return durable.Snapshot{}, fmt.Errorf("find %s: %w", f.Path, err)
	case !info.Mode().IsRegular():
		return durable.Snapshot{}, brain.Errorf(brain.ErrInvalid, "move it out of the way, or set notes.memory_md", "%s is not a file", f.Path)
	}
	seen, err := durable.ReadSnapshot(f.Path)
	if err != nil {
		return seen, fmt.Errorf("read %s: %w", f.Path, err)
	}
	return seen, nil
}

// checkWritable refuses a read-only file: replacing it would succeed all the same.
func (f File) checkWritable(s durable.Snapshot) error {
	if !s.Exists || s.Mode&0o222 != 0 {
		return nil
	}
	return brain.Errorf(brain.ErrInvalid, "make it writable: chmod u+w "+f.Path, "%s is read-only; nothing was written", f.Path)
}

// replace writes text over the file unless it changed since it was read. keep is
// called when only that is left to do.
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
