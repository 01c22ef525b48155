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
// any length, and so that the next writer finds what a killed process has left.
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
// left there.
//
// A writer holds the lock of its file until it has renamed or removed it, and nobody renames
// or removes such a file without its lock. So a file whose lock is free has no writer.
func newTemp(dir string) (*os.File, error) {
	for deadline := time.Now().Add(tempWait); ; <-time.After(lockRetry) {
		var own *os.File
		for n := range tempNames {
			path := filepath.Join(dir, fmt.Sprint(tempPrefix, n+1, tempSuffix))
			removeLeftover(path)
			if own != nil {
				continue
			}
			var err error
			if own, err = createLocked(path); err != nil {
				return nil, err
			}
		}
		if own != nil {
			return own, nil
		}
		if time.Now().After(deadline) {
			return nil, fmt.Errorf("%w: %d files are being written in %s", ErrBusy, tempNames, dir)
		}
	}
}

// createLocked creates a file and takes its lock. It returns nil if the file exists.
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
	return nil, errors.Join(err, f.Close()) // otherwise another writer has just removed it
}

// removeLeftover removes a temporary file that has no writer.
func removeLeftover(path string) {
	f, err := os.OpenFile(path, os.O_RDWR|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return
	}
	defer f.Close() //nolint:errcheck // nothing was written to it
	if held, _ := tryLock(f); held {
		_ = os.Remove(path)
	}
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
