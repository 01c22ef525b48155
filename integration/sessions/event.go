package sessions

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"github.com/brainbridge/brainbridge/brain"
)

// Event is an event in a session of an agent. What the agent does not report is empty.
type Event struct {
	SessionID  string
	Transcript string // path
	CWD        string
	Prompt     string
	Resumed    bool // an earlier session continues; only for its start
	Forked     bool // the session begins with the conversation of another one
	// Quiet is the time since the agent's last answer in the session that was forked.
	Quiet time.Duration
	Again bool // the agent continues without its earlier context; only for its start
	// PromptStarts is set for an agent whose first prompt reports the start of a session.
	PromptStarts bool
	// Late is set in another process: the session may have ended meanwhile.
	Late bool
}

// Project returns the project of the folder of an event. It is stored, because the folder
// may no longer exist when the transcript is read.
func (s *Store) Project(e Event) string {
	if e.CWD == "" {
		return ProjectHere()
	}
	return s.ProjectOf(absolute(e.CWD, ""), "", true)
}

func absolute(path, before string) string {
	if path == "" {
		return before
	}
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}

// Note updates the session of an event, if the agent names one.
func (s *Store) Note(ctx context.Context, e Event, now time.Time, change func(*Session)) (Session, error) {
	if e.SessionID == "" {
		return Session{}, nil
	}
	return s.Update(ctx, e.SessionID, now, func(session *Session) {
		if !e.Late {
			session.Latest, session.Agent = now, AgentProcess()
		}
		session.CWD = absolute(e.CWD, session.CWD)
		session.Transcript = absolute(e.Transcript, session.Transcript)
		change(session)
	})
}

// Before returns the session of an event as it was before, or the one that it was forked
// from, and the session ids of its captures.
func (s *Store) Before(e Event, now time.Time) (before Session, own []string, err error) {
	if e.SessionID == "" {
		return before, nil, nil
	}
	if e.Forked {
		before, err = s.Told(absolute(e.CWD, ""), now.Add(-e.Quiet))
	} else {
		before, err = s.Load(e.SessionID)
	}
	if err != nil || before.ID == "" {
		return before, nil, err
	}
	r, err := s.Related(before, now)
	return before, append(r.Connections, before.ID), err
}

// Find returns the session with an id, or the current one; without an id if none is known.
// One that no hook reported is in the working directory.
func (s *Store) Find(id string, now time.Time) (session Session, err error) {
	if id == "" {
		session, err = s.Current(AgentProcess(), now)
	}
	if err == nil && session.ID == "" {
		session, err = s.Load(id)
	}
	if err == nil && !session.Known() {
		session.CWD, err = os.Getwd()
	}
	return session, err
}

// Unknown returns the error for a session to end that no agent has reported.
func (s *Store) Unknown(id string) error {
	hint := "leave --session out to end the latest one"
	if all, _ := s.All(); len(all) > 0 {
		hint += ", which is " + all[len(all)-1].ID
	}
	return brain.Errorf(brain.ErrNotFound, hint, "no agent has reported a session %.80s", id)
}
