package main

import (
	"github.com/spf13/cobra"

	"github.com/brainbridge/brainbridge/integration/hooks"
)

func (a *cli) heartbeatCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "heartbeat", Short: "Print the reminder to capture that agents get every few prompts",
		Args: noArgs,
	}
	c.RunE = func(*cobra.Command, []string) error {
		return a.answer(struct {
			Text string `json:"text"`
		}{hooks.Heartbeat}, func() { a.printf("%s", hooks.Heartbeat) })
	}
	return c
}
