// Package demo fills a brain with sixty made-up days, so that somebody can look at one before
// installing anything.
package demo

import (
	"context"
	_ "embed"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/config"
	"github.com/brainbridge/brainbridge/integration/app"
)

// statements are lines of the form "kind project: text", in the order in which they were kept.
//
//go:embed statements.txt
var statements string

const (
	days    = 60            // age of the brain
	workday = 5 * time.Hour // of the session of a day
	ofToday = 14            // statements that are kept in the last hours
)

// entities are what several statements mention by name.
func entities() []string {
	return []string{"Mara", "Jonas", "Staging", "Postgres", "R2", "old cluster", "pull request", "payment", "customer", "cart", "manual", "order", "image", "test"}
}

// Fill lives through the days before now in a new brain: each day a session gets its context,
// keeps some statements (decisions in the note of the day), recalls and uses some earlier ones,
// and a run follows.
func Fill(ctx context.Context, settings config.Loaded, now time.Time) error {
	clock := now
	a := app.New(app.Options{Settings: settings, Env: func(string) string { return "" }, Now: func() time.Time { return clock }})
	err := live(ctx, a, now, &clock)
	if closed := a.Close(); err == nil {
		err = closed
	}
	return err
}

func live(ctx context.Context, a *app.App, now time.Time, clock *time.Time) error {
	lines := strings.Split(strings.TrimSpace(statements), "\n")
	dice := rand.New(rand.NewPCG(1, 2)) // the same brain each time
	var kept []string                   // ids
	named := map[string]string{}        // ids of the entities, by name
	for day := range days {
		*clock = now.AddDate(0, 0, day-days+1).Add(-workday)
		u := a.As(app.Caller{Session: fmt.Sprintf("demo-%d", day), Agent: "claude-code"})
		earlier := len(lines) - ofToday
		today := lines[earlier*day/(days-1) : min(earlier, earlier*(day+1)/(days-1))]
		if day == days-1 {
			today = lines[earlier:]
		}
		if err := begin(ctx, u, kept, dice); err != nil {
			return err
		}
		for _, line := range today {
			*clock = clock.Add(workday / time.Duration(len(today)+1))
			id, err := keep(ctx, u, line, named)
			if err != nil {
				return err
			}
			kept = append(kept, id)
		}
		if _, err := u.Consolidate(ctx, app.ConsolidateRequest{}); err != nil {
			return err
		}
	}
	*clock = now
	if _, err := a.As(app.Caller{}).CreateBackup(ctx, ""); err != nil {
		return err
	}
	return remind(ctx, a)
}

// begin starts the session of a day.
func begin(ctx context.Context, u *app.UseCases, kept []string, dice *rand.Rand) error {
	if err := u.CountDays(ctx); err != nil {
		return err
	}
	if _, err := u.Context(ctx, app.ContextRequest{}); err != nil {
		return err
	}
	return use(ctx, u, kept, dice)
}

// keep keeps a statement, a decision in the note of the day, with relations to the entities that it
// mentions, and recalls what is near to it. It returns the id of its memory.
func keep(ctx context.Context, u *app.UseCases, line string, named map[string]string) (string, error) {
	head, text, _ := strings.Cut(line, ": ")
	kind, project, _ := strings.Cut(head, " ")
	details := app.Details{Project: &project}
	for _, name := range entities() {
		if !strings.Contains(strings.ToLower(text), strings.ToLower(name)) {
			continue
		}
		if named[name] == "" {
			made, err := u.Remember(ctx, app.RememberRequest{Name: name, Content: "Mentioned first in: " + text, Entity: true})
			if err != nil {
				return "", err
			}
			named[name] = string(made.MemoryID)
		}
		details.Relate = append(details.Relate, "mentions:"+named[name])
	}
	made, err := capture(ctx, u, kind, text, details)
	if err == nil {
		_, err = u.Recall(ctx, app.RecallRequest{Query: text, Limit: 4})
	}
	return string(made.MemoryID), err
}

func capture(ctx context.Context, u *app.UseCases, kind, text string, details app.Details) (app.CaptureAnswer, error) {
	if kind == "decision" {
		return u.WriteOutcome(ctx, kind, text, "", details)
	}
	made, err := u.Remember(ctx, app.RememberRequest{Content: text, Type: kind, Details: details})
	if err != nil {
		return app.CaptureAnswer{}, err
	}
	return *made.CaptureAnswer, nil
}

// use marks some memories as helpful or not. A few memories get most of the verdicts.
func use(ctx context.Context, u *app.UseCases, kept []string, dice *rand.Rand) error {
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

// remind leaves some reminders, one of them overdue.
func remind(ctx context.Context, a *app.App) error {
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
