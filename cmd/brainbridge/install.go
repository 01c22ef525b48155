package main

import (
	"context"
	"strings"

	"github.com/dustin/go-humanize/english"
	"github.com/spf13/cobra"

	"github.com/brainbridge/brainbridge/integration/agents"
	"github.com/brainbridge/brainbridge/integration/app"
)

func (a *cli) installCommand() *cobra.Command {
	c, scope := a.agentCommand("install [AGENT...]", "Set up agents: hooks, slash commands and skill",
		"Set up agents, all that are found unless you name some: add hooks, slash commands and the\nskill to their settings and leave all other settings unchanged. A settings file is backed up with the suffix "+agents.BackupSuffix+"\nbefore it is changed. Running the command again changes nothing.")
	c.RunE = answers(a, func(ctx context.Context, u *app.UseCases, args []string) (agents.AllDone, error) {
		if len(args) == 0 {
			found, err := a.chooseAgents(u)
			if err != nil || len(found) == 0 {
				return nil, err
			}
			args = found
		}
		return u.Install(ctx, *scope, args...)
	}, func(all agents.AllDone) {
		for _, done := range all {
			a.showSetUp(done, a.verbFor("installed", "would install"), true)
		}
		a.showNext(all)
	})
	return c
}

// chooseAgents returns the agents of this user, none if they say no.
func (a *cli) chooseAgents(u *app.UseCases) ([]string, error) {
	found := u.AgentsFound()
	if len(found) == 0 {
		return nil, usage("name the one that you will use: `brainbridge install "+strings.Join(agents.All(), "|")+"`",
			"no agent was found: neither a folder nor a program of Claude Code, Codex, Gemini CLI or OpenClaw")
	}
	if !a.canAsk() && !a.yes && !a.dryRun {
		return nil, usage("type `brainbridge install "+strings.Join(found, " ")+"`, or only those that you want", "install needs the name of an agent; found: %s", strings.Join(found, ", "))
	}
	yes, err := a.confirm("set "+english.PluralWord(len(found), "it", "them")+" up", "found "+english.WordSeries(found, "and"))
	if !yes {
		return nil, err
	}
	return found, err
}

func (a *cli) uninstallCommand() *cobra.Command {
	c, scope := a.agentCommand("uninstall [AGENT...]", "Undo the setup of agents",
		"Undo the setup of agents, of all that are set up unless you name some: remove the settings\nand files that `install` added. Files that were edited since are kept, backups of settings\nare not.")
	c.RunE = func(c *cobra.Command, names []string) error {
		return rehearsed(a, func(u *app.UseCases, _ context.Context) (agents.AllDone, error) {
			return u.Uninstall(*scope, names...)
		}, func(all agents.AllDone) (question string, lines []string) {
			var set []string
			for _, plan := range all {
				if len(plan.Changes) > 0 {
					set, lines = append(set, plan.Agent), append(lines, a.changeLines(plan)...)
				}
			}
			return "uninstall " + english.WordSeries(set, "and"), lines
		}, a.showTakenBack)(c, nil)
	}
	return c
}

func (a *cli) showTakenBack(all agents.AllDone) {
	for _, done := range all {
		if len(done.Changes) == 0 {
			a.say(done.Agent + " is not set up")
			continue
		}
		asked := a.dryRun || !a.yes // and the changes were shown
		a.showSetUp(done, a.verbFor("uninstalled", "would uninstall"), !asked)
	}
	if len(all) == 0 {
		a.say("no agent is set up")
	}
}

// agentCommand returns a command with the arguments and the flags for agents.
func (a *cli) agentCommand(use, short, long string) (c *cobra.Command, scope *string) {
	c = command(use, short, nil)
	c.Long = long + "\nAGENT is " + strings.Join(agents.All(), ", ") + "."
	c.ValidArgs = agents.All()
	return changing(c), c.Flags().String("scope", agents.UserScope, "`SCOPE`: user, or project for the current folder")
}

// showSetUp prints the changes for an agent.
func (a *cli) showSetUp(s agents.Done, did string, changes bool) {
	line := did + " " + s.Agent + ": " + counted(len(s.Changes), "file")
	if len(s.Changes) == 0 {
		line = s.Agent + " is as it should be"
	}
	a.printLines(line)
	if changes {
		a.printLines(a.changeLines(s)...)
	}
	for _, n := range s.Notes {
		a.warn(n)
	}
}

// showNext prints what the person has to do next.
func (a *cli) showNext(all agents.AllDone) {
	title := "\nleft to do:\n"
	var left []string
	for _, s := range all {
		left = append(left, s.Next...)
	}
	if core, err := a.app(); err == nil && len(all) > 0 && !core.RecallsByMeaning() {
		left = append(left, "Recall goes by words alone: `brainbridge model install` adds a sentence model (91 MB), without a server or a key.")
	}
	for _, line := range left {
		a.printLines(title + "- " + line)
		title = ""
	}
}

func (a *cli) printLines(lines ...string) {
	for _, line := range lines {
		if !a.quiet {
			a.printf("%s\n", line)
		}
	}
}

func (a *cli) changeLines(s agents.Done) []string {
	var lines []string
	home := a.env("HOME")
	for _, c := range s.Changes {
		path := c.Path
		if rest, inside := strings.CutPrefix(path, home+"/"); inside && home != "" {
			path = "~/" + rest
		}
		lines = append(lines, "  "+path+": "+c.What)
	}
	return lines
}
