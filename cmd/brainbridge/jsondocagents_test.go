package main

import (
	"os"
	"path/filepath"
	"time"

	"github.com/brainbridge/brainbridge/integration/hooks"
)

// sessions ends a session that has a file of its progress.
func (s *jsonSession) sessions() {
	progress := "We decided to ship the new pager on Monday.\n"
	if err := os.WriteFile(filepath.Join(s.home, "progress.md"), []byte(progress), 0o600); err != nil {
		s.t.Fatal(err)
	}
	kept := hooks.NewSessions(filepath.Join(s.home, "state", "default", "sessions"))
	_, err := kept.Update(s.t.Context(), "s-1", time.Now().Add(-time.Hour), func(h *hooks.Session) { h.CWD, h.Prompts = s.home, 3 })
	if err != nil {
		s.t.Fatal(err)
	}
	s.both(1, "goodbye")
}

// installs sets an agent up where somebody has a command of the same name.
func (s *jsonSession) installs() {
	commands := filepath.Join(s.home, ".claude", "commands")
	if err := os.MkdirAll(commands, 0o700); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(commands, "goodbye.md"), []byte("Say goodbye.\n"), 0o600); err != nil {
		s.t.Fatal(err)
	}
	s.both(1, "install", "claude-code")
	s.both(1, "uninstall", "claude-code")
}
