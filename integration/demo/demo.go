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

// Fill lives through the days before now in a new brain: each day a session keeps some
// statements, recalls and uses some earlier ones, and a run follows.
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
	for day := range days {
		*clock = now.AddDate(0, 0, day-days+1).Add(-workday)
		u := a.As(app.Caller{Session: fmt.Sprintf("demo-%d", day), Agent: "claude-code"})
		earlier := len(lines) - ofToday
		today := lines[earlier*day/(days-1) : min(earlier, earlier*(day+1)/(days-1))]
		if day == days-1 {
			today = lines[earlier:]
		}
		if err := use(ctx, u, kept, dice); err != nil {
			return err
		}
		for _, line := range today {
			*clock = clock.Add(workday / time.Duration(len(today)+1))
			head, text, _ := strings.Cut(line, ": ")
			kind, project, _ := strings.Cut(head, " ")
			r := app.RememberRequest{Content: text, Type: kind}
			r.Project = &project
			made, err := u.Remember(ctx, r)
			if err != nil {
				return err
			}
			kept = append(kept, string(made.MemoryID))
			if _, err := u.Recall(ctx, app.RecallRequest{Query: text, Limit: 4}); err != nil {
				return err
			}
		}
		if _, err := u.Consolidate(ctx, app.ConsolidateRequest{}); err != nil {
			return err
		}
	}
	*clock = now
	return remind(ctx, a)
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
	for _, r := range []struct{ text, due string }{
		{"renew the certificate of the shop", "yesterday"}, {"call the registrar", "in 4 days"}, {"switch off the old cluster", "in 4 weeks"},
	} {
		if _, err := u.Remind(ctx, r.text, r.due, app.Details{Project: new("infra")}); err != nil {
			return err
		}
	}
	return nil
}
