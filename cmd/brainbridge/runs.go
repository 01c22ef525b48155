package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/brainbridge/brainbridge/brain"
)

// runLine is one run as programs read it.
type runLine struct {
	ID       string     `json:"id"`
	Kind     string     `json:"kind"`
	Started  time.Time  `json:"started"`
	Finished *time.Time `json:"finished"`
	Actions  int        `json:"actions"`
	Undone   bool       `json:"undone"`
}

func lineOf(r brain.Run) runLine {
	return runLine{r.ID, r.Kind, r.Started, timeOrNull(r.Finished), r.Actions, !r.Undone.IsZero()}
}

// actionLine is one action of a run as programs read it.
type actionLine struct {
	Kind   brain.ActionKind `json:"kind"`
	IDs    []string         `json:"ids"`
	Reason string           `json:"reason"`
	At     time.Time        `json:"at"`
	Undone bool             `json:"undone"`
}

func (a *app) runsCommand() *cobra.Command {
	c := &cobra.Command{Use: "runs", Short: "What maintenance and changes have done", Args: noArgs}
	limit := c.Flags().Int("limit", 20, "at most `N`")
	c.RunE = func(c *cobra.Command, _ []string) error {
		if err := positive(c, "limit", *limit); err != nil {
			return err
		}
		b, err := a.brain(c.Context())
		if err != nil {
			return err
		}
		latest, err := b.Runs(c.Context(), *limit)
		if err != nil {
			return err
		}
		lines := []runLine{}
		for _, r := range latest {
			if !a.testOnly || r.TestOnly {
				lines = append(lines, lineOf(r))
			}
		}
		return a.answer(map[string]any{"runs": lines}, func() { a.showRuns(lines) })
	}
	c.AddCommand(a.runsShowCommand())
	return c
}

func (a *app) showRuns(lines []runLine) {
	if len(lines) == 0 {
		a.printf("no runs yet\n")
		return
	}
	t := table{head: []string{"RUN", "STARTED", "KIND", "ACTIONS", "STATE"}, right: "ACTIONS"}
	for _, r := range lines {
		t.row(short(r.ID), at(r.Started), r.Kind, fmt.Sprint(r.Actions), runState(r))
	}
	a.print(t)
}

func runState(r runLine) string {
	switch {
	case r.Undone:
		return "undone"
	case r.Finished == nil:
		return "not finished"
	}
	return ""
}

func (a *app) runsShowCommand() *cobra.Command {
	c := &cobra.Command{Use: "show [RUN]", Short: "One run with its actions: the last one, or RUN", Args: between(0, 1)}
	c.RunE = func(c *cobra.Command, args []string) error {
		b, err := a.brain(c.Context())
		if err != nil {
			return err
		}
		id := first(args)
		if id == "" {
			latest, err := b.Runs(c.Context(), 1)
			if err != nil {
				return err
			}
			if len(latest) == 0 {
				return brain.Errorf(brain.ErrNotFound, "`brainbridge consolidate` makes one", "there are no runs yet")
			}
			id = latest[0].ID
		}
		run, actions, err := b.Run(c.Context(), id)
		if err != nil {
			return err
		}
		lines := []actionLine{}
		for _, act := range actions {
			lines = append(lines, actionLine{act.Kind, act.IDs, act.Reason, act.At, !act.Undone.IsZero()})
		}
		return a.answer(map[string]any{"run": lineOf(run), "actions": lines}, func() { a.showRun(run, lines) })
	}
	return c
}

func (a *app) showRun(run brain.Run, lines []actionLine) {
	a.printf("%s\n", a.bold(run.Kind))
	a.field("run", run.ID)
	a.field("started", at(run.Started))
	if s := runState(lineOf(run)); s != "" {
		a.field("state", s)
	}
	if len(lines) == 0 {
		return
	}
	a.printf("\n")
	t := table{head: []string{"ACTION", "AS OF", "MEMORY", "WHY"}}
	for _, l := range lines {
		why := flat(l.Reason, 80)
		if l.Undone {
			why += " (undone)"
		}
		t.row(string(l.Kind), at(l.At), short(first(l.IDs)), why)
	}
	a.print(t)
}
