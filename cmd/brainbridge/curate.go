package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/brainbridge/brainbridge/integration/app"
)

func curateFlags(c *cobra.Command) *app.CurateRequest {
	var r app.CurateRequest
	c.Flags().BoolVar(&r.Force, "force", false, "write even if more than a quarter of the entries would go because their memories are gone")
	c.Flags().StringVar(&r.Form, "form", "", "`FORM` of the block: curated or full (default notes.form)")
	return &r
}

func (a *cli) curateCommand() *cobra.Command {
	c := a.changing(&cobra.Command{
		Use: "curate", Short: "Update the block of MEMORY.md from the memories",
		Long: "Update the block of MEMORY.md from the memories. Text outside the block is never changed.\nInside it, a changed entry corrects its memory, a deleted entry stays deleted, and added\ntext is moved below the block. `--dry-run` shows the difference.",
		Args: noArgs,
	})
	r := curateFlags(c)
	c.RunE = answers(a, func(ctx context.Context, u *app.UseCases, _ []string) (app.CurateAnswer, error) {
		return u.Curate(ctx, *r)
	}, a.showCurated)
	return c
}

func (a *cli) showCurated(c app.CurateAnswer) {
	a.printf("%s", c.Diff)
	for _, e := range c.Corrections {
		a.say("corrected by hand: %s %s", short(e.ID), flat(e.Text, 80))
	}
	for _, e := range c.Deleted {
		a.say("deleted by hand: %s %s", short(e.ID), flat(e.Text, 80))
	}
	switch {
	case a.quiet:
		return
	case !c.DryRun && !c.Written && c.Removed > 0:
		a.printf("%s keeps out what you deleted: %s, %d not shown\n", c.File, counted(c.Entries, "entry"), c.PointedTo)
	case !c.DryRun && !c.Written && len(c.Corrections) > 0:
		a.printf("%s stays as you wrote it: %s, %d not shown\n", c.File, counted(c.Entries, "entry"), c.PointedTo)
	case c.DryRun && c.Diff == "", !c.DryRun && !c.Written:
		a.printf("%s is up to date: %s, %d not shown\n", c.File, counted(c.Entries, "entry"), c.PointedTo)
	default:
		a.printf("%s %s: %d added, %d removed, %s, %d not shown (%d characters, %d lines)\n",
			a.verbFor("wrote", "would write"), c.File, c.Added, c.Removed, counted(c.Entries, "entry"), c.PointedTo, c.Chars, c.Lines)
	}
	for _, w := range c.Warnings {
		a.warn(w)
	}
	a.showUndo(c.RunID)
}
