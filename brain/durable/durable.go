// Package durable writes files atomically and durably: it writes and syncs a temporary
// file in the same folder, renames it over the target and syncs the folder. After a
// crash the file has either the old content or the new, never a mix, and a file without owner
// access may have that access; the next write in that folder removes the temporary file.
// [Snapshot] replaces a file that people also edit only if it has not changed since it was read.
// [Lock] serializes changes by several processes.
package durable

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Modes of files and folders that only their owner may read.
const (
	PrivateDir  fs.FileMode = 0o700
	PrivateFile fs.FileMode = 0o600
)

// ErrUnsynced says that a file was replaced, but its folder could not be synced: a
// power failure may bring the old content back.
var ErrUnsynced = errors.New("written, but not synced to disk: a power failure may undo it")

// Options control how a file is written. The zero value is right for the program's
// own files.
type Options struct {
	// Mode of the file; 0 is [PrivateFile].
	Mode fs.FileMode
	// KeepMode keeps the mode of a file that exists, for files that people edit.
	KeepMode bool
}

// WriteFile creates or replaces a file. Symbolic links are followed. The folder must
// exist.
func WriteFile(path string, data []byte, o Options) error {
	f, err := Create(path, o)
	if err != nil {
		return err
	}
	defer f.Discard()
	if _, err := f.Write(data); err != nil {
		return err
	}
	return f.Replace()
}

// File is new content of a file that is not in place yet. Replace puts it in place.
// Always call Discard when done.
type File struct {
	target string
	temp   *os.File
	mode   fs.FileMode
	done   bool
}

// Create opens a temporary file for the new content of path. Unlike os.Create, it
// creates nothing at path.
func Create(path string, o Options) (*File, error) {
	target, err := Target(path)
	if err != nil {
		return nil, err
	}
	f := &File{target: target, mode: o.Mode}
	if f.mode == 0 {
		f.mode = PrivateFile
	}
	if o.KeepMode {
		switch info, err := os.Lstat(target); {
		case err == nil && info.Mode().IsRegular():
			f.mode = info.Mode().Perm()
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			return nil, err
		}
	}
	if f.temp, err = newTemp(filepath.Dir(target)); err != nil {
		return nil, err
	}
	if err := f.temp.Chmod(f.mode | PrivateFile); err != nil {
		f.Discard()
		return nil, err
	}
	return f, nil
}

// Prepare writes and syncs new content for path, so that Replace only renames it and
// cannot fail for lack of space.
func Prepare(path string, data []byte, o Options) (*File, error) {
	f, err := Create(path, o)
	if err != nil {
		return nil, err
	}
	if _, err = f.Write(data); err == nil {
		err = f.temp.Sync()
	}
	if err != nil {
		f.Discard()
		return nil, err
	}
	return f, nil
}

// Write adds to the content.
func (f *File) Write(p []byte) (int, error) { return f.temp.Write(p) }

// Replace puts the content in place, durably. If the error is [ErrUnsynced], the file
// has been replaced.
func (f *File) Replace() error {
	if err := f.temp.Sync(); err != nil {
		return err
	}
	if err := os.Rename(f.temp.Name(), f.target); err != nil {
		return err
	}
	f.done = true
	// A mode without owner access is set after the rename: the next writer could not open, and so
	// not remove, a temporary file with it.
	var err error
	if f.mode&PrivateFile != PrivateFile {
		err = f.temp.Chmod(f.mode)
	}
	if err := errors.Join(err, f.temp.Close(), SyncDir(filepath.Dir(f.target))); err != nil {
		return fmt.Errorf("%w: %w", ErrUnsynced, err)
	}
	return nil
}

// Discard removes content that is not in place; after Replace it does nothing.
func (f *File) Discard() {
	if f.done {
		return
	}
	f.done = true
	_ = os.Remove(f.temp.Name())
	_ = f.temp.Close()
}

// Append adds a line to a private file with one write, so that the lines of two processes do
// not mix. If only a part can be written, it ends that part with a line break if it can. It
// does not wait until the line is on disk.
func Append(path string, line []byte) error {
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, PrivateFile)
	if err != nil {
		return err
	}
	n, err := f.Write(line)
	if err != nil && n > 0 {
		_, _ = f.Write([]byte("\n"))
	}
	return errors.Join(err, f.Close())
}

// ReadFile returns the content of a file, or nil if it does not exist.
func ReadFile(path string) ([]byte, error) {
	content, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return content, err
}
