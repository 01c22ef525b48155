package app

import (
	"context"
	"errors"
	"io/fs"
	"time"

	"github.com/rs/zerolog"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/extract"
	"github.com/brainbridge/brainbridge/integration/sessions"
)

// Reminder reminds an agent to keep what a session brought.
type Reminder struct {
	// Candidates are statements of the session that may be worth keeping, at most five,
	// in the order in which they were said. Each is named once.
	Candidates []Candidate
}

// Candidate is a statement that may be worth keeping.
type Candidate struct {
	At    time.Time // local
	Kind  extract.Kind
	Title string
}

// Heartbeat reminds the agent of the current session.
func (u *UseCases) Heartbeat(ctx context.Context) (Reminder, error) {
	s, err := u.currentSession("", u.app.o.Now())
	if err != nil {
		return Reminder{}, err
	}
	r, err := u.remind(ctx, s)
	if brain.Away(err) { // the agent can be reminded all the same, and the spool keeps captures
		u.caller.Notices.Warn(err)
		return Reminder{}, nil
	}
	return r, err
}

// remind returns the reminder for a session. Without a transcript it names nothing.
func (u *UseCases) remind(ctx context.Context, s sessions.Session) (Reminder, error) {
	if s.Transcript == "" || u.caller.DryRun {
		return Reminder{}, nil
	}
	b, err := u.Brain(ctx)
	if err != nil {
		return Reminder{}, err
	}
	in, err := u.transcripts(ctx, b, zerolog.Nop())
	if err != nil {
		return Reminder{}, err
	}
	items, next, err := in.Candidates(ctx, s.Transcript, max(s.Asked, s.Read))
	if errors.Is(err, fs.ErrNotExist) { // agents name the file before they write it
		return Reminder{}, nil
	}
	if err != nil {
		return Reminder{}, err
	}
	var r Reminder
	for _, i := range items {
		r.Candidates = append(r.Candidates, Candidate{i.At.In(u.app.o.Settings.Zone), i.Kind, i.Title})
	}
	_, err = u.app.sessions().Update(ctx, s.ID, brain.Instant(u.app.o.Now()), func(s *sessions.Session) { s.Asked = next })
	return r, err
}
