package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/dustin/go-humanize/english"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/capture"
	"github.com/brainbridge/brainbridge/brain/health"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/brain/moment"
	"github.com/brainbridge/brainbridge/brain/services"
)

// GoodbyeAnswer describes the changes made at the end of a session.
type GoodbyeAnswer struct {
	Session    brain.OrNull `json:"session"`
	ActivityID brain.OrNull `json:"activityId"` // null if there was nothing to record
	// Since is the instant from which events are counted.
	Since        time.Time    `json:"since"`
	Seconds      *int64       `json:"seconds"` // null if no hook reported the session
	Prompts      *int         `json:"prompts"` // likewise
	Captures     int          `json:"captures"`
	MemoriesUsed int          `json:"memoriesUsed"`
	Files        []string     `json:"files"`
	Extracted    int          `json:"extracted"` // outcomes from the transcript and those files
	RunID        brain.OrNull `json:"runId"`
	Promoted     int          `json:"promoted"`
	Expired      int          `json:"expired"`
	Summary      brain.OrNull `json:"summary"` // three sentences of a model; null without one
	// Reflection has the findings of a reflection that was due; null if none was.
	Reflection *health.Findings `json:"reflection"`
}

// goodbyeWait is how long the end of a session waits before a run in progress settles for it.
const goodbyeWait = 10 * time.Second

// Goodbye ends a session, by default the current one: it ingests what is explicit in its
// transcript and in the agent's progress files, settles, writes MEMORY.md, records the
// session as an activity, and reflects if that is due. Its run counts as one that nobody asked for.
func (u *UseCases) Goodbye(ctx context.Context, id string) (GoodbyeAnswer, error) {
	u = u.inBackground()
	b, err := u.Brain(ctx)
	if err != nil {
		return GoodbyeAnswer{}, err
	}
	s, err := u.currentSession(id, b.Base.Now())
	if err != nil {
		return GoodbyeAnswer{}, err
	}
	if id != "" && !s.Known() {
		return GoodbyeAnswer{}, brain.Errorf(brain.ErrNotFound, "leave --session out to end the latest one", "no agent has reported a session %.80s", id)
	}
	a := GoodbyeAnswer{Session: brain.OrNull(s.ID), Files: []string{}}
	if err := u.ingestSession(ctx, b, s, &a); err != nil {
		return a, err
	}
	rep, err := u.runnerOf(b, u.Curator(b, CurateRequest{})).Run(ctx, u.request(brain.RunCurate, goodbyeWait))
	if err != nil {
		return a, err
	}
	a.RunID, a.Promoted, a.Expired = brain.OrNull(rep.RunID), len(rep.Promoted), rep.Expired
	if err := u.recordSession(ctx, b, s, &a); err != nil {
		return a, err
	}
	if a.ActivityID != "" {
		a.Reflection = u.reflectIfDue(ctx, b)
	}
	return a, nil
}

// ingestSession brings what is explicit in the transcript of a session and in its progress
// files into the notes.
func (u *UseCases) ingestSession(ctx context.Context, b *services.Services, s AgentSession, a *GoodbyeAnswer) error {
	added, err := u.readSession(ctx, b, s, goodbyeWait)
	if err != nil { // the evening reads it again
		u.warn(fmt.Sprintf("what was said in the session is not in the notes yet: %v", err))
	}
	a.Extracted += added
	if s.CWD == "" || u.caller.DryRun {
		return nil
	}
	extractor, err := u.transcripts(ctx, b)
	if err != nil {
		return err
	}
	for _, name := range u.app.Settings.Config.Session.Files {
		added, unread, err := extractor.Progress(ctx, s.ID, s.CWD, name, b.Base.Now())
		switch {
		case err != nil:
			return fmt.Errorf("ingest %s: %w", name, err)
		case unread == nil:
			a.Files, a.Extracted = append(a.Files, name), a.Extracted+added
		case !errors.Is(unread, fs.ErrNotExist):
			u.caller.Notices.Warn(unread)
		}
	}
	return nil
}

// recordSession counts what happened in a session since it was last recorded,
// records that as an activity, and marks the end of the session.
func (u *UseCases) recordSession(ctx context.Context, b *services.Services, s AgentSession, a *GoodbyeAnswer) error {
	now := b.Base.Now()
	uses, err := u.usesOf(ctx, b, s)
	if err != nil {
		return err
	}
	tally, err := b.Capture.SessionTally(ctx, uses)
	if err != nil {
		return err
	}
	a.Since, a.Captures, a.MemoriesUsed = brain.Instant(uses.Since), tally.Captures, tally.Used
	if s.Known() {
		a.Prompts = new(s.Prompts - s.RecordedPrompts)
		a.Seconds = new(int64(max(0, now.Sub(uses.Since)).Seconds()))
	}
	if u.caller.DryRun {
		return nil
	}
	if a.worthRecording() {
		said, err := u.recount(ctx, b, uses.Since)
		if err != nil { // the session is recorded in any case
			u.warn(fmt.Sprintf("the session is recorded without a summary: %v", err))
		}
		a.Summary = brain.OrNull(said)
	}
	project := u.caller.Project
	if s.CWD != "" {
		project = u.app.sessions().ProjectOf(s.CWD, "", true)
	}
	if err := u.recordOnce(ctx, b, s, project, a); err != nil {
		return err
	}
	var last error
	if s.Known() {
		last = u.app.sessions().SetLast(project, s)
	}
	return errors.Join(b.Capture.EndSession(ctx, project, now), last, u.app.sessions().Sweep())
}

// unreportedFor is the period of uses that count if neither a start nor an end is known.
const unreportedFor = 24 * time.Hour

// usesOf returns which uses to count: those since the session was last recorded, or for one
// that no hook reported, since any session ended.
func (u *UseCases) usesOf(ctx context.Context, b *services.Services, s AgentSession) (capture.Uses, error) {
	since, counted := s.Started, s.Recorded
	if !s.Known() {
		ended, err := b.Base.JobFinished(ctx, lifecycle.SessionJob)
		if err != nil {
			return capture.Uses{}, err
		}
		counted = brain.Later(counted, ended)
		since = b.Base.Now().Add(-unreportedFor)
	}
	if !counted.IsZero() {
		since = counted.Add(time.Millisecond) // that instant was counted
	}
	r, err := u.app.sessions().Related(s, b.Base.Now())
	return capture.Uses{ID: s.ID, Since: since, Connections: r.Connections, Others: r.Others, Until: r.Until}, err
}

// recordOnce records the activity, unless another end of the same session did since s was read:
// the one that first marks the end records it. If it cannot, the mark is taken back.
func (u *UseCases) recordOnce(ctx context.Context, b *services.Services, s AgentSession, project string, a *GoodbyeAnswer) error {
	now, first := b.Base.Now(), false
	mark := func(change func(stored *AgentSession)) error {
		_, err := u.app.sessions().Update(ctx, s.ID, now, func(stored *AgentSession) {
			if !s.Known() {
				stored.Started = time.Time{} // the end of a session is not its start
			}
			change(stored)
		})
		return err
	}
	err := mark(func(stored *AgentSession) {
		if first = stored.Recorded.Equal(s.Recorded) && stored.RecordedPrompts == s.RecordedPrompts; first {
			stored.Recorded, stored.RecordedPrompts = now, s.Prompts
		}
	})
	if err != nil {
		return err
	}
	if !first {
		a.Captures, a.MemoriesUsed, a.Summary = 0, 0, ""
		if a.Prompts != nil {
			a.Prompts, a.Seconds = new(int), new(int64)
		}
	}
	if !first || !a.worthRecording() {
		return nil
	}
	description := a.Line()
	if a.Summary != "" {
		description += ". " + string(a.Summary)
	}
	c, err := b.Capture.New(brain.Source{Kind: brain.Activity, Type: health.SessionActivity, Description: description}, brain.Details{Project: project})
	if err == nil {
		var done brain.Captured
		done, err = b.Capture.Capture(ctx, c)
		a.ActivityID = brain.OrNull(done.SourceID)
	}
	if err != nil {
		err = errors.Join(err, mark(func(stored *AgentSession) { stored.Recorded, stored.RecordedPrompts = s.Recorded, s.RecordedPrompts }))
	}
	return err
}

func (a *GoodbyeAnswer) worthRecording() bool {
	return a.Captures > 0 || a.MemoriesUsed > 0 || a.Prompts != nil && *a.Prompts > 0
}

// Line returns the session in one line, without numbers that are not known.
func (a *GoodbyeAnswer) Line() string {
	begun := "session since " + a.Since.Local().Format("2006-01-02 15:04")
	var parts []string
	if a.Prompts != nil {
		begun = "session of " + moment.Rough(time.Duration(*a.Seconds)*time.Second)
		parts = append(parts, english.Plural(*a.Prompts, "prompt", ""))
	}
	parts = append(parts, english.Plural(a.Captures, "capture", ""), english.Plural(a.MemoriesUsed, "memory", "")+" used")
	if len(a.Files) > 0 {
		parts = append(parts, "read "+strings.Join(slices.Sorted(slices.Values(a.Files)), " and "))
	}
	if !a.worthRecording() && a.Extracted == 0 {
		return begun + ": nothing to record"
	}
	return begun + ": " + strings.Join(parts, ", ")
}
