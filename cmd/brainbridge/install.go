package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/brainbridge/brainbridge/integration/agents"
	"github.com/brainbridge/brainbridge/integration/app"
)

func (a *cli) installCommand() *cobra.Command {
	c, scope := a.agentCommand(&cobra.Command{
		Use: "install AGENT", Short: "Set an agent up: hooks, slash commands, skill",
		Long: "Set an agent up: its hooks, slash commands and skill, merged into its own settings without\ntouching anything else in them. A settings file that changes is kept beside itself as it\nwas, with the ending " + agents.BackupSuffix + ". Done twice it changes nothing.",
	})
	c.RunE = answers(a, func(_ context.Context, u *app.UseCases, args []string) (app.InstallAnswer, error) {
		return u.Install(args[0], *scope)
	}, func(done app.InstallAnswer) {
		for _, line := range changeLines(done) {
			a.printf("%s\n", line)
		}
		a.showSetUp(done, "installed", "would install")
	})
	return c
}

func (a *cli) uninstallCommand() *cobra.Command {
	c, scope := a.agentCommand(&cobra.Command{
		Use: "uninstall AGENT", Short: "Take an installation back",
		Long: "Take an installation back: what is ours in an agent's settings, and the files that are as\n`install` wrote them. What a person changed stays.",
	})
	c.RunE = func(_ *cobra.Command, args []string) error { return a.uninstall(args[0], *scope) }
	return c
}

// agentCommand gives a command the argument and the flags for an agent.
func (a *cli) agentCommand(c *cobra.Command) (_ *cobra.Command, scope *string) {
	c.Long += "\nAGENT is " + strings.Join(agents.All(), ", ") + "."
	c.Args, c.ValidArgs = between(1, 1), agents.All()
	return a.changing(c), c.Flags().String("scope", agents.UserScope, "`SCOPE`: user, or project for the folder that you are in")
}

func (a *cli) uninstall(agent, scope string) error {
	u, err := a.use()
	if err != nil {
		return err
	}
	plan, err := u.PlanUninstall(agent, scope)
	if err != nil {
		return err
	}
	if len(plan.Changes) > 0 {
		if yes, err := a.confirm("to uninstall", changeLines(plan)...); err != nil || !yes {
			return err
		}
	}
	done, err := u.Uninstall(agent, scope)
	if err != nil {
		return err
	}
	return a.answer(done, func() {
		if !a.dryRun { // else the plan was shown
			for _, line := range changeLines(done) {
				a.printf("%s\n", line)
			}
		}
		a.showSetUp(done, "uninstalled", "would uninstall")
	})
}

func (a *cli) showSetUp(s app.InstallAnswer, done, would string) {
	for _, n := range s.Notes {
		a.warn(n)
	}
	if len(s.Changes) == 0 {
		a.printf("%s is as it should be\n", s.Agent)
		return
	}
	a.printf("%s %s: %s\n", a.would(done, would), s.Agent, counted(len(s.Changes), "file"))
}

func changeLines(s app.InstallAnswer) []string {
	var lines []string
	for _, c := range s.Changes {
		lines = append(lines, fmt.Sprintf("  %s: %s", c.Path, c.What))
	}
	return lines
}
