package main

import (
	"context"
	"slices"

	"github.com/dustin/go-humanize/english"
	"github.com/spf13/cobra"

	"github.com/brainbridge/brainbridge/integration/agents"
	"github.com/brainbridge/brainbridge/integration/app"
	"github.com/brainbridge/brainbridge/integration/hooks"
)

func (a *cli) heartbeatCommand() *cobra.Command {
	type reminder struct {
		Text string `json:"text"`
	}
	c := &cobra.Command{
		Use: "heartbeat", Short: "Print the reminder to capture that agents get every few prompts",
		Long: "Print the reminder to capture that agents get every few prompts. In a session whose\ntranscript is known it also lists at most five statements made since the last reminder\nthat may be worth keeping. Each is listed once.",
		Args: noArgs,
	}
	agent := agentFlag(c)
	c.RunE = answers(a, func(ctx context.Context, u *app.UseCases, _ []string) (reminder, error) {
		if !slices.Contains(agents.All(), *agent) {
			return reminder{}, usage("use "+english.OxfordWordSeries(agents.All(), "or"), "there is no agent %q", *agent)
		}
		r, err := u.Heartbeat(ctx)
		return reminder{hooks.Heartbeat(*agent, r, u.Flags())}, err
	}, func(r reminder) { a.printf("%s", r.Text) })
	return c
}
