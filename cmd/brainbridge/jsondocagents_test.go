package main

import (
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/brainbridge/brainbridge/integration/app"
)

// sessions ends a session that has a file of its progress.
func (s *jsonSession) sessions() {
	progress := "We decided to ship the new pager on Monday.\n"
	if err := os.WriteFile(filepath.Join(s.home, "progress.md"), []byte(progress), 0o600); err != nil {
		s.t.Fatal(err)
	}
	kept := app.AgentSessionsIn(filepath.Join(s.home, "state", "default"))
	_, err := kept.Update(s.t.Context(), "s-1", time.Now().Add(-time.Hour), func(h *app.AgentSession) { h.CWD, h.Prompts = s.home, 3 })
	if err != nil {
		s.t.Fatal(err)
	}
	s.both(1, "goodbye")
}

// reflects looks back at what helped and what did not, and has it done by the
// end of a session.
func (s *jsonSession) reflects() {
	judge := func(verdict string, times int, args ...string) {
		id, _ := s.do(1, args...)["memoryId"].(string)
		for i := range times {
			s.do(1, "used", id, "--"+verdict, "--in", strconv.Itoa(i))
		}
	}
	judge("helpful", 15, "learn", "the pager", "call the night shift first")
	judge("not-helpful", 3, "learn", "the old wiki", "all is in the wiki")
	s.do(1, "remember", "Sessions expire after thirty minutes", "--type", "belief", "--retention", "core")
	s.do(1, "learn", "the audit", "Sessions expire after thirty minutes on every device.")
	s.do(1, "learn", "the kiosk", "Sessions never expire after thirty minutes there.")
	s.do(1, "activity", "review", "We decided to drop the legacy importer next month.")
	s.both(1, "reflect", "--quick")
	s.both(1, "reflect", "--memories")
	s.do(1, "reflect", "--beliefs")
	kept := app.AgentSessionsIn(filepath.Join(s.home, "state", "default"))
	for i := range 10 {
		id := "reflects-" + strconv.Itoa(i)
		_, err := kept.Update(s.t.Context(), id, time.Now(), func(h *app.AgentSession) { h.Prompts = 1 })
		if err != nil {
			s.t.Fatal(err)
		}
		s.do(1, "goodbye", "--session", id)
	}
	s.do(1, "reflect", "--last")
	s.do(1, "reflect")
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
