package app

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/brainbridge/brainbridge/config"
	"github.com/brainbridge/brainbridge/watcher/unprivileged"
)

// A file of another user has the right mode, and cannot be read.
func TestFilesOfAnotherUser(t *testing.T) {
	if unprivileged.Elsewhere(t) {
		return
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "core-memory.json")
	if err := errors.Join(os.Chmod(dir, 0o700), os.WriteFile(file, nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	if err := os.Chown(file, os.Getuid()+1, -1); err != nil {
		t.Skipf("only root gives files away: %v", err)
	}
	u := New(Options{Settings: config.Loaded{Paths: config.Paths{Data: dir}}}).As(Caller{})
	d := &diagnosis{u: u, answer: DoctorAnswer{OK: true}}
	if d.permissions(); d.answer.OK || !strings.Contains(d.answer.Checks[0].Detail, file) {
		t.Errorf("doctor says %+v", d.answer.Checks)
	}
	if len(d.plan.Steps) > 0 {
		t.Errorf("it would mend what only root can: %v", d.plan.Steps)
	}
}
