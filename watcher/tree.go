package watcher

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/fsnotify/fsnotify"
)

// tree has a watch for each directory, because events are not recursive.
type tree struct {
	cfg      Config
	notifier Notifier // zero if there is none
	root     fs.FileInfo
	watched  map[string]struct{} // relative, slash-separated; "." is the root
	stale    bool                // events may have been lost: start over
}

func (t *tree) open() bool { return t.notifier.Close != nil }

func (t *tree) close() {
	if t.open() {
		_ = t.notifier.Close() // the error does not matter
	}
	t.notifier, t.root = Notifier{}, nil
	clear(t.watched)
}

func (t *tree) abs(rel string) string {
	return filepath.Join(t.cfg.Dir, filepath.FromSlash(rel))
}

// rel returns the name in an event as a relative path; false if it is not below the
// directory.
func (t *tree) rel(name string) (string, bool) {
	rel, err := filepath.Rel(t.cfg.Dir, name)
	return filepath.ToSlash(rel), err == nil && filepath.IsLocal(rel)
}

// ignoredPath reports whether events for rel are ignored.
func ignoredPath(rel string) bool {
	name := path.Base(rel)
	return Ignored(name) || !printable(name)
}

// check returns an error if the directory does not exist, and marks the watches
// stale if another one has replaced it.
func (t *tree) check() error {
	info, err := checkDir(t.cfg.Dir)
	if err != nil {
		return err
	}
	if t.root != nil && !os.SameFile(t.root, info) {
		t.stale = true
	}
	return nil
}

// sync watches the directories that exist and no others. It returns why it could
// not, "" if it could.
func (t *tree) sync(ctx context.Context) string {
	if t.stale {
		t.close()
	}
	if !t.open() {
		n, err := t.cfg.Open()
		if err != nil {
			return reason(t.cfg.Dir, err)
		}
		t.notifier = n
	}
	root, err := checkDir(t.cfg.Dir)
	if err != nil {
		return err.Error()
	}
	t.prune()
	failed := ""
	w := newWalker(t.cfg)
	w.enter = func(dir string) {
		if err := t.watch(dir); err != nil && failed == "" {
			failed = reason(t.abs(dir), err)
		}
	}
	if err := w.walk(ctx); err != nil && ctx.Err() == nil {
		return reason(t.cfg.Dir, err)
	}
	t.root, t.stale = root, false
	return failed
}

// prune removes the watches of directories that disappeared without an event.
func (t *tree) prune() {
	for rel := range t.watched {
		if info, err := os.Stat(t.abs(rel)); err != nil || !info.IsDir() {
			t.drop(rel)
		}
	}
}

// drop removes the watches of rel and of all directories below it, which would go on
// reporting under the old name. It reports whether rel was a watched directory.
func (t *tree) drop(rel string) bool {
	if _, ok := t.watched[rel]; !ok {
		return false
	}
	for dir := range t.watched {
		if dir == rel || strings.HasPrefix(dir, rel+"/") {
			_ = t.notifier.Remove(t.abs(dir)) // mostly removed already with its directory
			delete(t.watched, dir)
		}
	}
	return true
}

// isFolderOrLink reports whether rel is a folder or a symbolic link now.
func (t *tree) isFolderOrLink(rel string) bool {
	info, err := os.Lstat(t.abs(rel))
	return err == nil && info.Mode()&(os.ModeDir|os.ModeSymlink) != 0
}

func (t *tree) watch(rel string) error {
	err := t.notifier.Add(t.abs(rel))
	switch {
	case err == nil:
		t.watched[rel] = struct{}{}
		return nil
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return nil // it disappeared meanwhile
	case errors.Is(err, fs.ErrPermission) && unreadable(t.abs(rel)):
		return nil // a scan could not read it either, and reports it
	}
	return err
}

func unreadable(dir string) bool {
	_, err := os.ReadDir(dir)
	return errors.Is(err, fs.ErrPermission)
}

// Notifier is the part of fsnotify that the watcher needs, so that a test can make
// it fail. The zero value sends nothing. After a closed channel no more events
// come, and the watcher opens another one.
type Notifier struct {
	// Add watches one directory, not what is below it. Adding a watched
	// directory again is not an error.
	Add    func(path string) error
	Remove func(path string) error
	Close  func() error
	Events <-chan fsnotify.Event
	Errors <-chan error
}

func openFsnotify() (Notifier, error) {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return Notifier{}, err
	}
	return Notifier{Add: w.Add, Remove: w.Remove, Close: w.Close, Events: w.Events, Errors: w.Errors}, nil
}

// reason returns why a watch failed, and what to do.
func reason(path string, err error) string {
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return fmt.Sprintf("cannot watch %s: the limit of watches of the system is reached; raise fs.inotify.max_user_watches", path)
	case errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE):
		return fmt.Sprintf("cannot watch %s: too many open files; raise fs.inotify.max_user_instances or the limit of open files", path)
	default:
		return fmt.Sprintf("cannot watch %s: %v", path, err)
	}
}
