package app

import (
	"cmp"
	"os"
	"time"

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
