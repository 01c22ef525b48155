package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/consolidate"
	"github.com/brainbridge/brainbridge/brain/reflection"
	"github.com/brainbridge/brainbridge/integration/hooks"
)

// goodbyeWait is how long the end of a session waits for a run that is under
// way; then that run settles once more before it ends.
const goodbyeWait = 10 * time.Second

// goodbyeAnswer is what the end of a session did.
type goodbyeAnswer struct {
	Session      *string  `json:"session"`
	ActivityID   *string  `json:"activityId"` // null where there was nothing to record
	Seconds      int64    `json:"seconds"`
	Prompts      int      `json:"prompts"`
	Captures     int      `json:"captures"`
	MemoriesUsed int      `json:"memoriesUsed"`
	Files        []string `json:"files"`
	Extracted    int      `json:"extracted"` // outcomes from those files
	RunID        *string  `json:"runId"`
	Promoted     int      `json:"promoted"`
	Expired      int      `json:"expired"`
	Summary      *string  `json:"summary"` // three sentences of a model; null without one
	// Reflection is what a reflection found that was due; null where none was.
	Reflection *reflection.Findings `json:"reflection"`
	DryRun     bool                 `json:"dryRun,omitempty"`
}

func (a *app) goodbyeCommand() *cobra.Command {
	var session string
	var detached bool
	c := a.changing(&cobra.Command{
		Use: "goodbye", Short: "End a session: settle, write MEMORY.md, record what the session was",
		Long: "End a session: settle what is due, write MEMORY.md, take in what the files of\nsession.files say, and record the session as an activity. The hook of a session's end\ndoes the same.",
		Args: noArgs,
	})
	c.Flags().StringVar(&session, "session", "", "`ID` of the session (default: $BRAINBRIDGE_SESSION, else the latest one)")
	c.Flags().BoolVar(&detached, "detached", false, "tell what fails to hooks.log alone")
	if err := c.Flags().MarkHidden("detached"); err != nil {
		panic(err) // it was defined above
	}
	c.RunE = func(c *cobra.Command, _ []string) error {
		err := a.goodbye(c.Context(), session)
		if err != nil && detached {
			a.logHook(err)
			return nil
		}
		return err
	}
	return c
}

func (a *app) goodbye(ctx context.Context, id string) error {
	if err := a.realOnly("goodbye"); err != nil {
		return err
	}
	sessions, err := a.hookSessions()
	if err != nil {
		return err
	}
	s, err := a.sessionToEnd(sessions, id)
	if err != nil {
		return err
	}
	b, err := a.beginning(ctx, true)
	if err != nil {
		return err
	}
	answer := goodbyeAnswer{Session: textOrNull(s.ID), Prompts: s.Prompts, Files: []string{}, DryRun: a.dryRun}
	if err := a.sessionFiles(ctx, b, s, &answer); err != nil {
		return err
	}
	if err := a.sessionRun(ctx, b, &answer); err != nil {
		return err
	}
	if err := a.recordSession(ctx, b, sessions, s, &answer); err != nil {
		return err
	}
	a.reflectIfDue(ctx, b, &answer)
	return a.answer(answer, func() { a.showGoodbye(answer) })
}

// sessionToEnd is the session that was named, or the latest; without an id
// where none is known.
func (a *app) sessionToEnd(sessions *hooks.Sessions, id string) (hooks.Session, error) {
	if id == "" {
		id = a.env("BRAINBRIDGE_SESSION")
	}
	if id != "" {
		return sessions.Load(id)
	}
	return sessions.Latest()
}

// maxSessionFile is the most that is read of a file in a session's folder.
const maxSessionFile = 1 << 20

// sessionFiles takes in what the files say that an agent keeps of its progress.
func (a *app) sessionFiles(ctx context.Context, b *brain.Brain, s hooks.Session, answer *goodbyeAnswer) error {
	l, err := a.settings()
	if err != nil || s.CWD == "" || a.dryRun {
		return err
	}
	door, err := a.transcriptDoor(ctx, b, zerolog.Nop())
	if err != nil {
		return err
	}
	for _, name := range l.Config.Session.Files {
		text, err := readSessionFile(filepath.Join(s.CWD, name))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			a.warnOf(err)
			continue
		}
		added, err := door.Text(ctx, s.ID, name, text, b.Now())
		if err != nil {
			return fmt.Errorf("take in %s: %w", name, err)
		}
		answer.Files, answer.Extracted = append(answer.Files, name), answer.Extracted+added
	}
	return nil
}

func readSessionFile(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close() //nolint:errcheck // it was only read
	data, err := io.ReadAll(io.LimitReader(f, maxSessionFile))
	return strings.ToValidUTF8(string(data), "\ufffd"), err
}

// sessionRun settles what is due and writes MEMORY.md, as one run. One that is
// under way is left a request.
func (a *app) sessionRun(ctx context.Context, b *brain.Brain, answer *goodbyeAnswer) error {
	warn := a.warnOf
	var steps []consolidate.Step
	if !a.empty() {
		curator, err := a.curator(b, curateFlags{}, func(s string) { warn(errors.New(s)) })
		if err != nil {
			return err
		}
		steps = append(steps, curator)
	}
	r, err := a.runnerWith(b, runOptions{}, warn, steps...)
	if err != nil {
		return err
	}
	rep, err := runs(ctx, goodbyeWait, func() (consolidate.Report, error) {
		return r.Run(ctx, a.request(brain.RunCurate))
	})
	if errors.Is(err, brain.ErrBusy) && !a.dryRun {
		a.say("%v; it was asked to settle once more before it ends", err)
		return r.Ask(ctx)
	}
	answer.RunID, answer.Promoted, answer.Expired = textOrNull(rep.RunID), len(rep.Promoted), rep.Expired
	return err
}

// recordSession records what happened in a session since it was recorded last,
// and marks its end.
func (a *app) recordSession(ctx context.Context, b *brain.Brain, sessions *hooks.Sessions, s hooks.Session, answer *goodbyeAnswer) error {
	now := b.Now()
	since := s.Started
	if !s.Recorded.IsZero() {
		since = s.Recorded.Add(time.Millisecond) // what was captured at that instant was counted
	}
	if s.ID != "" && !s.Started.IsZero() {
		tally, err := b.SessionTally(ctx, s.ID, since)
		if err != nil {
			return err
		}
		answer.Prompts, answer.Captures, answer.MemoriesUsed = s.Prompts-s.RecordedPrompts, tally.Captures, tally.Used
		answer.Seconds = int64(max(0, now.Sub(since)).Seconds())
	}
	if a.dryRun {
		return nil
	}
	if answer.Prompts > 0 || answer.Captures > 0 {
		answer.Summary = textOrNull(a.recount(ctx, b, since))
		if err := a.recordOnce(ctx, b, sessions, s, answer); err != nil {
			return err
		}
	}
	_, measured := a.keepHealth(ctx, b)
	return errors.Join(b.EndSession(ctx, now), measured, sessions.Sweep())
}

// recordOnce records what happened, under the lock of the session: of two ends
// of it at the same time one finds nothing left to record.
func (a *app) recordOnce(ctx context.Context, b *brain.Brain, sessions *hooks.Sessions, s hooks.Session, answer *goodbyeAnswer) error {
	var failed error
	now := b.Now()
	_, err := sessions.Update(ctx, s.ID, now, func(here *hooks.Session) {
		if !here.Recorded.Equal(s.Recorded) || here.RecordedPrompts != s.RecordedPrompts {
			answer.Prompts, answer.Captures, answer.Seconds, answer.Summary = 0, 0, 0, nil
			return
		}
		if failed = a.recordActivity(ctx, b, s, answer); failed == nil {
			here.Recorded, here.RecordedPrompts = now, s.Prompts
		}
	})
	return errors.Join(err, failed)
}

func (a *app) recordActivity(ctx context.Context, b *brain.Brain, s hooks.Session, answer *goodbyeAnswer) error {
	d := brain.Details{}
	if s.CWD != "" {
		d.Project = projectAt(s.CWD)
	}
	description := answer.words()
	if answer.Summary != nil {
		description += ". " + *answer.Summary
	}
	made, err := b.NewActivity(reflection.SessionActivity, description, d)
	if err != nil {
		return err
	}
	done, err := b.Capture(ctx, made)
	answer.ActivityID = textOrNull(done.SourceID)
	return err
}

// words are the session in one line.
func (g goodbyeAnswer) words() string {
	parts := []string{
		counted(g.Prompts, "prompt"), counted(g.Captures, "capture"), counted(g.MemoriesUsed, "memory") + " used",
	}
	if len(g.Files) > 0 {
		parts = append(parts, "read "+strings.Join(slices.Sorted(slices.Values(g.Files)), " and "))
	}
	return fmt.Sprintf("session of %s: %s", span(time.Duration(g.Seconds)*time.Second), strings.Join(parts, ", "))
}

func (a *app) showGoodbye(g goodbyeAnswer) {
	more := ""
	if g.Reflection != nil {
		more = "; reflection: " + g.Reflection.Words()
	}
	a.printf("%s; %d promoted, %d expired%s\n", g.words(), g.Promoted, g.Expired, more)
}
