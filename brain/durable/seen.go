package durable

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// ErrMoved says that a file is not any more what was seen of it: somebody saved
// it meanwhile. Nothing was written.
var ErrMoved = errors.New("somebody else saved the file meanwhile")

// tries is how often [WhileMoved] begins anew.
const tries = 5

// Seen is a file of a person as it was read. It is replaced only while it still
// is that, so that what somebody saves meanwhile is never lost. [Lock] keeps
// processes of this program out of each other's way; editors know no locks.
type Seen struct {
	Path string
	// Target is where links lead, or Path itself where there is nothing.
	Target string
	There  bool
	Mode   fs.FileMode // its permissions; 0 if it is not there
	Text   []byte
}

// See reads a file. One that is not there is no error.
func See(path string) (Seen, error) {
	s, err := locate(path)
	if err != nil || !s.There {
		return s, err
	}
	s.Text, err = os.ReadFile(s.Target)
	return s, err
}

// locate is See without the content.
func locate(path string) (Seen, error) {
	s := Seen{Path: path}
	var err error
	if s.Target, err = Target(path); err != nil {
		return s, err
	}
	info, err := os.Stat(s.Target)
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	if err != nil {
		return s, err
	}
	s.There, s.Mode = true, info.Mode().Perm()
	return s, nil
}

// Replace puts text in the place of what was seen, as [WriteFile] does, or
// returns [ErrMoved]. before, if there is one, is called when only the rename
// is left to do; its error leaves the file as it is. It may have been called
// although Replace returns an error.
func (s Seen) Replace(text []byte, o Options, before func() error) error {
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

// Remove removes what was seen, on the terms of Replace.
func (s Seen) Remove(before func() error) error {
	if err := s.check(before); err != nil {
		return err
	}
	if err := os.Remove(s.Target); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove %s: %w", s.Path, err)
	}
	return SyncDir(filepath.Dir(s.Target))
}

// check looks before and after what the caller does, which takes a moment.
func (s Seen) check(before func() error) error {
	if err := s.unmoved(); err != nil || before == nil {
		return err
	}
	if err := before(); err != nil {
		return err
	}
	return s.unmoved()
}

func (s Seen) unmoved() error {
	now, err := locate(s.Path)
	if err != nil {
		return errors.Join(ErrMoved, err)
	}
	if now.There != s.There || now.Target != s.Target || now.Mode != s.Mode {
		return ErrMoved
	}
	if !s.There {
		return nil
	}
	text, err := os.ReadFile(s.Target)
	if err != nil {
		return errors.Join(ErrMoved, err)
	}
	if !bytes.Equal(text, s.Text) {
		return ErrMoved
	}
	return nil
}

// WhileMoved calls try, which reads and replaces a file, until its error is not
// [ErrMoved] any more: five times at most.
func WhileMoved(try func() error) error {
	for n := 1; ; n++ {
		if err := try(); n == tries || !errors.Is(err, ErrMoved) {
			return err
		}
	}
}
