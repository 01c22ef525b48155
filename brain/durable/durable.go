// Package durable is the one place where files are written that matter: a
// temporary file in the same folder, written, synced and renamed over the old
// one, then the folder synced. Whoever dies in between leaves the old content
// or the new, never a half of it. A file that a person edits too is replaced only
// while it is what was read of it, see [Seen]. Beside it are the locks that keep
// several processes from changing the same file at once.
//
// It knows nothing of memories, so that any room may use it.
package durable

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/google/renameio/v2"
)

// Modes for what nobody but the person may read.
const (
	PrivateDir  fs.FileMode = 0o700
	PrivateFile fs.FileMode = 0o600
)

// ErrUnsynced says that a file was replaced, but its folder could not be
// synced: a loss of power may bring the old content back.
var ErrUnsynced = errors.New("it is written, but a loss of power may undo that")

// Options say how a file is written. The zero value suits files of our own.
type Options struct {
	// Mode of the file; 0 is [PrivateFile].
	Mode fs.FileMode
	// KeepMode lets a file that exists keep its mode, for files of a person.
	KeepMode bool
}

// WriteFile puts data in the place of a file, or makes it. A link stays one:
// the file that it leads to is replaced. The folder has to exist.
func WriteFile(path string, data []byte, o Options) error {
	f, err := Prepare(path, data, o)
	if err != nil {
		return err
	}
	defer f.Discard()
	return f.Replace()
}

// File is new content that is not in its place yet: written to as it comes,
// then put in place by Replace. Discard has to follow in any case.
type File struct {
	target  string
	pending *renameio.PendingFile
}

// Create begins what is to be in the place of a file, for those who write it
// piece by piece.
func Create(path string, o Options) (*File, error) {
	target, err := Target(path)
	if err != nil {
		return nil, err
	}
	f, err := renameio.NewPendingFile(target, o.pending(filepath.Dir(target))...)
	if err != nil {
		return nil, err
	}
	return &File{target, f}, nil
}

// Prepare writes what is to be in the place of a file, so that only a rename
// is left to do: for those who look once more before they replace.
func Prepare(path string, data []byte, o Options) (*File, error) {
	f, err := Create(path, o)
	if err != nil {
		return nil, err
	}
	if _, err = f.Write(data); err == nil {
		err = f.pending.Sync()
	}
	if err != nil {
		f.Discard()
		return nil, err
	}
	return f, nil
}

// Write adds to the content.
func (f *File) Write(p []byte) (int, error) { return f.pending.Write(p) }

func (o Options) pending(dir string) []renameio.Option {
	mode := o.Mode
	if mode == 0 {
		mode = PrivateFile
	}
	opts := []renameio.Option{renameio.WithTempDir(dir), renameio.WithStaticPermissions(mode)}
	if o.KeepMode {
		opts = append(opts, renameio.WithExistingPermissions())
	}
	return opts
}

// Replace puts the content in place, durably. After [ErrUnsynced] it is there.
func (f *File) Replace() error {
	if err := f.pending.CloseAtomicallyReplace(); err != nil {
		return err
	}
	if err := SyncDir(filepath.Dir(f.target)); err != nil {
		return fmt.Errorf("%w: %w", ErrUnsynced, err)
	}
	return nil
}

// Discard removes what was not put in place; after Replace it does nothing.
func (f *File) Discard() { _ = f.pending.Cleanup() }

// ReadFile is the content of a file; one that does not exist has none.
func ReadFile(path string) ([]byte, error) {
	content, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return content, err
}

// maxLinks is how many links to a file that does not exist are followed.
const maxLinks = 40

// Target follows links to the file that they lead to, as dotfile managers lay
// them, whether it exists or not. What is no link is its own target.
func Target(path string) (string, error) {
	target, err := filepath.EvalSymlinks(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return target, err
	}
	for range maxLinks {
		next, err := os.Readlink(path)
		if err != nil {
			return path, nil //nolint:nilerr // it is no link, or its folder is not there either
		}
		if !filepath.IsAbs(next) {
			dir, err := filepath.EvalSymlinks(filepath.Dir(path))
			if err != nil {
				return "", err
			}
			next = filepath.Join(dir, next)
		}
		path = next
	}
	return "", fmt.Errorf("%s leads through more than %d links", path, maxLinks)
}

// MakeDir makes a folder, and what is missing above it, so that it survives a
// loss of power.
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

// SyncDir makes the names in a folder survive a loss of power.
func SyncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// RemoveTemps clears what a process left that died while it replaced a file.
// The caller holds the lock of the file, so that nobody is at it now.
func RemoveTemps(path string) {
	dir, prefix := filepath.Dir(path), "."+filepath.Base(path)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return // whoever wants the file will meet the error
	}
	for _, e := range entries {
		number, ok := strings.CutPrefix(e.Name(), prefix)
		if ok && number != "" && strings.Trim(number, "0123456789") == "" {
			_ = os.Remove(filepath.Join(dir, e.Name()))
		}
	}
}
