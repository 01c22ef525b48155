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

// DaemonFiles are the files of the daemon of a brain, which other processes read.
type DaemonFiles struct {
	dir string // state folder of the brain
}

// DaemonFilesIn returns the files in the state folder of a brain.
func DaemonFilesIn(dir string) DaemonFiles { return DaemonFiles{dir} }

func (d DaemonFiles) lockFile() string  { return filepath.Join(d.dir, "daemon.lock") }
func (d DaemonFiles) stateFile() string { return filepath.Join(d.dir, "daemon.json") }

// Lock takes the lock that the daemon holds while it runs. It waits for others, which hold
// it for an instant to see whether a daemon runs. busy is the error if it is held.
func (d DaemonFiles) Lock(ctx context.Context, busy error) (unlock func(), err error) {
	return durable.Lock{Path: d.lockFile(), Wait: 300 * time.Millisecond, Busy: busy}.Acquire(ctx)
}

// State returns the state of the daemon; nil if none runs.
func (d DaemonFiles) State() *DaemonState {
	if !d.Runs() {
		return nil
	}
	s := DaemonState{Notes: Starting}
	data, err := os.ReadFile(d.stateFile())
	if err != nil || json.Unmarshal(data, &s) != nil {
		return &DaemonState{Notes: Starting}
	}
	return &s
}

// Runs reports whether the daemon runs: it holds its lock.
func (d DaemonFiles) Runs() bool {
	held, err := durable.Locked(d.lockFile())
	return held && err == nil
}

// DiedBefore reports whether a daemon from before an instant ended without removing its state.
func (d DaemonFiles) DiedBefore(at time.Time) bool {
	info, err := os.Stat(d.stateFile())
	return err == nil && info.ModTime().Before(at) && !d.Runs()
}

// SetState stores the state of the daemon. It counts only while the lock is held.
func (d DaemonFiles) SetState(s DaemonState) error {
	data, err := json.Marshal(s)
	if err == nil {
		err = durable.WriteFile(d.stateFile(), append(data, '\n'), durable.Options{})
	}
	return brain.Wrap(err, "write the state of the daemon")
}

// RemoveState removes the stored state, if there is one.
func (d DaemonFiles) RemoveState() error {
	if err := os.Remove(d.stateFile()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove the state of the daemon: %w", err)
	}
	return nil
}
