package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"github.com/brainbridge/brainbridge/brain/durable"
	"github.com/brainbridge/brainbridge/config"
)

// care is what a daemon does with the notes.
type care string

const (
	watched    care = "watched"    // changes arrive as they are saved
	scanned    care = "scanned"    // they are looked for now and then
	notWatched care = "notWatched" // they are left alone
	starting   care = "starting"   // the daemon does not say yet
)

// daemonState is what a daemon that runs says of itself.
type daemonState struct {
	PID   int    `json:"pid"`
	Notes care   `json:"notes"`
	Why   string `json:"why"` // why they are not watched; else empty
	// Web is where it serves HTTP, empty if it does not.
	Web string `json:"web,omitempty"`
}

// watching reports whether what is saved in the notes is found by itself.
func (s *daemonState) watching() bool {
	return s != nil && (s.Notes == watched || s.Notes == scanned)
}

// daemonStateFile is where a daemon says what it does, beside its lock. Without
// the lock it means nothing.
func daemonStateFile(l config.Loaded) string { return filepath.Join(l.Paths.State, "daemon.json") }

// state is what the daemon does now.
func (d *daemon) state() daemonState {
	s := daemonState{PID: os.Getpid(), Notes: watched, Web: d.webURL()}
	if d.watch == nil {
		s.Notes, s.Why = notWatched, d.notWatching
	} else if why := d.watch.State().Degraded; why != "" {
		s.Notes, s.Why = scanned, why
	}
	return s
}

// tellEvery is how often the daemon looks whether it does something else now.
const tellEvery = time.Second

// tell keeps the file of the state up to date until ctx ends. Nothing depends
// on it but what `status` says, so that a file that cannot be written is only
// logged.
func (d *daemon) tell(ctx context.Context, file string) error {
	t := time.NewTicker(tellEvery)
	defer t.Stop()
	for told := d.tellOnce(file, daemonState{}); ; told = d.tellOnce(file, told) {
		select {
		case <-ctx.Done():
			return nil
		case <-t.C:
		}
	}
}

// tellOnce writes the state unless it was told already, and returns it.
func (d *daemon) tellOnce(file string, told daemonState) daemonState {
	s := d.state()
	if s == told {
		return told
	}
	if err := writeState(file, s); err != nil {
		d.log.Warn().Err(err).Msg("`status` cannot tell what the daemon does")
	}
	return s
}

// writeState replaces the file, so that nobody reads a half of it.
func writeState(file string, s daemonState) error {
	data, err := json.Marshal(s)
	if err == nil {
		err = durable.WriteFile(file, append(data, '\n'), durable.Options{})
	}
	if err != nil {
		return fmt.Errorf("write the state of the daemon: %w", err)
	}
	return nil
}

// removeState takes the file away; one that is not there is no error.
func removeState(file string) error {
	if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove the state of the daemon: %w", err)
	}
	return nil
}

// daemonNow is what the daemon of the brain says of itself; nil if none runs.
func daemonNow(l config.Loaded) *daemonState {
	if !daemonRuns(l) {
		return nil
	}
	s := daemonState{Notes: starting}
	data, err := os.ReadFile(daemonStateFile(l))
	if err != nil || json.Unmarshal(data, &s) != nil {
		return &daemonState{Notes: starting}
	}
	return &s
}

// daemonRuns reports whether a daemon looks after the brain: it answers at its
// socket, or holds its lock.
func daemonRuns(l config.Loaded) bool {
	file := daemonLockFile(l)
	if _, err := os.Stat(file); err != nil {
		return false
	}
	if conn, err := net.DialTimeout("unix", daemonSocket(l), socketPatience); err == nil {
		return conn.Close() == nil
	}
	lock := flock.New(file)
	free, err := lock.TryRLock()
	if err != nil {
		return false
	}
	if free {
		_ = lock.Unlock() // the file stays; a lock that cannot be released ends with the process
	}
	return !free
}

// daemonLine says what the daemon does, for people.
func daemonLine(s *daemonState) string {
	if s == nil {
		return "not running"
	}
	switch s.Notes {
	case watched:
		return "running, watches the notes"
	case scanned:
		return "running, scans the notes now and then: " + flat(s.Why, 300)
	case notWatched:
		return "running, does not watch the notes: " + flat(s.Why, 300)
	}
	return "running, getting ready"
}
