package durable

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// ErrChanged means that a file has changed since it was read. Nothing was written.
var ErrChanged = errors.New("somebody else saved the file meanwhile")

// Snapshot is the content of a file when it was read. It replaces the file only if that has
// not changed since, so that nothing that somebody saves meanwhile is lost. A [Lock] does
// not help here, because editors ignore it.
type Snapshot struct {
	Path string
	// Target is the file that links point to, or Path itself.
	Target string
	Exists bool
	Mode   fs.FileMode // its permissions, 0 if it does not exist
	Text   []byte
}

// ReadSnapshot reads a file, which need not exist.
func ReadSnapshot(path string) (Snapshot, error) {
	target, err := Target(path)
	s := Snapshot{Path: path, Target: target}
	if err != nil {
		return s, err
	}
	info, err := os.Stat(target)
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	if err != nil {
		return s, err
	}
	s.Exists, s.Mode = true, info.Mode().Perm()
	s.Text, err = os.ReadFile(target)
	return s, err
}

// Replace writes text over the file as [WriteFile] does, or returns [ErrChanged]. before
// may be nil. It is called just before the rename; if it fails, the file is not changed. It
// may have been called even if Replace returns an error.
func (s Snapshot) Replace(text []byte, o Options, before func() error) error {
	f, err := Prepare(s.Target, text, o)
	if err != nil {
		return fmt.Errorf("write %s: %w", s.Path, err)
	}
	defer f.Discard()
	if err := s.check(before); err != nil {
		return err
	}
	if err := f.Replace(); err != nil {
		return fmt.Errorf("replace %s: %w", s.Path, err)
	}
	return nil
}

// Remove removes the file, under the same conditions as Replace.
func (s Snapshot) Remove(before func() error) error {
	if err := s.check(before); err != nil {
		return err
	}
	if err := os.Remove(s.Target); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove %s: %w", s.Path, err)
	}
	return SyncDir(filepath.Dir(s.Target))
}

// check compares the file before and after calling before, because before may take a
// moment.
func (s Snapshot) check(before func() error) error {
	if err := s.unchanged(); err != nil || before == nil {
		return err
	}
	if err := before(); err != nil {
		return err
	}
	return s.unchanged()
}

// unchanged returns [ErrChanged] if the file has changed since it was read.
func (s Snapshot) unchanged() error {
	now, err := ReadSnapshot(s.Path)
	if err != nil {
		return errors.Join(ErrChanged, err)
	}
	if now.Exists != s.Exists || now.Target != s.Target || now.Mode != s.Mode || !bytes.Equal(now.Text, s.Text) {
		return ErrChanged
	}
	return nil
}

// changedTries is how often [RetryChanged] tries.
const changedTries = 5

// RetryChanged calls try, which reads and replaces a file, until its error is not
// [ErrChanged]. After five tries it returns busy.
func RetryChanged(busy error, try func() error) error {
	for range changedTries {
		if err := try(); !errors.Is(err, ErrChanged) {
			return err
		}
	}
	return busy
}
