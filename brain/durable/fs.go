package durable

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// Target follows symlinks to the file that they point to, whether it exists or not.
// A path that is not a symlink is its own target.
func Target(path string) (string, error) {
	target, err := filepath.EvalSymlinks(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return target, err
	}
	next, err := os.Readlink(path)
	if err != nil {
		return path, nil //nolint:nilerr // it is not a link, or its folder does not exist either
	}
	if !filepath.IsAbs(next) {
		dir, err := filepath.EvalSymlinks(filepath.Dir(path))
		if err != nil {
			return "", err
		}
		next = filepath.Join(dir, next)
	}
	return Target(next)
}

// MakeDir durably creates a folder and its missing parents.
func MakeDir(dir string, mode fs.FileMode) error {
	if info, err := os.Stat(dir); err == nil && info.IsDir() {
		return nil
	}
	parent := filepath.Dir(dir)
	if parent != dir {
		if err := MakeDir(parent, mode); err != nil {
			return err
		}
	}
	if err := os.Mkdir(dir, mode); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return SyncDir(parent)
}

// SyncDir makes the directory entries of a folder durable.
func SyncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// RenameToFree durably renames a file or folder to the first of name(1), name(2), … that
// does not exist, and returns that name.
func RenameToFree(path string, name func(n int) string) (string, error) {
	for n := 1; ; n++ {
		to := name(n)
		_, err := os.Lstat(to)
		if err == nil {
			continue
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
		if err := os.Rename(path, to); err != nil {
			return "", err
		}
		return to, SyncDir(filepath.Dir(to))
	}
}

// Inode returns the inode number of a file, 0 if it has none.
func Inode(info fs.FileInfo) uint64 {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(st.Ino) //nolint:unconvert // narrower on some systems
	}
	return 0
}

// Cause returns the cause of a file system error, without its operation and path.
func Cause(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// WriteNewFile durably creates a file. It fails with [fs.ErrExist] if the file exists. If
// the file system supports hard links, other processes see only the complete file.
func WriteNewFile(path string, data []byte) error {
	f, err := Prepare(path, data, Options{})
	if err != nil {
		return err
	}
	defer f.Discard()
	if err = os.Link(f.temp.Name(), path); err != nil && !errors.Is(err, fs.ErrExist) {
		err = writeInPlace(path, data)
	}
	if err != nil {
		return err
	}
	return SyncDir(filepath.Dir(path))
}

func writeInPlace(path string, data []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, PrivateFile)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Sync(), f.Close())
}
