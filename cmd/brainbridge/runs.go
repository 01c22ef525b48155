package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/brainbridge/brainbridge/integration/app"
)

func (a *cli) runsCommand() *cobra.Command {
	c := &cobra.Command{Use: "runs", Short: "List runs: maintenance and other changes", Args: noArgs}
	limit := c.Flags().Int("limit", 20, "list at most `N` runs")
	c.RunE = answers(a, func(ctx context.Context, u *app.UseCases, _ []string) (app.RunsAnswer, error) {
		if err := positive(c, "limit", *limit); err != nil {
			return app.RunsAnswer{}, err
		}
		return u.Runs(ctx, *limit)
	}, a.showRuns)
	c.AddCommand(a.runsShowCommand())
	return c
}

func (a *cli) runsShowCommand() *cobra.Command {
	c := &cobra.Command{Use: "show [RUN]", Short: "Show the report of a run (default: the last one)", Args: between(0, 1)}
	c.RunE = answersAbout(a, (*app.UseCases).Run, a.showRun)
	return c
}

func (a *cli) showRuns(found app.RunsAnswer) {
	t := table{head: []string{"RUN", "STARTED", "KIND", "ACTIONS", "STATE"}, right: "ACTIONS"}
	for _, r := range found.Runs {
		t.item(r.ID, short(r.ID), at(r.Started), r.Kind, fmt.Sprint(r.Actions), runState(r))
	}
	a.printList(t, "no runs yet")
}

func runState(r app.RunLine) string {
	switch {
	case r.Undone:
		return "undone"
	case r.Finished == nil:
		return "not finished"
	}
	return ""
}
