package hooks

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"time"

	"github.com/brainbridge/brainbridge/brain/durable"
)

// Connection is one of an agent over MCP. It knows nothing of the sessions that
// the agent's hooks tell of; that the same process started both joins them.
type Connection struct {
	ID    string `json:"id"` // of the session that its calls belong to
	Agent string `json:"agent"`
}

// connections is the folder that they are kept in, each in a file.
func (s *Sessions) connections() string { return filepath.Join(s.dir, "mcp") }

// Connect keeps a connection for the end of the session that it belongs to. One
// of an agent that is not known belongs to none.
func (s *Sessions) Connect(c Connection) error {
	if c.Agent == "" {
		return nil
	}
	if err := durable.MakeDir(s.connections(), durable.PrivateDir); err != nil {
		return fmt.Errorf("make the folder of connections: %w", err)
	}
	data, err := json.Marshal(c)
	if err != nil {
		return fmt.Errorf("encode the connection: %w", err)
	}
	if err := durable.WriteFile(fileOf(s.connections(), c.ID), data, durable.Options{}); err != nil {
		return fmt.Errorf("keep the connection: %w", err)
	}
	return nil
}

// Connected are the connections whose calls until an instant belong to a
// session: those of its agent, until that agent began the next session. Of an
// agent that has several sessions at once no call is anybody's, as nothing says
// whose it is.
func (s *Sessions) Connected(session Session, now time.Time) (ids []string, until time.Time, err error) {
	if session.Agent == "" {
		return nil, now, nil
	}
	all, err := s.All()
	if err != nil {
		return nil, now, err
	}
	until, alone := session.alone(all, now)
	if !alone {
		return nil, now, nil
	}
	ids, err = s.connectionsOf(session.Agent)
	return ids, until, err
}

// connectionsOf are the connections of an agent; none of one that is not known.
func (s *Sessions) connectionsOf(agent string) (ids []string, err error) {
	connections, err := readAll[Connection](s.connections())
	for _, c := range connections {
		if agent != "" && c.Agent == agent {
			ids = append(ids, c.ID)
		}
	}
	return ids, err
}

// alone reports whether no other session of the same agent went on beside this
// one, and until when that is so: the next one may have begun already.
func (s Session) alone(all []Session, now time.Time) (until time.Time, alone bool) {
	until = now
	for _, o := range all {
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
