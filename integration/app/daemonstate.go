package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/durable"
	"github.com/brainbridge/brainbridge/brain/health"
	"github.com/brainbridge/brainbridge/brain/moment"
	"github.com/brainbridge/brainbridge/brain/plaintext"
)

// NotesCare is the way in which a daemon follows the notes.
type NotesCare string

// What a daemon may do with the notes.
const (
	Watched    NotesCare = "watched"    // changes arrive as they are saved
	Scanned    NotesCare = "scanned"    // the directory is scanned now and then
	NotWatched NotesCare = "notWatched" // nothing
	Stalled    NotesCare = "stalled"    // the watcher does not respond
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
	// Failed has the jobs that failed when they ran last, by name.
	Failed map[string]JobFailure `json:"failed,omitempty"`
}

// JobFailure is the failure of a job.
type JobFailure struct {
	At      time.Time `json:"at"`
	Problem string    `json:"problem"`
}

// failures says which jobs failed and why. A failed backup is noted elsewhere.
func (s *DaemonState) failures(now time.Time) (all []string) {
	if s == nil {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(s.Failed)) {
		if f := s.Failed[name]; name != backupJob {
			all = append(all, fmt.Sprintf("%s failed %s ago: %s", name, moment.Rough(max(0, now.Sub(f.At))), plaintext.Shorten(plaintext.OneLine(f.Problem), 200)))
		}
	}
	return all
}

// SilentAfter is the time after which a daemon or its watcher that gives no sign of life counts as dead.
const SilentAfter = 45 * time.Second

// daemonTrouble says that the daemon has died, or does not respond; "" if it works, if none was
// started, or if it ended by itself.
func (a *App) daemonTrouble(s *DaemonState) string {
	info, err := os.Stat(a.daemonStateFile())
	silent := err == nil && time.Since(info.ModTime()) > SilentAfter
	switch {
	case s == nil && err == nil: // one that ends removes it
		return "the daemon has died; notes are not ingested as they are saved"
	case s != nil && s.Store != "" && silent:
		return fmt.Sprintf("the daemon (pid %d) does not respond: stop it and start it again", s.PID)
	case s != nil && s.Notes == Stalled:
		return fmt.Sprintf("the watcher of the daemon (pid %d) does not respond: stop it and start it again", s.PID)
	}
	return ""
}

// Beat gives a sign of life of the daemon. The stored state is the same.
func (a *App) Beat() {
	now := time.Now()
	_ = os.Chtimes(a.daemonStateFile(), now, now) // otherwise it counts as dead, and says so
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

// RemoveDaemonState removes the stored state, if there is one, and what the last check found wrong
// with that daemon.
func (a *App) RemoveDaemonState() error {
	isOfDaemon := func(f health.Finding) bool { return f.Name == daemonCheck }
	if c, err := a.lastCheck(); err == nil && c != nil && slices.ContainsFunc(c.Findings, isOfDaemon) {
		c.Findings = slices.DeleteFunc(c.Findings, isOfDaemon)
		_ = a.putCheck(*c) // the next check says so
	}
	if err := os.Remove(a.daemonStateFile()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove the state of the daemon: %w", err)
	}
	return nil
}
