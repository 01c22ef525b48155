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
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/brain/reflection"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/brain/session"
	"github.com/brainbridge/brainbridge/integration/hooks"
)

// goodbyeWait is how long the end of a session waits for a run that is under
// way; then that run settles once more before it ends.
const goodbyeWait = 10 * time.Second

// goodbyeAnswer is what the end of a session did.
type goodbyeAnswer struct {
	Session    *string `json:"session"`
	ActivityID *string `json:"activityId"` // null where there was nothing to record
	// Since is from when on it is counted what happened.
	Since        time.Time `json:"since"`
	Seconds      *int64    `json:"seconds"` // null where no hook told of the session
	Prompts      *int      `json:"prompts"` // likewise
	Captures     int       `json:"captures"`
	MemoriesUsed int       `json:"memoriesUsed"`
	Files        []string  `json:"files"`
	Extracted    int       `json:"extracted"` // outcomes from those files
	RunID        *string   `json:"runId"`
	Promoted     int       `json:"promoted"`
	Expired      int       `json:"expired"`
	Summary      *string   `json:"summary"` // three sentences of a model; null without one
	// Reflection is what a reflection found that was due; null where none was.
	Reflection *reflection.Findings `json:"reflection"`
	DryRun     bool                 `json:"dryRun,omitempty"`
}

func (a *cli) goodbyeCommand() *cobra.Command {
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

func (a *cli) goodbye(ctx context.Context, id string) error {
	sessions, err := a.hookSessions()
	if err != nil {
		return err
	}
	b, err := a.brain(ctx)
	if err != nil {
		return err
	}
	u, err := a.use()
	if err != nil {
		return err
	}
	s, err := u.AgentSession(sessions, id, b.Base.Now())
	if err != nil {
		return err
	}
	answer := goodbyeAnswer{Session: textOrNull(s.ID), Files: []string{}, DryRun: a.dryRun}
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
	return a.answer(answer, func() { a.showGoodbye(&answer) })
}

// maxSessionFile is the most that is read of a file in a session's folder.
const maxSessionFile = 1 << 20

// sessionFiles takes in what the files say that an agent keeps of its progress.
func (a *cli) sessionFiles(ctx context.Context, b *services.Services, s hooks.Session, answer *goodbyeAnswer) error {
	l, err := a.settings()
	if err != nil || s.CWD == "" || a.dryRun {
		return err
	}
	u, err := a.use()
	if err != nil {
		return err
	}
	door, err := u.TranscriptDoor(ctx, b, zerolog.Nop())
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
		added, err := door.Text(ctx, s.ID, name, text, b.Base.Now())
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
func (a *cli) sessionRun(ctx context.Context, b *services.Services, answer *goodbyeAnswer) error {
	u, err := a.use()
	if err != nil {
		return err
	}
	rep, err := u.Settle(ctx, b, goodbyeWait)
	answer.RunID, answer.Promoted, answer.Expired = textOrNull(rep.RunID), len(rep.Promoted), rep.Expired
	return err
}

// recordSession records what happened in a session since it was recorded last,
// and marks its end.
func (a *cli) recordSession(ctx context.Context, b *services.Services, sessions *hooks.Sessions, s hooks.Session, answer *goodbyeAnswer) error {
	now := b.Base.Now()
	uses, err := usesOf(ctx, b, sessions, s)
	if err != nil {
		return err
	}
	tally, err := b.Session.SessionTally(ctx, uses)
	if err != nil {
		return err
	}
	answer.Since, answer.Captures, answer.MemoriesUsed = brain.Instant(uses.Since), tally.Captures, tally.Used
	if s.Known() {
		answer.Prompts = new(s.Prompts - s.RecordedPrompts)
		answer.Seconds = new(int64(max(0, now.Sub(uses.Since)).Seconds()))
	}
	if a.dryRun {
		return nil
	}
	if answer.something() {
		answer.Summary = textOrNull(a.recount(ctx, b, uses.Since))
	}
	if err := a.recordOnce(ctx, b, sessions, s, answer); err != nil {
		return err
	}
	_, measured := a.keepHealth(ctx, b)
	return errors.Join(b.Session.EndSession(ctx, now), measured, sessions.Sweep())
}

// unknownFor is how far back is counted what happened in a session that no hook
// told of, where none has ended before.
const unknownFor = 24 * time.Hour

// usesOf are the uses of a session since it was recorded last; of one that no
// hook told of, since a session ended last.
func usesOf(ctx context.Context, b *services.Services, sessions *hooks.Sessions, s hooks.Session) (session.Uses, error) {
	since, counted := s.Started, s.Recorded
	if !s.Known() {
		ended, err := b.Base.JobFinished(ctx, lifecycle.SessionJob)
		if err != nil {
			return session.Uses{}, err
		}
		if ended.After(counted) {
			counted = ended
		}
		since = b.Base.Now().Add(-unknownFor)
	}
	if !counted.IsZero() {
		since = counted.Add(time.Millisecond) // what happened at that instant was counted
	}
	uses := session.Uses{ID: s.ID, Since: since}
	var err error
	uses.Connections, uses.Until, err = sessions.Connected(s, b.Base.Now())
	return uses, err
}

// recordOnce records what happened, under the lock of the session: of two ends
// of it at the same time one finds nothing left to record.
func (a *cli) recordOnce(ctx context.Context, b *services.Services, sessions *hooks.Sessions, s hooks.Session, answer *goodbyeAnswer) error {
	var failed error
	now := b.Base.Now()
	_, err := sessions.Update(ctx, s.ID, now, func(here *hooks.Session) {
		if !s.Known() {
			here.Started = time.Time{} // its end is no start
		}
		if !here.Recorded.Equal(s.Recorded) || here.RecordedPrompts != s.RecordedPrompts {
			answer.none()
		}
		if answer.something() {
			failed = a.recordActivity(ctx, b, s, answer)
		}
		if failed == nil {
			here.Recorded, here.RecordedPrompts = now, s.Prompts
		}
	})
	return errors.Join(err, failed)
}

// something reports whether there is anything to record.
func (g *goodbyeAnswer) something() bool {
	return g.Captures > 0 || g.MemoriesUsed > 0 || g.Prompts != nil && *g.Prompts > 0
}

// none: another end of the session has recorded it.
func (g *goodbyeAnswer) none() {
	g.Captures, g.MemoriesUsed, g.Summary = 0, 0, nil
	if g.Prompts != nil {
		g.Prompts, g.Seconds = new(int), new(int64)
	}
}

func (a *cli) recordActivity(ctx context.Context, b *services.Services, s hooks.Session, answer *goodbyeAnswer) error {
	d := brain.Details{}
	if s.CWD != "" {
		d.Project = projectAt(s.CWD)
	}
	description := answer.words()
	if answer.Summary != nil {
		description += ". " + *answer.Summary
	}
	made, err := b.Capture.New(brain.Source{Kind: brain.Activity, Type: reflection.SessionActivity, Description: description}, d)
	if err != nil {
		return err
	}
	done, err := b.Capture.Capture(ctx, made)
	answer.ActivityID = textOrNull(done.SourceID)
	return err
}

// words are the session in one line, without what nobody counted.
func (g *goodbyeAnswer) words() string {
	begun := "session since " + g.Since.Format(time.RFC3339)
	var parts []string
	if g.Prompts != nil {
		begun = "session of " + span(time.Duration(*g.Seconds)*time.Second)
		parts = append(parts, counted(*g.Prompts, "prompt"))
	}
	parts = append(parts, counted(g.Captures, "capture"), counted(g.MemoriesUsed, "memory")+" used")
	if len(g.Files) > 0 {
		parts = append(parts, "read "+strings.Join(slices.Sorted(slices.Values(g.Files)), " and "))
	}
	return begun + ": " + strings.Join(parts, ", ")
}

func (a *cli) showGoodbye(g *goodbyeAnswer) {
	more := ""
	if g.Reflection != nil {
		more = "; reflection: " + g.Reflection.Summary()
	}
	a.printf("%s; %d promoted, %d expired%s\n", g.words(), g.Promoted, g.Expired, more)
}
