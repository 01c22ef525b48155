package durable

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// The names of temporary files are fixed and short, so that the target may have a name of
// any length, and so that the next writer finds what a killed process has left without
// listing a folder of thousands of notes.
const (
	tempPrefix = ".brainbridge-"
	tempSuffix = ".tmp"
	tempNames  = 16 // how many files of one folder can be written at once
	tempWait   = 10 * time.Second
)

// IsTemp reports whether a file of this name is a temporary file of this package.
func IsTemp(name string) bool {
	return strings.HasPrefix(name, tempPrefix) && strings.HasSuffix(name, tempSuffix)
}

// newTemp creates a temporary file in a folder, and removes those that killed processes have
// left there. If all names are taken it waits; the error says which files cannot be removed.
//
// A writer holds the lock of its file until it has renamed or removed it, and nobody renames
// or removes such a file without its lock. A lock ends with its process. So a file whose lock
// is free has no writer.
func newTemp(dir string) (*os.File, error) {
	for deadline := time.Now().Add(tempWait); ; <-time.After(lockRetry) {
		var own *os.File
		var stuck error
		for n := range tempNames {
			path := filepath.Join(dir, fmt.Sprint(tempPrefix, n+1, tempSuffix))
			if err := removeLeftover(path); err != nil {
				stuck = errors.Join(stuck, err)
			}
			if own != nil {
				continue
			}
			var err error
			if own, err = createLocked(path); err != nil {
				return nil, err
			}
		}
		switch {
		case own != nil:
			return own, nil
		case stuck != nil && time.Now().After(deadline):
			return nil, fmt.Errorf("%w: no temporary file can be made in %s: %w", ErrBusy, dir, stuck)
		case time.Now().After(deadline):
			return nil, fmt.Errorf("%w: %d files are being written in %s", ErrBusy, tempNames, dir)
		}
	}
}

// createLocked creates a file and takes its lock. It returns nil if the file exists, and if another
// writer took it for a leftover before it was locked.
func createLocked(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, PrivateFile)
	if errors.Is(err, fs.ErrExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	held, err := tryLock(f)
	if held {
		return f, nil
	}
	if err != nil { // without locks, nobody else removes it
		_ = os.Remove(path)
		err = &fs.PathError{Op: "lock", Path: path, Err: err}
	}
	return nil, errors.Join(err, f.Close())
}

// removeLeftover removes a temporary file that has no writer. It returns an error if that cannot
// be told.
func removeLeftover(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close() //nolint:errcheck // nothing was written to it
	held, err := tryLock(f)
	if held {
		err = os.Remove(path)
	}
	return err
}

// tryLock takes the lock of an open file, unless another holder has it or the file has been
// renamed or removed.
func tryLock(f *os.File) (bool, error) {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) //nolint:gosec // a descriptor is small
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	opened, err := f.Stat()
	if err != nil {
		return false, err
	}
	now, err := os.Lstat(f.Name())
	return err == nil && os.SameFile(opened, now), nil
}
