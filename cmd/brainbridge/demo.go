package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/config"
	"github.com/brainbridge/brainbridge/integration/app"
)

// demoText has three parts with a blank line between them: statements in the order in which they are
// captured, "kind project: text"; the entities, "name: description"; and what the person and the
// agent say in turn at the end of the last session. Two of those sentences say "Remember:" or "We
// decided", so they become memories.
//
//go:embed demo.txt
var demoText string

const (
	demoDays    = 60            // age of the brain
	demoWorkday = 5 * time.Hour // of the session of a day
	demoToday   = 14            // statements of the last day
)

// demoParts returns the lines of the parts of [demoText].
func demoParts() (statements, entities, talk []string) {
	parts := brain.Map(strings.Split(strings.TrimSpace(demoText), "\n\n"), func(part string) []string { return strings.Split(part, "\n") })
	return parts[0], parts[1], parts[2]
}

// demoBrain lives through the days before now in a new brain: each day a session gets its context,
// keeps some statements (decisions in the note of the day), recalls and uses some earlier ones,
// and a run follows. Each session has a transcript.
func demoBrain(ctx context.Context, settings config.Loaded, now time.Time) error {
	clock := now
	a := app.New(app.Options{Settings: settings, Env: func(string) string { return "" }, Now: func() time.Time { return clock }})
	err := fillDemo(ctx, a, now, &clock)
	if closed := a.Close(); err == nil {
		err = closed
	}
	return err
}

func fillDemo(ctx context.Context, a *app.App, now time.Time, clock *time.Time) error {
	if err := os.MkdirAll(a.Settings.Paths.State, 0o700); err != nil { // for the transcripts
		return err
	}
	lines, entities, talk := demoParts()
	dice := rand.New(rand.NewPCG(1, 2)) // the same brain each time
	var kept []string                   // ids
	named := map[string]string{}        // ids of the entities, by name
	for day := range demoDays {
		*clock = now.AddDate(0, 0, day-demoDays+1).Add(-demoWorkday)
		session := demoTranscript{session: fmt.Sprintf("demo-%d", day), dir: a.Settings.Paths.State}
		u := a.As(app.Caller{Session: session.session, Agent: "claude-code"})
		earlier := len(lines) - demoToday
		today := lines[earlier:]
		if day < demoDays-1 {
			today = lines[earlier*day/(demoDays-1) : earlier*(day+1)/(demoDays-1)]
		}
		if err := beginDemoDay(ctx, u, kept, dice); err != nil {
			return err
		}
		for _, line := range today {
			*clock = clock.Add(demoWorkday / time.Duration(len(today)+1))
			id, err := captureDemo(ctx, u, line, entities, named)
			if err != nil {
				return err
			}
			kept = append(kept, id)
			_, text, _ := strings.Cut(line, ": ")
			session.say(clock.Add(-time.Minute), text+".", "I keep that in mind.")
		}
		if day == demoDays-1 {
			*clock = now.Add(-5 * time.Minute)
			session.say(clock.Add(-4*time.Minute), talk...)
		}
		if err := session.writeAndRead(ctx, u); err != nil {
			return err
		}
		if _, err := u.Consolidate(ctx, app.ConsolidateRequest{}); err != nil {
			return err
		}
	}
	*clock = now
	if _, err := a.As(app.Caller{}).CreateBackup(ctx, "", ""); err != nil {
		return err
	}
	return remindDemo(ctx, a)
}

// beginDemoDay starts the session of a day.
func beginDemoDay(ctx context.Context, u *app.UseCases, kept []string, dice *rand.Rand) error {
	if err := u.CountDays(ctx); err != nil {
		return err
	}
	if _, err := u.Context(ctx, app.ContextRequest{}); err != nil {
		return err
	}
	return useDemo(ctx, u, kept, dice)
}

// captureDemo keeps a statement, a decision in the note of the day, with relations to the entities that it
// mentions, and recalls what is near to it. It returns the id of its memory.
func captureDemo(ctx context.Context, u *app.UseCases, line string, entities []string, named map[string]string) (string, error) {
	head, text, _ := strings.Cut(line, ": ")
	kind, project, _ := strings.Cut(head, " ")
	details := app.Details{Project: &project}
	for _, entity := range entities {
		name, what, _ := strings.Cut(entity, ": ")
		if !strings.Contains(strings.ToLower(text), strings.ToLower(name)) {
			continue
		}
		if named[name] == "" {
			made, err := u.Remember(ctx, app.RememberRequest{Name: name, Content: what, Entity: true})
			if err != nil {
				return "", err
			}
			named[name] = string(made.MemoryID)
		}
		details.Relate = append(details.Relate, "mentions:"+named[name])
	}
	made, err := captureStatement(ctx, u, kind, text, details)
	if err == nil {
		_, err = u.Recall(ctx, app.RecallRequest{Query: text, Limit: 4})
	}
	return string(made.MemoryID), err
}

// demoTranscript is the file of a session, as Claude Code writes it.
type demoTranscript struct {
	session, dir string
	lines        strings.Builder
}

// folder is that of the session; its name is that of the project.
func (t *demoTranscript) folder() string { return filepath.Join(t.dir, "shop") }

// say adds what the person and the agent say in turn, half a minute each.
func (t *demoTranscript) say(at time.Time, turns ...string) {
	for i, text := range turns {
		line := map[string]any{"type": "user", "uuid": brain.NewID(), "sessionId": t.session, "cwd": t.folder(), "timestamp": at.UTC().Format(time.RFC3339), "message": map[string]any{"role": "user", "content": text}}
		if i%2 == 1 {
			line["type"] = "assistant"
			line["message"] = map[string]any{"id": line["uuid"], "role": "assistant", "content": []map[string]string{{"type": "text", "text": text}}}
		}
		encoded, _ := json.Marshal(line) // of texts only
		t.lines.Write(append(encoded, '\n'))
		at = at.Add(30 * time.Second)
	}
}

// writeAndRead writes the file, and brings into the notes what was explicitly said in it.
func (t *demoTranscript) writeAndRead(ctx context.Context, u *app.UseCases) error {
	e := app.AgentEvent{SessionID: t.session, Transcript: filepath.Join(t.dir, t.session+".jsonl"), CWD: t.folder()}
	if err := os.WriteFile(e.Transcript, []byte(t.lines.String()), 0o600); err != nil {
		return err
	}
	if err := u.NoteEvent(ctx, e); err != nil {
		return err
	}
	return u.ReadTranscript(ctx, e)
}

func captureStatement(ctx context.Context, u *app.UseCases, kind, text string, details app.Details) (app.CaptureAnswer, error) {
	if kind == "decision" {
		return u.WriteOutcome(ctx, kind, text, "", details)
	}
	made, err := u.Remember(ctx, app.RememberRequest{Content: text, Type: kind, Details: details})
	if err != nil {
		return app.CaptureAnswer{}, err
	}
	return *made.CaptureAnswer, nil
}

// useDemo marks some memories as helpful or not. The product of two random numbers is mostly small,
// so the earliest memories get most of the verdicts.
func useDemo(ctx context.Context, u *app.UseCases, kept []string, dice *rand.Rand) error {
	for range min(8, len(kept)) {
		verdict := brain.Helpful
		if dice.IntN(6) == 0 {
			verdict = brain.NotHelpful
		}
		if _, err := u.Used(ctx, kept[int(float64(len(kept))*dice.Float64()*dice.Float64())], verdict, ""); err != nil {
			return err
		}
	}
	return nil
}

// remindDemo leaves some reminders, one of them overdue.
func remindDemo(ctx context.Context, a *app.App) error {
	u := a.As(app.Caller{})
	done, err := u.Remind(ctx, "order disks for the backup server", "yesterday", app.Details{Project: new("infra")})
	if err == nil {
		_, err = u.Done(ctx, string(done.SourceID), false)
	}
	if err != nil {
		return err
	}
	for _, r := range []struct{ text, due string }{
		{"renew the certificate of the shop", "yesterday"}, {"call the registrar", "in 4 days"}, {"switch off the old cluster", "in 4 weeks"},
	} {
		if _, err := u.Remind(ctx, r.text, r.due, app.Details{Project: new("infra")}); err != nil {
			return err
		}
	}
	return nil
}
