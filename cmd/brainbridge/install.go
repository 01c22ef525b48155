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
		Use: "install [AGENT...]", Short: "Set up agents: hooks, slash commands and skill",
		Long: "Set up agents, all that are found unless you name some: add hooks, slash commands and the\nskill to their settings and leave all other settings unchanged. A settings file is backed up with the suffix " + agents.BackupSuffix + "\nbefore it is changed. Running the command again changes nothing.",
	})
	c.Args = nil
	install := answers(a, func(_ context.Context, u *app.UseCases, args []string) (app.InstallsAnswer, error) {
		return u.Install(*scope, args...)
	}, func(all app.InstallsAnswer) {
		for _, done := range all {
			a.showChanges(done)
			a.showSetUp(done, "installed", "would install")
		}
	})
	c.RunE = func(c *cobra.Command, args []string) error {
		if len(args) > 0 {
			return install(c, args)
		}
		found, err := a.chooseAgents()
		if err != nil || len(found) == 0 {
			return err
		}
		return install(c, found)
	}
	return c
}

// chooseAgents returns the agents of this user, none if they say no.
func (a *cli) chooseAgents() ([]string, error) {
	u, err := a.use()
	if err != nil {
		return nil, err
	}
	found := u.AgentsFound()
	if len(found) == 0 {
		return nil, usage("name the one that you will use: `brainbridge install "+strings.Join(agents.All(), "|")+"`",
			"no agent was found: neither a folder nor a program of Claude Code, Codex, Gemini CLI or OpenClaw")
	}
	if !a.canAsk() && !a.yes && !a.dryRun {
		return nil, usage("type `brainbridge install "+strings.Join(found, " ")+"`, or only those that you want", "install needs the name of an agent; found: %s", strings.Join(found, ", "))
	}
	yes, err := a.confirm("set up "+strings.Join(found, ", "), "found: "+strings.Join(found, ", "))
	if !yes {
		return nil, err
	}
	return found, err
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
