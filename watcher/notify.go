package watcher

import (
	"errors"
	"fmt"
	"syscall"

	"github.com/fsnotify/fsnotify"
)

// Notifier is the part of fsnotify that the watcher needs, so that a test can make
// it fail. The zero value sends nothing. After a closed channel no more events
// come, and the watcher opens another one.
type Notifier struct {
	// Add watches one directory, not what is below it. Adding a watched
	// directory again is no error.
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
