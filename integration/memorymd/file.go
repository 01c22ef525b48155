package memorymd

import (
	"bytes"
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

const (
	lockWait = 30 * time.Second
	// tries is how often a file is planned again because somebody saved it
	// between the reading and the writing.
	tries = 3
)

// errMoved: somebody saved the file meanwhile.
var errMoved = errors.New("the file was saved meanwhile")

// File is MEMORY.md on disk.
type File struct {
	Path string
	// Lock is the file by which processes of brainbridge keep out of each
	// other's way; it lies with the state, and its folder is made.
	Lock string

	beforeRename func() // for tests: the moment in which another program may save
}

// snapshot is the file as it was read.
type snapshot struct {
	target string // where links lead
	there  bool
	mode   fs.FileMode
	text   []byte
}

// Read returns the text of the file, nil if there is none, and whether there is
// one. A symbolic link is followed.
func (f File) Read() (text []byte, there bool, err error) {
	s, err := f.read()
	return s.text, s.there, err
}

// Writing is what [File.Write] asks of the caller. Both functions may be called
// again, with the text as it stands then.
type Writing struct {
	// Plan works out the new file, and says in which state the text is.
	Plan func(text []byte) (Result, State, error)
	// Keep stores the result and what takes it back, just before the file is
	// replaced; nil: nothing is kept. An error leaves the file as it is.
	Keep func(Result, Change) error
}

// Write plans and replaces the file, under the lock. Where somebody saves the
// file meanwhile it plans again, and after three times it is [brain.ErrBusy].
// written is false where the plan changes nothing; then nothing is kept.
//
// The file is replaced whole by a temporary one beside it, made durable first;
// its mode stays. A file that cannot be written is an error before anything
// else happens, but only if there is something to write. After another error
// Keep may have been called.
func (f File) Write(ctx context.Context, w Writing) (res Result, written bool, err error) {
	unlock, err := f.lock(ctx)
	if err != nil {
		return Result{}, false, err
	}
	defer unlock()
	for range tries {
		s, err := f.read()
		if err != nil {
			return Result{}, false, err
		}
		res, st, err := w.Plan(s.text)
		if err != nil || !res.Changed {
			return res, false, err
		}
		err = f.replace(ctx, s, res.Text, func() error {
			if w.Keep == nil {
				return nil
			}
			return w.Keep(res, newChange(f.Path, s.text, s.there, st, res))
		})
		if errors.Is(err, errMoved) {
			continue
		}
		if errors.Is(err, durable.ErrUnsynced) {
			res.Warnings = append(res.Warnings, err.Error())
			err = nil
		}
		return res, err == nil, err
	}
	return Result{}, false, f.busy()
}

// Undo takes a change back, as [Revert] says. keep stores the state that the
// file is in then, [Change.State], just before it is replaced; it may be called
// again. A file that is as it was before the change needs nothing but that.
// With [durable.ErrUnsynced] it is done all the same.
func (f File) Undo(ctx context.Context, c Change, keep func() error) error {
	unlock, err := f.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	for range tries {
		s, err := f.read()
		if err != nil {
			return err
		}
		if s.there == !c.Made && sum(s.text) == c.Before || !s.there && c.Made {
			return keep() // an earlier try came that far
		}
		text, remove, err := Revert(s.text, c)
		if err != nil {
			return err
		}
		if remove {
			err = f.remove(s, keep)
		} else {
			err = f.replace(ctx, s, text, keep)
		}
		if errors.Is(err, errMoved) {
			continue
		}
		return err
	}
	return f.busy()
}

func (f File) busy() error {
	return brain.Errorf(brain.ErrBusy, "try again",
		"somebody else saved %s each time that it was to be written; nothing was written", f.Path)
}

func (f File) lock(ctx context.Context) (unlock func(), err error) {
	ctx, cancel := context.WithTimeout(ctx, lockWait)
	defer cancel()
	if err := durable.MakeDir(filepath.Dir(f.Lock), durable.PrivateDir); err != nil {
		return nil, fmt.Errorf("lock %s: %w", f.Path, err)
	}
	unlock, err = durable.Lock(ctx, f.Lock)
	if err != nil && ctx.Err() != nil {
		return nil, errors.Join(brain.Errorf(brain.ErrBusy, "try again", "another process is writing %s", f.Path), err)
	}
	return unlock, err
}

func (f File) read() (snapshot, error) {
	s := snapshot{target: f.Path, mode: 0o644} // the file is the person's own, as in `serve`
	target, err := filepath.EvalSymlinks(f.Path)
	if errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Lstat(f.Path); err == nil {
			return s, brain.Errorf(brain.ErrInvalid, "make that file, or remove the link",
				"%s is a link to a file that is not there", f.Path)
		}
		return s, nil
	}
	if err != nil {
		return s, fmt.Errorf("find %s: %w", f.Path, err)
	}
	s.target = target
	info, err := os.Stat(target)
	if err != nil {
		return s, fmt.Errorf("find %s: %w", f.Path, err)
	}
	if !info.Mode().IsRegular() {
		return s, brain.Errorf(brain.ErrInvalid, "move it out of the way, or set notes.memory_md", "%s is no file", f.Path)
	}
	s.there, s.mode = true, info.Mode().Perm()
	if s.text, err = os.ReadFile(target); err != nil {
		return s, fmt.Errorf("read %s: %w", f.Path, err)
	}
	return s, nil
}

// writable refuses a file that its owner protected, also where the rights of
// this process or the way of replacing would let it through.
func (f File) writable(s snapshot) error {
	if !s.there {
		return nil
	}
	refused := brain.Errorf(brain.ErrInvalid, "make it writable: chmod u+w "+f.Path, "%s is read-only; nothing was written", f.Path)
	if s.mode&0o222 == 0 {
		return refused
	}
	file, err := os.OpenFile(s.target, os.O_WRONLY, 0)
	switch {
	case errors.Is(err, fs.ErrPermission):
		return refused
	case err != nil:
		return fmt.Errorf("write %s: %w", f.Path, err)
	}
	return file.Close()
}

// replace puts text in the place of the file, unless it is not what was read
// any more. keep is called when nothing else is in the way.
func (f File) replace(ctx context.Context, s snapshot, text []byte, keep func() error) error {
	if err := f.writable(s); err != nil {
		return err
	}
	dir := filepath.Dir(s.target)
	if err := durable.MakeDir(dir, 0o755); err != nil {
		return fmt.Errorf("make the folder of %s: %w", f.Path, err)
	}
	tmp, err := durable.Prepare(s.target, text, durable.Options{Mode: s.mode, KeepMode: true})
	if err != nil {
		return fmt.Errorf("write %s: %w", f.Path, err)
	}
	defer tmp.Discard()
	if f.beforeRename != nil {
		f.beforeRename()
	}
	if err := errors.Join(ctx.Err(), f.unmoved(s)); err != nil {
		return err
	}
	if err := keep(); err != nil {
		return err
	}
	if err := f.unmoved(s); err != nil { // keeping takes a moment
		return err
	}
	if err := tmp.Replace(); err != nil {
		return fmt.Errorf("replace %s: %w", f.Path, err)
	}
	return nil
}

func (f File) remove(s snapshot, keep func() error) error {
	if err := f.writable(s); err != nil {
		return err
	}
	if err := f.unmoved(s); err != nil {
		return err
	}
	if err := keep(); err != nil {
		return err
	}
	if err := os.Remove(s.target); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove %s: %w", f.Path, err)
	}
	return durable.SyncDir(filepath.Dir(s.target))
}

// unmoved tells whether the file still is what was read.
func (f File) unmoved(s snapshot) error {
	now, err := f.read()
	if err != nil {
		return errors.Join(errMoved, err)
	}
	if now.there != s.there || now.target != s.target || now.mode != s.mode || !bytes.Equal(now.text, s.text) {
		return errMoved
	}
	return nil
}
