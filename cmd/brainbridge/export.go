package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/brainbridge/brainbridge/integration/app"
	"github.com/brainbridge/brainbridge/integration/exchange"
)

func (a *cli) exportCommand() *cobra.Command {
	var below []*cobra.Command
	for _, format := range exchange.ExportFormats() {
		c := a.changing(&cobra.Command{Use: format.Name + " " + format.Argument, Short: format.Short, Args: between(1, 1)})
		c.RunE = answers(a, func(ctx context.Context, u *app.UseCases, args []string) (app.ExportAnswer, error) {
			return u.Export(ctx, app.ExportRequest{Format: format, Path: args[0]})
		}, a.showExport)
		below = append(below, c)
	}
	return parent("export", "Export memories to files", below...)
}

func (a *cli) showExport(r app.ExportAnswer) {
	if a.quiet {
		a.printf("%d\n", r.Written)
		return
	}
	a.printf("%s %s of %s to %s: %d unchanged, %d removed\n", a.verbFor("wrote", "would write"), counted(r.Written, "file"),
		counted(r.Memories, "memory"), r.Dir, r.Unchanged, r.Removed)
	a.showFiles("problem", r.Problems)
}
