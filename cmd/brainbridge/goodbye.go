package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/brainbridge/brainbridge/integration/app"
)

func (a *cli) goodbyeCommand() *cobra.Command {
	var session string
	var detached bool
	c := a.changing(&cobra.Command{
		Use: "goodbye", Short: "End a session: settle, write MEMORY.md, record the session",
		Long: "End a session: settle, write MEMORY.md, ingest the files listed in session.files, and\nrecord the session as an activity. The SessionEnd hook does the same.",
		Args: noArgs,
	})
	c.Flags().StringVar(&session, "session", "", "`ID` of the session (default: $BRAINBRIDGE_SESSION, else the latest session)")
	c.Flags().BoolVar(&detached, "detached", false, "write errors only to hooks.log")
	if err := c.Flags().MarkHidden("detached"); err != nil {
		panic(err) // it was defined above
	}
	goodbye := answers(a, func(ctx context.Context, u *app.UseCases, _ []string) (app.GoodbyeAnswer, error) {
		return u.Goodbye(ctx, session)
	}, func(g app.GoodbyeAnswer) {
		more := ""
		if g.Reflection != nil {
			more = "; reflection: " + g.Reflection.Summary()
		}
		a.printf("%s; %d promoted, %d expired%s\n", g.Line(), g.Promoted, g.Expired, more)
	})
	c.RunE = func(c *cobra.Command, args []string) error {
		err := goodbye(c, args)
		if err != nil && detached {
			a.logHook(err)
			return nil
		}
		return err
	}
	return c
}
