package sessions

import (
	"fmt"
	"path/filepath"
	"time"

	"github.com/brainbridge/brainbridge/brain/durable"
)

// Connection is a connection of an agent over MCP. It belongs to a session of which
// hooks tell if the same process started both.
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
	if err != nil {
		return nil, err
	}
	connections, err := all[Connection](s.connections())
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
	return ids, err
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
