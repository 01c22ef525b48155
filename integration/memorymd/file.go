package memorymd

import (
	"context"
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

// undo undoes a change, see [Revert]. Just before the file is replaced, keep stores the
// state after the undo; it may be called several times. If the change is undone already,
// undo only calls keep. If the error is [durable.ErrUnsynced], the change is undone.
func (f File) undo(ctx context.Context, c Change, keep func() error) error {
	return f.locked(ctx, func(seen durable.Snapshot) error {
		if c.Created && !seen.Exists || !c.Created && seen.Exists && sum(seen.Text) == c.Before {
			return keep() // an earlier call undid the change
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

// locked runs fn with the current file under the lock, and again if the file changes meanwhile.
func (f File) locked(ctx context.Context, fn func(durable.Snapshot) error) error {
	lock := durable.Lock{Path: f.Lock, Wait: 30 * time.Second, Busy: brain.Busy("another process is writing %s", f.Path)}
	busy := brain.Busy("%s kept changing while it was being written; nothing was written", f.Path)
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

// read returns the current file and follows symlinks. It refuses a folder or a device.
func (f File) read() (durable.Snapshot, error) {
	if info, err := os.Stat(f.Path); err == nil && !info.Mode().IsRegular() {
		return durable.Snapshot{}, brain.Errorf(brain.ErrInvalid, "move it out of the way, or set notes.memory_md", "%s is not a regular file", f.Path)
	}
	seen, err := durable.ReadSnapshot(f.Path)
	return seen, brain.Wrap(err, "read %s", f.Path)
}

// checkWritable returns an error for a read-only file, because a rename over it succeeds.
func (f File) checkWritable(s durable.Snapshot) error {
	if !s.Exists || s.Mode&0o222 != 0 {
		return nil
	}
	return brain.Errorf(brain.ErrInvalid, "make it writable: chmod u+w "+f.Path, "%s is read-only; nothing was written", f.Path)
}

// replace replaces the file with text, unless it changed. It calls keep just before.
func (f File) replace(ctx context.Context, s durable.Snapshot, text []byte, keep func() error) error {
	if err := f.checkWritable(s); err != nil {
		return err
	}
	if err := durable.MakeDir(filepath.Dir(s.Target), 0o755); err != nil {
		return fmt.Errorf("make the folder of %s: %w", f.Path, err)
	}
	mode := s.Mode
	if !s.Exists {
		mode = 0o644 // the file belongs to the person
	}
	return s.Replace(text, durable.Options{Mode: mode, KeepMode: true}, func() error {
		if err := ctx.Err(); err != nil {
			return err
		}
		return keep()
	})
}

// Change is one replacement in the file. It covers the block and the text inserted next to it.
type Change struct {
	Path    string `json:"path"`
	Created bool   `json:"made,omitempty"` // there was no file before
	Before  string `json:"before"`         // SHA-256 of the file before, "" for none
	// State is what an undo restores: the state before. In the journal it lacks the
	// entries that the person had deleted by then, so that an undo brings them back.
	State State  `json:"state"`
	Hash  string `json:"hash"` // SHA-256 of the block as written, "" if nothing was written
	// New replaced Old, At bytes after the start of the written block. At is negative if
	// a separator was inserted before the block.
	At  int    `json:"at"`
	Old string `json:"old,omitempty"`
	New string `json:"new,omitempty"`
}

// newChange returns the change of the file by a result, with the state before it.
func newChange(path string, before []byte, exists bool, st State, res Result) Change {
	if !res.Changed {
		return Change{Path: path, State: st}
	}
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
	block, _ := find(path, b) // it exists, because the plan wrote it
	c := Change{
		Path: path, Created: !exists, State: st, Hash: sum(res.Text[block.Start:block.End]),
		At: head - block.Start, Old: a[head : len(a)-tail], New: b[head : len(b)-tail],
	}
	if exists {
		c.Before = sum(before)
	}
	return c
}

// Revert undoes a change. If the block, or text that it moved, has changed since, the error
// is [brain.ErrConflict]; other text may have changed. remove is true if the change created
// the file and the file would now be empty.
func Revert(text []byte, c Change) (before []byte, remove bool, err error) {
	s := string(text)
	b, err := find(c.Path, s)
	at := b.Start + c.At
	if err != nil || !b.Found || sum(text[b.Start:b.End]) != c.Hash || at < 0 || at > len(s) || !strings.HasPrefix(s[at:], c.New) {
		return nil, false, brain.Errorf(brain.ErrConflict, "undo the change by hand, or curate again",
			"the managed block of %s changed since it was written, so this cannot be undone; nothing was written", c.Path)
	}
	out := s[:at] + c.Old + s[at+len(c.New):]
	return []byte(out), c.Created && out == "", nil
}
