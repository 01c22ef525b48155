package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/brainbridge/brainbridge/integration/app"
)

func (a *cli) forgetCommand() *cobra.Command {
	c := a.changing(&cobra.Command{
		Use: "forget ID", Short: "Archive and remove a memory",
		Long: "Archive and remove a memory. `unforget ID` or `undo` restores it. With --test-only,\n--all forgets every test memory.",
		Args: between(0, 1),
	})
	all := c.Flags().Bool("all", false, "forget every test memory (with --test-only)")
	forget := confirmed(a, (*app.UseCases).PlanForget, forgetLines, (*app.UseCases).Forget, a.showForgotten)
	forgetAll := confirmed(a, func(u *app.UseCases, ctx context.Context, _ string) (app.ForgetAllAnswer, error) {
		return u.Dry().ForgetAll(ctx)
	}, func(plan app.ForgetAllAnswer) (string, []string) {
		return "forget all test memories", []string{"forget " + counted(plan.Forgotten, "test memory") + ", archived first"}
	}, func(u *app.UseCases, ctx context.Context, _ app.ForgetAllAnswer) (app.ForgetAllAnswer, error) {
		return u.ForgetAll(ctx)
	}, func(done app.ForgetAllAnswer) {
		a.printf("%s %s\n", a.verb("forgotten:"), counted(done.Forgotten, "test memory"))
	})
	c.RunE = func(c *cobra.Command, args []string) error {
		switch {
		case *all && len(args) > 0:
			return usage("leave the id out", "--all forgets every test memory")
		case *all:
			return forgetAll(c, args)
		case len(args) == 0:
			return between(1, 1)(c, args)
		}
		return forget(c, args)
	}
	return c
}

func forgetLines(p app.ForgetPlan) (question string, lines []string) {
	question = "forget " + short(p.Memory.ID)
	lines = []string{question + ": " + flat(p.Memory.Name, 60)}
	if p.Earlier > 0 {
		lines = append(lines, "  with "+counted(p.Earlier, "earlier form")+" of it")
	}
	if p.Relations > 0 {
		lines = append(lines, "  with "+counted(p.Relations, "relation"))
	}
	return question, append(lines, "  archived first, in "+p.Archive)
}

func (a *cli) showForgotten(done app.ChangeAnswer) {
	m := done.Memory
	if a.quiet {
		a.printf("%s\n", *m.ID)
		return
	}
	a.printf("%s: %s\n", a.verb("forgotten"), flat(m.Name, 60))
	if !a.dryRun {
		a.printf("  %s\n", a.dim("brainbridge unforget "+*m.ID))
	}
}
