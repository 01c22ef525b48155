package app

import (
	"errors"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/config"
)

// A run of the daemon, with all steps or without, is not what a bare undo takes back.
func TestABareUndoPassesOverRunsOfTheDaemon(t *testing.T) {
	home := t.TempDir()
	env := func(key string) string { return map[string]string{"BRAINBRIDGE_HOME": home}[key] }
	l, err := config.Load(config.Input{Env: env})
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	a := New(Options{Settings: l, Env: env, Now: func() time.Time { return now }})
	t.Cleanup(func() { _ = a.Close() })
	u := a.As(Caller{})
	if err := u.Create(t.Context()); err != nil {
		t.Fatal(err)
	}
	d, err := a.Daemon(t.Context(), silence{}, zerolog.Nop())
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		trigger string
		run     func() error
	}{
		{"settled", func() error { return d.Settle(t.Context()) }},
		{"nightly", func() error { return d.nightly(t.Context()) }},
	} {
		if _, err := u.Capture(t.Context(), brain.Source{Kind: brain.Crystallization, Trigger: step.trigger, Insight: "due at once"}, Details{}); err != nil {
			t.Fatal(err)
		}
		if err := step.run(); err != nil {
			t.Fatal(err)
		}
	}
	all, err := u.Runs(t.Context(), 10)
	if err != nil || len(all.Runs) < 2 {
		t.Fatalf("runs %+v, error %v", all.Runs, err)
	}
	if plan, err := u.PlanUndo(t.Context(), ""); !errors.Is(err, brain.ErrNotFound) {
		t.Errorf("it would take back %+v, error %v", plan.Run, err)
	}
	if _, err := u.Capture(t.Context(), brain.Source{Kind: brain.Crystallization, Trigger: "asked", Insight: "due at once"}, Details{}); err != nil {
		t.Fatal(err)
	}
	asked, err := u.Consolidate(t.Context(), ConsolidateRequest{})
	if err != nil {
		t.Fatal(err)
	}
	if plan, err := u.PlanUndo(t.Context(), ""); err != nil || plan.Run.ID != string(asked.RunID) {
		t.Errorf("it would take back %+v, error %v", plan.Run, err)
	}
}
