package app

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/durable"
)

// AgentSession is the progress of a session of an agent.
type AgentSession struct {
	ID         string    `json:"id"`
	CWD        string    `json:"cwd,omitempty"`
	Transcript string    `json:"transcript,omitempty"` // path
	Agent      string    `json:"agent,omitempty"`      // see [AgentProcess]
	Started    time.Time `json:"started"`
	Prompts    int       `json:"prompts"`
	Context    time.Time `json:"context,omitzero"`  // when it last received one
	Pushed     []string  `json:"pushed,omitempty"`  // ids of the memories in that context
	InPrompts  []string  `json:"told,omitempty"`    // ids of the memories added to its prompts
	Read       int64     `json:"readTo,omitempty"`  // offset up to which the transcript was read
	Asked      int64     `json:"askedTo,omitempty"` // offset up to which an agent was shown candidates
	// Recorded is the time at which its end was last recorded, and RecordedPrompts how many
	// prompts it had then. A session may continue after that.
	Recorded        time.Time `json:"recorded,omitzero"`
	RecordedPrompts int       `json:"recordedPrompts,omitempty"`
	Latest          time.Time `json:"latest,omitzero"` // of its hooks
}

// Known reports whether a hook has reported the session.
func (s AgentSession) Known() bool { return !s.Started.IsZero() }

func (s AgentSession) ended() bool { return !s.Recorded.IsZero() && !s.Latest.After(s.Recorded) }

// Elsewhere reports whether the process of the agent is known to differ from the latest.
func (s AgentSession) Elsewhere(agent string) bool {
	return s.Agent != "" && agent != "" && s.Agent != agent
}

// AgentSessions has the sessions of one brain on one machine, for several processes.
type AgentSessions struct{ dir string }

// AgentSessionsIn returns the sessions in the state folder of a brain.
func AgentSessionsIn(state string) *AgentSessions {
	return &AgentSessions{filepath.Join(state, "sessions")}
}

// Load returns a session. An unknown one has no start. That without an id has when a session
// that no hook reported last ended.
func (s *AgentSessions) Load(id string) (AgentSession, error) {
	session, err := get[AgentSession](fileOf(s.dir, id))
	session.ID = id
	return session, err
}

// Update changes a session under the lock and returns it. An unknown session starts now.
func (s *AgentSessions) Update(ctx context.Context, id string, now time.Time, change func(*AgentSession)) (AgentSession, error) {
	lock := durable.Lock{
		Path: filepath.Join(s.dir, ".lock"), Wait: 2 * time.Second,
		Busy: brain.Busy("another process is writing to the sessions in %s", s.dir),
	}
	var session AgentSession
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

// keptOpen is how long a session without hooks counts as running: its end may not be reported.
const keptOpen = 24 * time.Hour

// Current returns the session of an agent, of several the one with the latest hook. If the
// agent has none, it is the latest running session of all agents, unless the agent is
// connected over MCP: then it has no hooks. The result has no id if there is none.
func (s *AgentSessions) Current(agent string, now time.Time) (AgentSession, error) {
	known, err := s.All()
	if err != nil {
		return AgentSession{}, err
	}
	mine := slices.DeleteFunc(slices.Clone(known), func(x AgentSession) bool { return !x.of(agent) })
	if len(mine) == 0 {
		connected, err := all[Connection](s.connections())
		if err != nil || agent != "" && slices.ContainsFunc(connected, func(c Connection) bool { return c.Agent == agent }) {
			return AgentSession{}, err
		}
		mine = slices.DeleteFunc(known, func(x AgentSession) bool { return x.ended() || now.Sub(x.Latest) > keptOpen })
	}
	if len(mine) == 0 {
		return AgentSession{}, nil
	}
	return slices.MaxFunc(mine, func(x, y AgentSession) int { return x.Latest.Compare(y.Latest) }), nil
}

// of reports whether the session is known to be one of an agent.
func (s AgentSession) of(agent string) bool { return agent != "" && s.Agent == agent }

// lastOf has the file of the last session that ended in a project.
func (s *AgentSessions) lastOf(project string) string {
	return fileOf(filepath.Join(s.dir, "last"), project)
}

// SetLast stores that a session was the last one to end in a project.
func (s *AgentSessions) SetLast(project string, session AgentSession) error {
	return put(s.lastOf(project), AgentSession{ID: session.ID})
}

// Last returns the last session that ended in a project, without an id if there is none or if
// it goes on.
func (s *AgentSessions) Last(project string) (AgentSession, error) {
	last, err := get[AgentSession](s.lastOf(project))
	if err == nil && last.ID != "" {
		last, err = s.Load(last.ID)
	}
	if !last.ended() {
		return AgentSession{}, err
	}
	return last, err
}

// All returns the sessions by their start. Files that are not sessions are skipped.
func (s *AgentSessions) All() ([]AgentSession, error) {
	known, err := all[AgentSession](s.dir)
	known = slices.DeleteFunc(known, func(x AgentSession) bool { return x.ID == "" })
	slices.SortFunc(known, func(x, y AgentSession) int { return cmp.Or(x.Started.Compare(y.Started), strings.Compare(x.ID, y.ID)) })
	return known, err
}

// Connection is a connection of an agent over MCP. It belongs to a session that hooks
// reported if the same process started both.
type Connection struct {
	ID    string `json:"id"`    // session id of its calls
	Agent string `json:"agent"` // see [AgentProcess]
}

func (s *AgentSessions) connections() string { return filepath.Join(s.dir, "mcp") }

// Connect stores a connection for the end of its session, unless the agent is unknown.
func (s *AgentSessions) Connect(c Connection) error {
	if c.Agent == "" {
		return nil
	}
	return put(fileOf(s.connections(), c.ID), c)
}

// Related are the ids of calls that belong to a session or to others.
type Related struct {
	// Connections are those of the agent of the session until it started the next one. If it
	// has several sessions at once, there are none: nothing says which one a call belongs to.
	Connections []string
	Until       time.Time // when the agent started the next session, or now
	Others      []string  // other sessions, and the connections of their agents
}

// Related returns what is related to a session.
func (s *AgentSessions) Related(session AgentSession, now time.Time) (Related, error) {
	known, err := s.All()
	connections, failed := all[Connection](s.connections())
	r, next, alone := Related{Until: now}, now, true
	for _, o := range known {
		if o.ID == session.ID {
			continue
		}
		r.Others = append(r.Others, o.ID)
		for _, c := range connections {
			if o.of(c.Agent) && !session.of(c.Agent) {
				r.Others = append(r.Others, c.ID)
			}
		}
		switch {
		case !o.of(session.Agent) || o.Latest.Before(session.Started):
		case !o.Started.After(session.Latest):
			alone = false
		case o.Started.Before(next):
			next = o.Started
		}
	}
	for _, c := range connections {
		if alone && session.of(c.Agent) {
			r.Connections = append(r.Connections, c.ID)
		}
	}
	if alone {
		r.Until = next
	}
	return r, errors.Join(err, failed)
}

// AgentEvent is an event in a session of an agent. What the agent does not report is empty.
type AgentEvent struct {
	SessionID  string
	Transcript string // path
	CWD        string
	Prompt     string
	Resumed    bool // an earlier session continues; only for its start
	Again      bool // the agent continues another conversation, or without its earlier context; only for its start
	// PromptStarts is set for an agent whose first prompt reports the start of a session.
	PromptStarts bool
	// Late is set in another process: the session may have ended meanwhile.
	Late bool
}

// Project returns the project of the folder of an event. It is stored, because the folder
// may no longer exist when the transcript is read.
func (s *AgentSessions) Project(e AgentEvent) string {
	if e.CWD == "" {
		return ProjectHere()
	}
	return s.ProjectOf(absolute(e.CWD, ""), "", true)
}

func absolute(path, before string) string {
	abs, err := filepath.Abs(path)
	if path == "" || err != nil {
		return cmp.Or(path, before)
	}
	return abs
}

// Note updates the session of an event, if the agent names one.
func (s *AgentSessions) Note(ctx context.Context, e AgentEvent, now time.Time, change func(*AgentSession)) (AgentSession, error) {
	if e.SessionID == "" {
		return AgentSession{}, nil
	}
	return s.Update(ctx, e.SessionID, now, func(session *AgentSession) {
		if !e.Late {
			session.Latest, session.Agent = now, AgentProcess()
		}
		session.CWD = absolute(e.CWD, session.CWD)
		session.Transcript = absolute(e.Transcript, session.Transcript)
		change(session)
	})
}
