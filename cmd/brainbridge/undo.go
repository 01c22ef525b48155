package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/brainbridge/brainbridge/integration/app"
)

func (a *cli) undoCommand() *cobra.Command {
	c := a.changing(&cobra.Command{
		Use: "undo [RUN]", Short: "Undo a run (default: the last one that changed something)", Args: between(0, 1),
	})
	c.RunE = func(c *cobra.Command, args []string) error {
		named := len(args) > 0
		return confirmed(a, (*app.UseCases).PlanUndo, func(plan app.RunAnswer) (string, []string) {
			lines := undoLines(plan)
			if !named && a.yes && !a.dryRun {
				a.say("%s", lines[0])
			}
			return "undo " + short(plan.Run.ID), lines
		}, func(u *app.UseCases, ctx context.Context, plan app.RunAnswer) (app.UndoAnswer, error) {
			return u.Undo(ctx, plan.Run.ID)
		}, a.showUndone)(c, args)
	}
	return c
}

// planLines is how many actions a plan shows.
const planLines = 10

func undoLines(plan app.RunAnswer) []string {
	run := plan.Run
	lines := []string{fmt.Sprintf("undo the %s of %s (%s): %s", run.Kind, at(run.Started), short(run.ID), counted(run.Actions, "action"))}
	for _, act := range plan.Actions[:min(len(plan.Actions), planLines)] {
		lines = append(lines, fmt.Sprintf("  %-10s %s  %s", act.Kind, subject(act.IDs), flat(act.Reason, 70)))
	}
	if more := len(plan.Actions) - planLines; more > 0 {
		lines = append(lines, fmt.Sprintf("  … and %d more", more))
	}
	return lines
}

func (a *cli) showUndone(u app.UndoAnswer) {
	if a.quiet {
		a.printf("%s\n", u.RunID)
		return
	}
	a.printf("%s %s of run %s\n", a.verbFor("undid", "would undo"), counted(u.Undone.Undone, "action"), short(u.RunID))
	for _, s := range u.Skipped {
		a.printf("  left %s: %s\n", short(s.ID), s.Reason)
	}
}
