package app

import (
	"cmp"
	"os"
	"path/filepath"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/integration/sessions"
)

// sessions returns the sessions of agents with this brain on this machine.
func (a *App) sessions() *sessions.Store { return sessions.In(a.o.Settings.Paths.State) }

// currentSession returns the session with an id, or the current one; without an id
// if none is known. A session that no hook reported is in the working directory.
func (u *UseCases) currentSession(id string, now time.Time) (sessions.Session, error) {
	store := u.app.sessions()
	id = cmp.Or(id, u.app.o.Env("BRAINBRIDGE_SESSION"))
	var s sessions.Session
	var err error
	if id != "" {
		s, err = store.Load(id)
	} else {
		s, err = store.Current(sessions.AgentProcess(), now)
		if err == nil && s.ID == "" {
			s, err = store.Load("")
		}
	}
	if err == nil && !s.Known() {
		s.CWD, err = os.Getwd()
	}
	return s, err
}

// Connect stores that the agent that runs this process connected over MCP, for the
// end of its session. The calls have the id of the connection, unless the session
// is named.
func (a *App) Connect(id string) error {
	if a.o.Env("BRAINBRIDGE_SESSION") != "" {
		return nil
	}
	return a.sessions().Connect(sessions.Connection{ID: id, Agent: sessions.AgentProcess()})
}

// ProjectAt returns the project of a folder: the name of the git work tree that it
// is in, "" for none.
func ProjectAt(folder string) string {
	for {
		if _, err := os.Stat(filepath.Join(folder, ".git")); err == nil {
			break
		}
		above := filepath.Dir(folder)
		if above == folder {
			return ""
		}
		folder = above
	}
	if name := filepath.Base(folder); brain.IsWord(name, brain.MaxName) {
		return name
	}
	return "" // not a valid name of a project
}

// ProjectHere returns the project of the working directory.
func ProjectHere() string {
	folder, err := os.Getwd()
	if err != nil {
		return "" // the folder is gone
	}
	return ProjectAt(folder)
}
