package main

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/brainbridge/brainbridge/brain"
)

const rootHelp = `brainbridge is a memory for you and your AI agents. Every memory has energy
that decays over time and grows with use. Memories in use are promoted, unused
ones expire, and every change can be undone.

` + firstSteps

// firstSteps are the commands to begin with.
const firstSteps = `  brainbridge install                                      sets up the agents that you use
  brainbridge remember "staging listens on port 5433"      keeps something
  brainbridge recall "what port does staging use?"         finds it again`

// execute runs the command that args name.
func (a *cli) execute(ctx context.Context, args []string) error {
	a.stdout, a.out = a.out, bufio.NewWriter(a.out)
	modern, oldForm := modernArgs(args)
	if oldForm {
		a.runWait = oldFormWait
	}
	root := a.root(modern)
	var misspelt error
	root.SetHelpFunc(helpOf(&misspelt))
	root.SetArgs(modern)
	root.SetIn(a.in)
	root.SetOut(a.out)
	root.SetErr(a.err)
	err := root.ExecuteContext(ctx)
	err = cmp.Or(err, misspelt, a.flush())
	a.json = a.json || slices.Contains(args, "--json") // also when the flags could not be read to the end
	return err
}

// root returns the root command with the subcommand that args name, or with all if they
// name none, because creating all takes a tenth of the time of a short command.
func (a *cli) root(args []string) *cobra.Command {
	root := &cobra.Command{
		Use:           "brainbridge",
		Short:         "A memory for AI agents and the people who work with them",
		Long:          rootHelp,
		Version:       version(),
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          unknownCommand,
		RunE:          a.runWithoutCommand,
		PersistentPreRunE: func(c *cobra.Command, args []string) error {
			a.typed = first(args)
			a.obeyTestMode(c)
			if a.dryRun && c.Annotations["changes"] == "" {
				return usage("leave --dry-run out", "%s changes nothing", commandName(c))
			}
			if err := a.readArguments(places(c.Use), args); err != nil {
				return err
			}
			return a.checkTestOnly(c)
		},
	}
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetFlagErrorFunc(flagError)
	root.SetHelpCommand(a.helpCommand())
	f := root.PersistentFlags()
	f.StringVar(&a.brainName, "brain", "", "`NAME` of the brain (default \"default\")")
	f.StringVar(&a.configFile, "config", "", "read this config `FILE` instead of the default one")
	f.StringVar(&a.storeURI, "store", "", "`URI` of the store: sqlite:PATH or neo4j://HOST:7687")
	f.BoolVar(&a.json, "json", false, "print one JSON document")
	f.BoolVar(&a.testOnly, "test-only", false, "use the test brain instead of the real one")
	f.BoolVarP(&a.quiet, "quiet", "q", false, "print only ids or the most important line")
	f.BoolVarP(&a.yes, "yes", "y", false, "answer yes to every question")
	f.BoolVar(&a.dryRun, "dry-run", false, "show what a change would do without doing it")
	a.addCommands(root, args)
	addManPages(root)
	return root
}

// obeyTestMode makes TEST_MODE=true stand for --test-only, as in the original program, in
// commands on memories that have the option. Notes, agents and the daemon ignore it.
func (a *cli) obeyTestMode(c *cobra.Command) {
	for c.HasParent() && c.Parent().HasParent() {
		c = c.Parent()
	}
	onMemories := slices.Contains([]string{"capture", "look", "change", "lifecycle"}, c.GroupID) && c.Name() != "attention" && c.Name() != "reflect"
	if a.testOnly || !onMemories || !strings.EqualFold(a.env("TEST_MODE"), "true") {
		return
	}
	a.testOnly = true
	a.say("TEST_MODE=true: only test memories, as with --test-only")
}

// checkTestOnly refuses --test-only for files, agents and processes of the brain itself.
func (a *cli) checkTestOnly(c *cobra.Command) error {
	for c.HasParent() && c.Parent().HasParent() {
		c = c.Parent()
	}
	switch c.Name() {
	case "attention", "backup", "curate", "goodbye", "mcp", "notes", "reflect", "serve", "service", "transcript":
		if a.testOnly {
			return usage("leave --test-only out", "%s has no test memories", c.Name())
		}
	}
	return nil
}

// readArguments reads standard input for a text that is "-", and notices ids of test memories.
func (a *cli) readArguments(places, args []string) (err error) {
	for i, arg := range args[:min(len(args), len(places))] {
		switch strings.Trim(places[i], "[].|-") {
		case "ID", "RUN", "FROM", "TO", "OLD", "NEW":
			a.testOnly = a.testOnly || brain.IsTest(strings.TrimSpace(arg))
		case "TEXT", "INSIGHT", "DESCRIPTION", "BODY", "CONTENT", "QUERY", "CYPHER":
			if arg == "-" && len(args) <= len(places) && err == nil {
				args[i], err = a.readInput()
			}
		}
	}
	return err
}

// commandGroup is a group of commands in the help, by their names.
type commandGroup struct {
	id, title string
	commands  map[string]func() *cobra.Command
}

// hidden are the commands that help leaves out. They work as they did when it showed them.
func hidden() []string {
	return []string{"promote", "decay", "history", "why", "audit", "edit", "unforget", "curate", "test-memory", "hook"}
}

func (a *cli) commandGroups() []commandGroup {
	type commands = map[string]func() *cobra.Command
	return []commandGroup{
		{"capture", "Capture:", commands{
			"crystallize": a.crystallizeCommand, "learn": a.learnCommand, "remind": a.remindCommand, "done": a.doneCommand,
			"activity": a.activityCommand, "outcome": a.outcomeCommand, "remember": a.rememberCommand, "test-memory": a.testMemoryCommand,
		}},
		{"look", "Search and inspect:", commands{
			"recall": a.recallCommand, "context": a.contextCommand, "show": a.showCommand, "list": a.listCommand, "reminders": a.remindersCommand,
			"history": a.historyCommand, "why": a.whyCommand, "status": a.statusCommand, "health": a.healthCommand, "doctor": a.doctorCommand,
			"audit": a.auditCommand, "attention": a.attentionCommand, "reflect": a.reflectCommand,
		}},
		{"change", "Change:", commands{
			"boost": a.boostCommand, "used": a.usedCommand, "relate": a.relateCommand, "correct": a.correctCommand,
			"replace": a.replaceCommand, "edit": a.editCommand, "forget": a.forgetCommand, "unforget": a.unforgetCommand,
		}},
		{"lifecycle", "Lifecycle:", commands{
			"decay": a.decayCommand, "promote": a.promoteCommand, "consolidate": a.consolidateCommand, "core": a.coreCommand,
			"undo": a.undoCommand, "runs": a.runsCommand, "review": a.reviewCommand,
		}},
		{"agents", "Agents:", commands{
			"install": a.installCommand, "uninstall": a.uninstallCommand, "mcp": a.mcpCommand, "hook": a.hookCommand,
			"goodbye": a.goodbyeCommand, "heartbeat": a.heartbeatCommand,
		}},
		{"data", "Notes and data:", commands{
			"notes": a.notesCommand, "transcript": a.transcriptCommand, "curate": a.curateCommand, "import": a.importCommand,
			"export": a.exportCommand, "backup": a.backupCommand, "query": a.queryCommand,
		}},
		{"setup", "Setup and service:", commands{
			"init": a.initCommand, "serve": a.serveCommand, "open": a.openCommand, "service": a.serviceCommand, "config": a.configCommand, "model": a.modelCommand,
			"version": a.versionCommand, "completion": a.completionCommand,
		}},
	}
}

// addCommands adds the command that args name, or all of them.
func (a *cli) addCommands(root *cobra.Command, args []string) {
	groups := a.commandGroups()
	named := ""
	if i := commandAt(args); i >= 0 && slices.ContainsFunc(groups, func(g commandGroup) bool { return g.commands[args[i]] != nil }) {
		named = args[i]
	}
	for _, g := range groups {
		root.AddGroup(&cobra.Group{ID: g.id, Title: g.title})
		for name, build := range g.commands {
			if named == "" || name == named {
				c := build()
				c.GroupID, c.Hidden = g.id, slices.Contains(hidden(), name)
				root.AddCommand(c)
			}
		}
	}
	root.SetHelpCommandGroupID("setup")
}

// command returns a command that takes the arguments that its usage names.
func command(use, short string, run func(*cobra.Command, []string) error) *cobra.Command {
	low, high := 0, 0
	for _, place := range places(use) {
		if high++; !strings.HasPrefix(place, "[") {
			low++
		}
		if strings.HasSuffix(place, "...]") {
			high = math.MaxInt
		}
	}
	return &cobra.Command{Use: use, Short: short, Args: between(low, high), RunE: run}
}

// places returns the arguments in the usage of a command, without options.
func places(use string) []string {
	return slices.DeleteFunc(strings.Fields(use)[1:], func(word string) bool { return strings.Contains(word, "--") })
}

func seeHelp(c *cobra.Command) string { return "see `" + c.CommandPath() + " --help`" }

// between checks the number of arguments.
func between(low, high int) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		hint := "use it as: " + strings.TrimSuffix(c.UseLine(), " [flags]")
		switch n := len(args); {
		case n >= low && n <= high:
			return nil
		case n > high && high > 1:
			hint += "; put a text of several words in quotes"
			fallthrough
		default:
			return usage(hint, "%s takes %s, not %d", c.Name(), wanted(low, high), n)
		}
	}
}

// atLeast is for commands whose last text may stand without quotes.
func atLeast(n int) cobra.PositionalArgs { return between(n, math.MaxInt) }

// twoTexts is for two texts. The second needs no quotes if the first has some.
func twoTexts(c *cobra.Command, args []string) error {
	if len(args) > 2 && strings.Contains(args[0], " ") {
		return nil
	}
	return between(2, 2)(c, args)
}

func wanted(low, high int) string {
	switch {
	case high == 0:
		return "no argument"
	case low == high:
		return counted(low, "argument")
	case high == math.MaxInt:
		return "at least " + counted(low, "argument")
	}
	return fmt.Sprintf("%d to %d arguments", low, high)
}

// parent is a command with subcommands. By itself it runs the one shown, or lists them.
func parent(use, short string, shown *cobra.Command, below ...*cobra.Command) *cobra.Command {
	c := &cobra.Command{Use: use, Short: short, Args: unknownCommand}
	c.RunE = func(c *cobra.Command, args []string) error {
		if shown != nil {
			return shown.RunE(c, args)
		}
		if asked, _ := c.Flags().GetBool("json"); asked {
			return usage(seeHelp(c), "%s needs a subcommand", c.Name())
		}
		return c.Help()
	}
	if shown != nil {
		c.Long = short + ". Without a command it does what `" + c.Name() + " " + shown.Name() + "` does."
		c.AddCommand(shown)
	}
	c.AddCommand(below...)
	return c
}

// changing marks a command as one that changes something, which --dry-run is for.
func changing(c *cobra.Command) *cobra.Command {
	c.Annotations = map[string]string{"changes": "yes"}
	return c
}
