package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/brainbridge/brainbridge/brain/health"
	"github.com/brainbridge/brainbridge/integration/app"
)

func (a *cli) healthCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "health", Short: "Whether the brain is in order, and what to do if not",
		Long: "Whether the brain is in order, and what to do if not. It changes nothing, and exits\nwith 0 also when it warns.",
		Args: noArgs,
	}
	c.RunE = answers(a, func(ctx context.Context, u *app.UseCases, _ []string) (health.Report, error) {
		return u.Health(ctx)
	}, a.showHealth)
	return c
}
