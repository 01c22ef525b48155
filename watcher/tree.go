package watcher

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/fsnotify/fsnotify"
)

// tree has a watch for each directory, because events are not recursive.
type tree struct {
	cfg      Config
	notifier Notifier        // zero if there is none
	watched  map[string]bool // relative, slash-separated; "." is the root
}

func (t *tree) close() {
	if t.notifier.Close != nil {
		_ = t.notifier.Close() // the error does not matter
	}
	t.notifier = Notifier{}
	clear(t.watched)
}

func (t *tree) abs(rel string) string {
	return filepath.Join(t.cfg.Dir, filepath.FromSlash(rel))
}

// rel returns the name in an event relative to the directory; false if it is not below it.
func (t *tree) rel(name string) (string, bool) {
	rel, err := filepath.Rel(t.cfg.Dir, name)
	return filepath.ToSlash(rel), err == nil && filepath.IsLocal(rel)
}

// sync watches the directories that exist now. It starts over, because the watches of a
// moved directory go on reporting under its old name. It returns why it could not, "" if
// it could.
func (t *tree) sync(ctx context.Context) string {
	t.close()
	var err error
	if t.notifier, err = t.cfg.Open(); err != nil {
		return reason(t.cfg.Dir, err)
	}
	if _, err = checkDir(t.cfg.Dir); err != nil {
		return err.Error()
	}
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
	return failed
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
		t.watched[rel] = true
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		// it disappeared meanwhile
	case errors.Is(err, fs.ErrPermission) && unreadable(t.abs(rel)):
		// a scan could not read it either, and reports it
	default:
		return err
	}
	return nil
}

func unreadable(dir string) bool {
	_, err := os.ReadDir(dir)
	return errors.Is(err, fs.ErrPermission)
}

// Notifier is the part of fsnotify that the watcher needs, so that a test can make
// it fail. The zero value sends nothing.
type Notifier struct {
	Add    func(path string) error // watches one directory, not what is below it
	Close  func() error
	Events <-chan fsnotify.Event
	Errors <-chan error
}

func openFsnotify() (Notifier, error) {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return Notifier{}, err
	}
	return Notifier{Add: w.Add, Close: w.Close, Events: w.Events, Errors: w.Errors}, nil
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
