package app

import (
	"fmt"
	"os"
	"strings"

	"github.com/brainbridge/brainbridge/config"
)

// daemonElsewhere says in what the running daemon differs from the settings, and which
// command starts it with them; "" if it does not differ or none runs.
func (u *UseCases) daemonElsewhere(s *DaemonState) (what, command string) {
	l := u.app.Settings
	switch {
	case s == nil || s.Store == "": // or it is starting, or of an earlier version
		return "", ""
	case s.Store != l.Config.Store:
		what = fmt.Sprintf("the daemon uses the store %s, not %s", s.Store, l.Config.Store)
	case s.NotesDir != l.Paths.NotesDir:
		what = fmt.Sprintf("the daemon has the notes in %s, not in %s", s.NotesDir, l.Paths.NotesDir)
	default:
		return "", ""
	}
	command = strings.Join(append([]string{"brainbridge"}, l.Flags(config.FromFlag, config.FromEnvironment)...), " ")
	if svc, err := u.service(); err == nil {
		if _, err := os.Stat(svc.File); err == nil {
			return what, command + " service install"
		}
	}
	return fmt.Sprintf("%s; stop it (pid %d) and start it again", what, s.PID), command + " serve"
}
