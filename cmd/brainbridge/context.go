package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/brainbridge/brainbridge/integration/app"
)

func (a *cli) contextCommand() *cobra.Command {
	c := &cobra.Command{Use: "context", Short: "What an agent should know at the start of a session", Args: noArgs}
	budget := c.Flags().Int("budget", 2000, "`TOKENS` that it may fill")
	project := c.Flags().String("project", "", "`PROJECT` (default: the git work tree's name); what has none is always there")
	c.RunE = answers(a, func(ctx context.Context, u *app.UseCases, _ []string) (app.ContextAnswer, error) {
		if err := positive(c, "budget", *budget); err != nil {
			return app.ContextAnswer{}, err
		}
		return u.Context(ctx, app.ContextRequest{Budget: *budget, Project: given(c, "project", project)})
	}, func(found app.ContextAnswer) { a.printf("%s", a.plain(found.Text)) })
	return c
}
