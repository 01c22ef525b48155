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
		Use: "uninstall [AGENT...]", Short: "Undo the setup of agents",
		Long: "Undo the setup of agents, of all that are set up unless you name some: remove the settings\nand files that `install` added. Files that were edited since are kept, backups of settings\nare not.",
	})
	keep := c.Flags().Bool("keep-backups", false, "keep the backups of the agents' settings")
	c.RunE = func(c *cobra.Command, names []string) error {
		return confirmed(a, func(u *app.UseCases, _ context.Context, _ string) (app.InstallsAnswer, error) {
			return u.Dry().Uninstall(*scope, *keep, names...)
		}, func(all app.InstallsAnswer) (question string, lines []string) {
			for _, plan := range all {
				lines = append(lines, changeLines(plan)...)
			}
			return "to uninstall", lines
		}, func(u *app.UseCases, _ context.Context, _ app.InstallsAnswer) (app.InstallsAnswer, error) {
			return u.Uninstall(*scope, *keep, names...)
		}, a.showTakenBack)(c, nil)
	}
	return c
}

func (a *cli) showTakenBack(all app.InstallsAnswer) {
	for _, done := range all {
		if len(done.Changes) == 0 {
			a.say(done.Agent + " is not set up")
			continue
		}
		if !a.dryRun { // else the plan was shown
			a.showChanges(done)
		}
		a.showSetUp(done, "uninstalled", "would uninstall")
	}
	if len(all) == 0 {
		a.say("no agent is set up")
	}
}

// agentCommand gives a command the arguments and the flags for agents.
func (a *cli) agentCommand(c *cobra.Command) (_ *cobra.Command, scope *string) {
	c.Long += "\nAGENT is " + strings.Join(agents.All(), ", ") + "."
	c.ValidArgs = agents.All()
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
