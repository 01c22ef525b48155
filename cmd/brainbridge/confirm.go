package main

import (
	"bufio"
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/integration/app"
)

// confirmed returns the function of a command that plans with its first argument,
// shows a person the lines of the plan, carries it out after a yes, and prints the
// answer. A plan without lines needs no yes.
func confirmed[P, A any](
	a *cli, plan func(u *app.UseCases, ctx context.Context, arg string) (P, error), ask func(P) (question string, lines []string),
	do func(*app.UseCases, context.Context, P) (A, error), show func(A),
) func(*cobra.Command, []string) error {
	return func(c *cobra.Command, _ []string) error {
		u, err := a.use()
		if err != nil {
			return err
		}
		p, err := plan(u, c.Context(), a.typed)
		if err != nil {
			return err
		}
		if question, lines := ask(p); len(lines) > 0 {
			if yes, err := a.confirm(question, lines...); err != nil || !yes {
				return err
			}
		}
		done, err := do(u, c.Context(), p)
		if err != nil {
			return err
		}
		return a.answer(done, func() { show(done) })
	}
}

// rehearsed is confirmed for a use case whose plan is its dry run.
func rehearsed[A any](a *cli, run func(*app.UseCases, context.Context) (A, error), ask func(A) (question string, lines []string), show func(A)) func(*cobra.Command, []string) error {
	return confirmed(a, func(u *app.UseCases, ctx context.Context, _ string) (A, error) { return run(u.Dry(), ctx) }, ask,
		func(u *app.UseCases, ctx context.Context, _ A) (A, error) { return run(u, ctx) }, show)
}

// confirm shows the plan and asks a person before something is removed or overwritten.
// Without a terminal it needs --yes. It reports whether to go on.
func (a *cli) confirm(question string, plan ...string) (bool, error) {
	if a.yes && !a.dryRun {
		return true, nil
	}
	if a.dryRun { // the plan is the answer, on a store that takes everything back
		if !a.json {
			a.printf("%s\n", strings.Join(plan, "\n"))
		}
		return true, nil
	}
	a.bar.clear()
	a.complain("%s", strings.Join(plan, "\n"))
	if !a.canAsk() {
		return false, usage("add --yes to do it, or --dry-run to see what it would do", "%s needs confirmation, and there is no terminal to ask", question)
	}
	fmt.Fprint(a.err, shown(question)+"? [y/N] ")
	line, err := bufio.NewReader(a.in).ReadString('\n')
	if err != nil && line == "" {
		return false, brain.Errorf(brain.ErrInvalid, "answer y, or add --yes", "there was no answer")
	}
	switch strings.ToLower(strings.TrimSpace(line)) {
	case "y", "yes":
		return true, nil
	}
	a.say("nothing was changed")
	return false, nil
}

// canAsk reports whether there is a person at a terminal.
func (a *cli) canAsk() bool { return a.inTTY && a.errTTY && !a.json }
