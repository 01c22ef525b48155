// Package sessions keeps the progress of the sessions of coding agents on this
// machine, as their hooks report them: in small files of the state folder, so that
// it does not depend on the store.
package sessions

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/durable"
)

// Session is the progress of a session of an agent.
type Session struct {
	ID         string    `json:"id"`
	CWD        string    `json:"cwd,omitempty"`
	Transcript string    `json:"transcript,omitempty"` // path
	Agent      string    `json:"agent,omitempty"`      // see [AgentProcess]
	Started    time.Time `json:"started"`
	Prompts    int       `json:"prompts"`
	// Context is when the session last received a context.
	Context time.Time `json:"context,omitzero"`
	// Pushed has the ids of the memories that the context had.
	Pushed []string `json:"pushed,omitempty"`
	// Told has the ids of the memories that were added to its prompts.
	Told []string `json:"told,omitempty"`
	// Read is the offset up to which the transcript was read.
	Read int64 `json:"readTo,omitempty"`
	// Asked is the offset up to which the agent was asked what to remember.
	Asked int64 `json:"askedTo,omitempty"`
	// Recorded is the time at which its end was last recorded, and RecordedPrompts how many
	// prompts it had then. A session may continue after that.
	Recorded        time.Time `json:"recorded,omitzero"`
	RecordedPrompts int       `json:"recordedPrompts,omitempty"`
	// Latest is the time of its last hook.
	Latest time.Time `json:"latest,omitzero"`
}

// Known reports whether a hook has reported the session.
func (s Session) Known() bool { return !s.Started.IsZero() }

// ended reports whether the end was recorded and no hook has run since.
func (s Session) ended() bool { return !s.Recorded.IsZero() && !s.Latest.After(s.Recorded) }

// Elsewhere reports whether the process of the agent is known to differ from that of the
// latest hook.
func (s Session) Elsewhere(agent string) bool {
	return s.Agent != "" && agent != "" && s.Agent != agent
}

// Store has the sessions of one brain on one machine, each in a file of a folder.
// Several processes may use it.
type Store struct {
	dir string
}

// lockWait is how long to wait for another process, which holds the lock for one
// write.
const lockWait = 2 * time.Second

// In returns the sessions in the state folder of a brain.
func In(state string) *Store { return &Store{filepath.Join(state, "sessions")} }

// Load returns a session. An unknown one has no start.
func (s *Store) Load(id string) (Session, error) {
	session, err := get[Session](fileOf(s.dir, id))
	session.ID = id
	return session, err
}

// Update changes a session under the lock and returns it. An unknown session starts
// now.
func (s *Store) Update(ctx context.Context, id string, now time.Time, change func(*Session)) (Session, error) {
	lock := durable.Lock{
		Path: filepath.Join(s.dir, ".lock"), Wait: lockWait,
		Busy: brain.Busy("another process is writing to the sessions in %s", s.dir),
	}
	var session Session
	err := lock.Do(ctx, func() (err error) {
		if session, err = s.Load(id); err != nil {
			return err
		}
		if session.Started.IsZero() {
			session.Started, session.Latest = now, now
		}
		change(&session)
		return put(fileOf(s.dir, id), session)
	})
	return session, err
}

// keptOpen is how long a session without hooks counts as running: not every agent
// reports the end of a session, and none does when it is killed.
const keptOpen = 24 * time.Hour

// Current returns the session of an agent, of several the one with the latest hook.
// If the agent has none, it is the latest running session of all agents, unless the
// agent is connected over MCP: then it has no hooks, and no session is its own. The
// result has no id if there is none.
func (s *Store) Current(agent string, now time.Time) (Session, error) {
	known, err := s.All()
	if err != nil {
		return Session{}, err
	}
	mine := slices.DeleteFunc(slices.Clone(known), func(x Session) bool { return !x.of(agent) })
	if len(mine) == 0 {
		connected, err := s.connectionsOf(agent)
		if err != nil || len(connected) > 0 {
			return Session{}, err
		}
		mine = slices.DeleteFunc(known, func(x Session) bool { return x.ended() || now.Sub(x.Latest) > keptOpen })
	}
	if len(mine) == 0 {
		return Session{}, nil
	}
	return slices.MaxFunc(mine, func(x, y Session) int { return x.Latest.Compare(y.Latest) }), nil
}

// of reports whether the session is known to be one of an agent.
func (s Session) of(agent string) bool { return agent != "" && s.Agent == agent }

// Told returns the session in a folder that received the last context before a time; it has
// no id if there is none. A fork probably continues that session; agents do not name the
// session that they fork.
func (s *Store) Told(cwd string, before time.Time) (last Session, err error) {
	known, err := s.All()
	for _, x := range known {
		if x.CWD == cwd && !x.Context.After(before) && x.Context.After(last.Context) {
			last = x
		}
	}
	return last, err
}

// All returns the sessions by their start. It skips files that are not readable as
// sessions: they have no data of a person.
func (s *Store) All() ([]Session, error) {
	known, err := all[Session](s.dir)
	if err != nil {
		return nil, err
	}
	known = slices.DeleteFunc(known, func(x Session) bool { return x.ID == "" })
	slices.SortFunc(known, func(x, y Session) int { return cmp.Or(x.Started.Compare(y.Started), strings.Compare(x.ID, y.ID)) })
	return known, nil
}

// Connection is a connection of an agent over MCP. It belongs to a session that hooks
// reported if the same process started both.
type Connection struct {
	ID    string `json:"id"`    // session id of its calls
	Agent string `json:"agent"` // see [AgentProcess]
}

// connections returns the folder of connections, which has a file for each.
func (s *Store) connections() string { return filepath.Join(s.dir, "mcp") }

// Connect stores a connection for the end of its session. A connection of an unknown
// agent has none.
func (s *Store) Connect(c Connection) error {
	if c.Agent == "" {
		return nil
	}
	if err := durable.MakeDir(s.connections(), durable.PrivateDir); err != nil {
		return fmt.Errorf("make the folder of connections: %w", err)
	}
	return put(fileOf(s.connections(), c.ID), c)
}

// Connected returns the connections whose calls belong to a session, and until
// when: those of its agent until the agent started the next session. If the agent
// has several sessions at once, there are none, because nothing says which session
// a call belongs to.
func (s *Store) Connected(session Session, now time.Time) (ids []string, until time.Time, err error) {
	if session.Agent == "" {
		return nil, now, nil
	}
	known, err := s.All()
	if err != nil {
		return nil, now, err
	}
	until, alone := session.alone(known, now)
	if !alone {
		return nil, now, nil
	}
	ids, err = s.connectionsOf(session.Agent)
	return ids, until, err
}

// connectionsOf returns the connections of an agent, none of an unknown one.
func (s *Store) connectionsOf(agent string) (ids []string, err error) {
	connections, err := all[Connection](s.connections())
	for _, c := range connections {
		if agent != "" && c.Agent == agent {
			ids = append(ids, c.ID)
		}
	}
	return ids, err
}

// Others returns the ids of the other sessions, and of the connections of their agents.
func (s *Store) Others(session Session) (ids []string, err error) {
	known, err := s.All()
	connections, failed := all[Connection](s.connections())
	for _, o := range known {
		if o.ID == session.ID {
			continue
		}
		ids = append(ids, o.ID)
		for _, c := range connections {
			if o.of(c.Agent) && !session.of(c.Agent) {
				ids = append(ids, c.ID)
			}
		}
	}
	return ids, errors.Join(err, failed)
}

// alone reports whether the agent had no other session at the same time, and until
// when: the next one may have started already.
func (s Session) alone(known []Session, now time.Time) (until time.Time, alone bool) {
	until = now
	for _, o := range known {
		switch {
		case o.ID == s.ID || !o.of(s.Agent) || o.Latest.Before(s.Started):
		case !o.Started.After(s.Latest):
			return now, false
		case o.Started.Before(until):
			until = o.Started
		}
	}
	return until, true
}
