package main

import (
	"github.com/spf13/cobra"

	"github.com/brainbridge/brainbridge/integration/app"
)

func (a *cli) healthCommand() *cobra.Command {
	return &cobra.Command{
		Use: "health", Short: "Whether the brain is in order, and what to do if not",
		Long: "Whether the brain is in order, and what to do if not. It changes nothing, and exits\nwith 0 also when it warns.",
		Args: noArgs, RunE: answersOf(a, (*app.UseCases).Health, a.showHealth),
	}
}
