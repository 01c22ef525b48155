package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/durable"
)

// NotesCare is the way in which a daemon follows the notes.
type NotesCare string

// What a daemon may do with the notes.
const (
	Watched    NotesCare = "watched"    // changes arrive as they are saved
	Scanned    NotesCare = "scanned"    // the directory is scanned now and then
	NotWatched NotesCare = "notWatched" // nothing
	Starting   NotesCare = "starting"   // not known yet
)

// DaemonState describes a running daemon.
type DaemonState struct {
	PID   int       `json:"pid"`
	Notes NotesCare `json:"notes"`
	Why   string    `json:"why"` // why they are not watched; empty if they are
	// Store and NotesDir are those that it uses; empty while it is starting.
	Store    string `json:"store"`
	NotesDir string `json:"notesDir"`
	// Web is the URL at which it serves HTTP, empty if it does not.
	Web string `json:"web,omitempty"`
}

// Watching reports whether changes of the notes are found without a command.
func (s *DaemonState) Watching() bool {
	return s != nil && (s.Notes == Watched || s.Notes == Scanned)
}

func (a *App) daemonLock() string { return filepath.Join(a.Settings.Paths.State, "daemon.lock") }

func (a *App) daemonStateFile() string { return filepath.Join(a.Settings.Paths.State, "daemon.json") }

// lockDaemon takes the lock that the daemon of the brain holds while it runs. It waits for others,
// which hold it for an instant to see whether a daemon runs.
func (a *App) lockDaemon(ctx context.Context) (unlock func(), err error) {
	return durable.Lock{
		Path: a.daemonLock(), Wait: 300 * time.Millisecond,
		Busy: brain.Errorf(brain.ErrBusy, "stop it first, or name another brain with --brain",
			"a daemon of the brain %s is running already", a.Settings.Config.Brain),
	}.Acquire(ctx)
}

// daemonState returns the state of the daemon of the brain; nil if none runs.
func (a *App) daemonState() *DaemonState {
	if !a.daemonRuns() {
		return nil
	}
	s := DaemonState{Notes: Starting}
	data, err := os.ReadFile(a.daemonStateFile())
	if err != nil || json.Unmarshal(data, &s) != nil {
		return &DaemonState{Notes: Starting}
	}
	return &s
}

// daemonRuns reports whether the daemon runs: it holds its lock.
func (a *App) daemonRuns() bool {
	held, err := durable.Locked(a.daemonLock())
	return held && err == nil
}

// SetDaemonState stores the state of the daemon. It counts only while the lock is held.
func (a *App) SetDaemonState(s DaemonState) error {
	data, err := json.Marshal(s)
	if err == nil {
		err = durable.WriteFile(a.daemonStateFile(), append(data, '\n'), durable.Options{})
	}
	return brain.Wrap(err, "write the state of the daemon")
}

// RemoveDaemonState removes the stored state, if there is one.
func (a *App) RemoveDaemonState() error {
	if err := os.Remove(a.daemonStateFile()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove the state of the daemon: %w", err)
	}
	return nil
}
