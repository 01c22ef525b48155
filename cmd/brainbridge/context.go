package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/brainbridge/brainbridge/integration/app"
)

func (a *cli) contextCommand() *cobra.Command {
	c := &cobra.Command{Use: "context", Short: "Print what an agent should know at the start of a session", Args: noArgs}
	budget := c.Flags().Int("budget", 2000, "maximum size in `TOKENS`")
	project := c.Flags().String("project", "", "`PROJECT` of the session (default: the name of the git work tree)")
	c.RunE = answers(a, func(ctx context.Context, u *app.UseCases, _ []string) (app.ContextAnswer, error) {
		if err := positive(c, "budget", *budget); err != nil {
			return app.ContextAnswer{}, err
		}
		return u.Context(ctx, app.ContextRequest{Budget: *budget, Project: given(c, "project", project)})
	}, func(found app.ContextAnswer) { a.printf("%s", a.plain(found.Text)) })
	return c
}
