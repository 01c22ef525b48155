package app

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/capture"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/brain/moment"
	"github.com/brainbridge/brainbridge/brain/neo4j"
	"github.com/brainbridge/brainbridge/brain/plaintext"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/brain/statement"
	"github.com/brainbridge/brainbridge/tiers"
	"github.com/brainbridge/brainbridge/watcher/dailynote"
)

// Details are the optional fields of every capture.
type Details struct {
	Project    *string // nil: the caller's
	Tags       []string
	Importance string
	Relate     []string // relations of the new memory, as TYPE:ID
	Replaces   []string // memories that it holds instead of
}

// CaptureAnswer is the answer to a capture.
type CaptureAnswer struct {
	SourceID brain.OrNull `json:"sourceId"`
	MemoryID brain.OrNull `json:"memoryId"`
	Tier     *tiers.Tier  `json:"tier"`   // null while the capture is in the spool
	Energy   *float64     `json:"energy"` // null while the capture is in the spool
	Spooled  bool         `json:"spooled"`
	// Known is the memory that says the same; if set, it was confirmed and nothing new stored.
	Known string `json:"known,omitempty"`
	// Similar are memories that may be about the same subject, nearest first.
	Similar []SimilarMemory `json:"similar,omitempty"`
	// Replaced are the memories that this one holds instead of, since the run RunID.
	Replaced []string  `json:"replaced,omitempty"`
	RunID    string    `json:"runId,omitempty"`
	Due      time.Time `json:"due,omitzero"` // of a reminder

	Why   error  `json:"-"` // it is in the spool
	Until string `json:"-"` // says how long it stays there, "" if it is not
	Kind  string `json:"-"` // kind of the source, or type of the memory
	Title string `json:"-"`
	Note  string `json:"-"` // path of the note that has it, "" for none
}

// SimilarMemory is a memory in the answer to a capture.
type SimilarMemory struct {
	ID   string `json:"id"`
	Date string `json:"date"`
	Kind string `json:"kind"`
	Text string `json:"text"`
}

// Line returns the memory as people and agents see it.
func (m SimilarMemory) Line() string {
	return "similar: " + statement.ContextLine(m.Date, m.Kind, m.Text, "", brain.ShortID(m.ID))
}

// Advice says what to do about similar memories, "" without any.
func (a CaptureAnswer) Advice() string {
	if len(a.Similar) == 0 {
		return ""
	}
	old := "OLD"
	if len(a.Similar) == 1 {
		old = brain.ShortID(a.Similar[0].ID)
	}
	return "If it no longer holds: brainbridge replace " + old + " " + brain.ShortID(string(a.MemoryID))
}

// Remind captures something to do. due is a time as people write it. Without it, a time in
// the text that is not past is used: "call Bob by friday".
func (u *UseCases) Remind(ctx context.Context, text, due string, d Details) (CaptureAnswer, error) {
	now := u.localNow()
	at, err := parseMoment("due", due, now, moment.Future)
	if err != nil {
		return CaptureAnswer{}, err
	}
	if today := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, now.Location()); due == "" {
		if at = moment.Due(text, today); at.Before(today) {
			at = time.Time{}
		}
	}
	a, err := u.Capture(ctx, brain.Source{Kind: brain.Reminder, Text: text, Due: brain.Instant(at)}, d)
	a.Due = brain.Instant(at)
	return a, err
}

// Capture captures a crystallization, a learning, a reminder or an activity, which has no
// memory. Only the texts of its kind are set in s.
func (u *UseCases) Capture(ctx context.Context, s brain.Source, details Details) (CaptureAnswer, error) {
	b, d, err := u.forCapture(ctx, details)
	if err != nil {
		return CaptureAnswer{}, err
	}
	c, err := b.Capture.New(s, d)
	if err != nil {
		return CaptureAnswer{}, err
	}
	c.LookUp = s.Kind == brain.Learning || s.Kind == brain.Crystallization
	u.embedCapture(ctx, b, &c)
	done, err := b.Capture.Capture(ctx, c)
	return u.captured(done), err
}

// similarTextLimit is the longest text of a similar memory in an answer, in characters.
const similarTextLimit = 200

// forCapture returns the services and the details for a capture. While the store is
// unreachable, the services fail, so that the spool keeps the capture.
func (u *UseCases) forCapture(ctx context.Context, r Details) (*services.Services, brain.Details, error) {
	d := brain.Details{
		Project: or(r.Project, u.caller.Project), Tags: r.Tags, Importance: brain.Importance(r.Importance), Replaces: r.Replaces,
	}
	var err error
	if d.Relate, err = capture.ParseRelations(r.Relate); err != nil {
		return nil, d, err
	}
	spooling := *u
	spooling.patience = neo4j.Patience{} // the capture can wait in the spool
	b, err := spooling.brainForCapture(ctx)
	if brain.IsUnreachable(err) {
		return u.failing(err), d, nil
	}
	return b, d, err
}

// keptUntil says what happens to a capture that was spooled for an error.
func (a *App) keptUntil(err error) string {
	m, l := a.readMove(), a.Settings
	switch {
	case errors.Is(err, brain.ErrDamaged):
		return "until `" + program(l) + " doctor --fix` has mended the store"
	case m.Done && m.From == l.Config.Store:
		return "for " + m.To
	}
	return "until the store is back"
}

// captured returns the answer to a capture.
func (u *UseCases) captured(done brain.Captured) CaptureAnswer {
	until := ""
	if done.SpooledFor != nil {
		until = u.app.keptUntil(done.SpooledFor)
		u.caller.Notices.Info(fmt.Sprintf("%v; kept in the spool %s", done.SpooledFor, until))
	}
	a := CaptureAnswer{
		SourceID: brain.OrNull(done.SourceID), MemoryID: brain.OrNull(done.MemoryID),
		Spooled: done.SpooledFor != nil, Why: done.SpooledFor, Until: until, Known: done.Known,
		Replaced: done.Replaced, RunID: done.RunID, Kind: done.Kind, Title: done.Title,
	}
	for i := range done.Similar {
		m := &done.Similar[i]
		a.Similar = append(a.Similar, SimilarMemory{
			ID: m.ID, Date: m.Created.In(u.app.Settings.Zone).Format(time.DateOnly), Kind: m.MemoryType,
			Text: plaintext.Shorten(statement.Of(m).String(), similarTextLimit),
		})
	}
	if done.Tier != "" {
		a.Tier, a.Energy = &done.Tier, &done.Energy
	}
	if u.caller.DryRun { // new ids will never exist
		a.SourceID, a.RunID = "", ""
		if done.Known == "" {
			a.MemoryID = ""
		}
	}
	return a
}

// DoneAnswer is a reminder that was closed or reopened.
type DoneAnswer struct {
	SourceID string     `json:"sourceId"`
	Done     *time.Time `json:"done"`

	Text string `json:"-"`
}

// Done closes a reminder, or reopens it if reopen is set.
func (u *UseCases) Done(ctx context.Context, id string, reopen bool) (DoneAnswer, error) {
	s, err := u.services(ctx).Capture.Done(ctx, id, reopen)
	return DoneAnswer{s.ID, lifecycle.Optional(s.Done), s.Text}, err
}

// WriteOutcome writes an outcome into today's note and stores it; the body may be empty.
// The note is written even while the store is unreachable.
func (u *UseCases) WriteOutcome(ctx context.Context, kind, title, body string, details Details) (CaptureAnswer, error) {
	b, d, err := u.forCapture(ctx, details)
	if err != nil {
		return CaptureAnswer{}, err
	}
	directory := u.NotesDirectory(b)
	c, err := directory.NewCapture(kind, title, body, d)
	if err != nil {
		return CaptureAnswer{}, err
	}
	c.Graph.LookUp = true
	u.embedCapture(ctx, b, &c.Graph)
	var done brain.Captured
	path := ""
	if u.caller.DryRun { // only the graph
		done, err = b.Capture.Capture(ctx, c.Graph)
	} else {
		done, path, err = directory.Append(ctx, c)
	}
	if hint := hintOfSystem(err); hint != "" { // the note could not be written
		err = brain.Errorf(brain.ErrUnavailable, hint, "%v", err)
	}
	a := u.captured(done)
	if path != "" {
		a.Note = filepath.Join(u.app.Settings.Paths.NotesDir, path)
	}
	return a, err
}

// RememberRequest is a text to remember.
type RememberRequest struct {
	Content, Name, Type         string
	Due                         string // makes it a reminder, see [UseCases.Remind]
	Severity, Origin, Retention string
	AppliesTo                   []string
	Entity                      bool // make it an entity: unique name, no decay
	Gate                        bool // store it only if the relevance filter accepts it
	Explain                     bool // include the score of the relevance filter
	Common                      bool // the caller says that it comes up again and again
	Details
}

// RememberAnswer is the stored capture, or the judgement that rejected it.
type RememberAnswer struct {
	*CaptureAnswer      // nil if it was rejected
	Rejected       bool `json:"rejected,omitempty"`
	// Judgement is set if the text was rejected, or for Explain.
	*brain.Judgement
}

// Remember stores a text, or spools it while the store is unavailable. With Gate, the
// relevance filter decides once the store is available.
func (u *UseCases) Remember(ctx context.Context, r RememberRequest) (RememberAnswer, error) {
	if r.Due != "" || r.Type == reminderType {
		if r.Type != "" && r.Type != reminderType || r.Name != "" || r.Gate {
			return RememberAnswer{}, invalid("leave these out, or leave out due", "a text with due is a reminder, which has no other type, no name and no gate")
		}
		a, err := u.Remind(ctx, r.Content, r.Due, r.Details)
		return RememberAnswer{CaptureAnswer: &a}, err
	}
	m := brain.Memory{
		Content: r.Content, Name: r.Name, MemoryType: r.Type,
		Severity: r.Severity, Origin: capture.OriginOf(r.Origin), AppliesTo: r.AppliesTo, Retention: r.Retention, State: tiers.State{Entity: r.Entity},
	}
	if err := capture.Check(m, r.Gate); err != nil {
		return RememberAnswer{}, err
	}
	b, d, err := u.forCapture(ctx, r.Details)
	if err != nil {
		return RememberAnswer{}, err
	}
	m.MemoryType = dailynote.CanonicalType(strings.TrimSpace(r.Type))
	c, err := b.Capture.NewMemory(m, d)
	if err != nil {
		return RememberAnswer{}, err
	}
	if r.Gate || r.Explain {
		// With Explain but without Gate, the text is judged but always stored.
		c.Gate = &brain.Gate{Common: r.Common, Keep: !r.Gate}
	}
	c.LookUp = !r.Entity
	u.embedCapture(ctx, b, &c)
	done, err := b.Capture.Capture(ctx, c)
	if err != nil {
		return RememberAnswer{}, err
	}
	j := done.Judgement
	if j != nil {
		for _, w := range j.Warnings {
			u.warn(w)
		}
		if done.MemoryID == "" {
			return RememberAnswer{Rejected: true, Judgement: j}, nil
		}
	}
	stored := u.captured(done)
	a := RememberAnswer{CaptureAnswer: &stored}
	if j != nil && r.Explain {
		a.Judgement = &brain.Judgement{Score: j.Score, Threshold: j.Threshold, Reasons: j.Reasons}
	}
	return a, nil
}

// reminderType is the type of the memory of a reminder.
const reminderType = "reminder"
