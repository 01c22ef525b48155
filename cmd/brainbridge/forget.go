package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/brainbridge/brainbridge/integration/app"
)

func (a *cli) forgetCommand() *cobra.Command {
	c := a.changing(&cobra.Command{
		Use: "forget ID", Short: "Remove a memory; it is archived first",
		Long: "Remove a memory. It is archived first, and `unforget ID` or `undo` brings it back.\nWith --test-only, --all forgets every test memory.",
		Args: between(0, 1),
	})
	all := c.Flags().Bool("all", false, "every test memory (with --test-only)")
	c.RunE = func(c *cobra.Command, args []string) error {
		u, err := a.use()
		switch {
		case err != nil:
			return err
		case *all && len(args) > 0:
			return usage("leave the id out", "--all forgets every test memory")
		case *all:
			return a.forgetAll(c.Context(), u)
		case len(args) == 0:
			return between(1, 1)(c, args)
		}
		return a.forget(c.Context(), u, args[0])
	}
	return c
}

func (a *cli) forget(ctx context.Context, u *app.UseCases, id string) error {
	plan, err := u.PlanForget(ctx, id)
	if err != nil {
		return err
	}
	yes, err := a.confirm("forget "+short(plan.Memory.ID), forgetLines(plan)...)
	if err != nil || !yes {
		return err
	}
	done, err := u.Forget(ctx, plan)
	if err != nil {
		return err
	}
	return a.answer(done, func() {
		if a.quiet {
			a.printf("%s\n", plan.Memory.ID)
			return
		}
		a.printf("%s: %s\n", a.verb("forgotten"), flat(plan.Memory.Name, 60))
		if !a.dryRun {
			a.printf("  %s\n", a.dim("brainbridge unforget "+plan.Memory.ID))
		}
	})
}

func forgetLines(p app.ForgetPlan) []string {
	lines := []string{fmt.Sprintf("forget %s: %s", short(p.Memory.ID), flat(p.Memory.Name, 60))}
	if p.Earlier > 0 {
		lines = append(lines, "  with "+counted(p.Earlier, "earlier form")+" of it")
	}
	if p.Relations > 0 {
		lines = append(lines, "  with "+counted(p.Relations, "relation"))
	}
	return append(lines, "  archived first, in "+p.Archive)
}

func (a *cli) forgetAll(ctx context.Context, u *app.UseCases) error {
	n, err := u.PlanForgetAll(ctx)
	if err != nil {
		return err
	}
	yes, err := a.confirm("forget all test memories", "forget "+counted(n, "test memory")+", archived first")
	if err != nil || !yes {
		return err
	}
	done, err := u.ForgetAll(ctx)
	if err != nil {
		return err
	}
	return a.answer(done, func() { a.printf("%s %s\n", a.verb("forgotten:"), counted(done.Forgotten, "test memory")) })
}
