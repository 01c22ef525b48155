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
		Use: "install AGENT", Short: "Set up an agent: hooks, slash commands and skill",
		Long: "Set up an agent: add hooks, slash commands and the skill to its settings and leave all\nother settings unchanged. A settings file is backed up with the suffix " + agents.BackupSuffix + "\nbefore it is changed. Running the command again changes nothing.",
	})
	c.RunE = answers(a, func(_ context.Context, u *app.UseCases, args []string) (app.InstallAnswer, error) {
		return u.Install(args[0], *scope)
	}, func(done app.InstallAnswer) {
		a.showChanges(done)
		a.showSetUp(done, "installed", "would install")
	})
	return c
}

func (a *cli) uninstallCommand() *cobra.Command {
	c, scope := a.agentCommand(&cobra.Command{
		Use: "uninstall AGENT", Short: "Undo the setup of an agent",
		Long: "Undo the setup of an agent: remove the settings and files that `install` added. Files\nthat were edited since are kept, backups of settings are not.",
	})
	keep := c.Flags().Bool("keep-backups", false, "keep the backups of the agent's settings")
	c.RunE = confirmed(a, func(u *app.UseCases, _ context.Context, agent string) (app.InstallAnswer, error) {
		return u.Dry().Uninstall(agent, *scope, *keep)
	}, func(plan app.InstallAnswer) (string, []string) {
		return "to uninstall", changeLines(plan)
	}, func(u *app.UseCases, _ context.Context, plan app.InstallAnswer) (app.InstallAnswer, error) {
		return u.Uninstall(plan.Agent, plan.Scope, *keep)
	}, func(done app.InstallAnswer) {
		if !a.dryRun { // else the plan was shown
			a.showChanges(done)
		}
		a.showSetUp(done, "uninstalled", "would uninstall")
	})
	return c
}

// agentCommand gives a command the argument and the flags for an agent.
func (a *cli) agentCommand(c *cobra.Command) (_ *cobra.Command, scope *string) {
	c.Long += "\nAGENT is " + strings.Join(agents.All(), ", ") + "."
	c.Args, c.ValidArgs = between(1, 1), agents.All()
	return a.changing(c), c.Flags().String("scope", agents.UserScope, "`SCOPE`: user, or project for the current folder")
}

func (a *cli) showChanges(s app.InstallAnswer) {
	if a.quiet {
		return
	}
	for _, line := range changeLines(s) {
		a.printf("%s\n", line)
	}
}

func (a *cli) showSetUp(s app.InstallAnswer, done, planned string) {
	for _, n := range s.Notes {
		a.warn(n)
	}
	switch {
	case a.quiet:
		return
	case len(s.Changes) == 0:
		a.printf("%s is as it should be\n", s.Agent)
		return
	}
	a.printf("%s %s: %s\n", a.verbFor(done, planned), s.Agent, counted(len(s.Changes), "file"))
	for _, n := range s.Next {
		a.printf("next: %s\n", n)
	}
}

func changeLines(s app.InstallAnswer) []string {
	var lines []string
	for _, c := range s.Changes {
		lines = append(lines, fmt.Sprintf("  %s: %s", c.Path, c.What))
	}
	return lines
}
