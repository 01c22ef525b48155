package main

import (
	"cmp"
	"context"
	"fmt"
	"math"
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
	answer := &result{w: a.out}
	a.out = answer
	root := a.root()
	var misspelt error
	root.SetHelpFunc(helpOf(&misspelt))
	if len(args) > 0 && strings.HasPrefix(args[0], cobra.ShellCompRequestCmd) {
		a.complete(root)
		a.quiet = true
	}
	root.SetArgs(separateNumbers(modernArgs(args)))
	root.SetIn(a.in)
	root.SetOut(a.out)
	root.SetErr(a.err)
	err := root.ExecuteContext(ctx)
	if err == nil {
		err = cmp.Or(misspelt, answer.failed)
	}
	if err != nil && asksForJSON(args) {
		a.json = true // also when the flags could not be read to the end
	}
	return err
}

func (a *cli) root() *cobra.Command {
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
			a.testOnly = a.testOnly || namesTestID(c.Use, args)
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
	a.addCommands(root)
	addManPages(root)
	return root
}

// checkTestOnly refuses --test-only where a command is about files, agents or
// processes of the brain itself.
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

// namesTestID reports whether an argument of a command that is used like this
// is an id from the brain of test memories.
func namesTestID(use string, args []string) bool {
	names := strings.Fields(use)[1:]
	for i, arg := range args {
		if len(names) == 0 {
			return false
		}
		switch strings.Trim(names[min(i, len(names)-1)], "[].") {
		case "ID", "RUN", "FROM", "TO":
			if brain.IsTest(strings.TrimSpace(arg)) {
				return true
			}
		}
	}
	return false
}

func (a *cli) addCommands(root *cobra.Command) {
	group := func(id, title string, commands ...*cobra.Command) {
		root.AddGroup(&cobra.Group{ID: id, Title: title})
		for _, c := range commands {
			c.GroupID = id
			root.AddCommand(c)
		}
	}
	group("capture", "Capture:", a.crystallizeCommand(), a.learnCommand(), a.remindCommand(), a.doneCommand(),
		a.activityCommand(), a.outcomeCommand(), a.rememberCommand(), a.testMemoryCommand())
	group("look", "Search and inspect:", a.recallCommand(), a.contextCommand(), a.showCommand(), a.listCommand(),
		a.historyCommand(), a.whyCommand(), a.statusCommand(), a.healthCommand(), a.auditCommand(),
		a.attentionCommand(), a.reflectCommand())
	group("change", "Change:", a.boostCommand(), a.usedCommand(), a.relateCommand(), a.correctCommand(), a.editCommand(),
		a.forgetCommand(), a.unforgetCommand())
	group("lifecycle", "Lifecycle:", a.decayCommand(), a.promoteCommand(), a.consolidateCommand(),
		a.coreCommand(), a.undoCommand(), a.runsCommand(), a.reviewCommand())
	group("agents", "Agents:", a.installCommand(), a.uninstallCommand(), a.mcpCommand(), a.hookCommand(),
		a.goodbyeCommand(), a.heartbeatCommand())
	group("data", "Notes and data:", a.notesCommand(), a.transcriptCommand(), a.curateCommand(), a.importCommand(), a.exportCommand(),
		a.backupCommand(), a.queryCommand(), benchCommand(a))
	group("setup", "Setup and service:", a.initCommand(), serveCommand(a), a.serviceCommand(),
		a.configCommand(), a.versionCommand(), a.completionCommand())
	root.SetHelpCommandGroupID("setup")
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

// atLeast is for commands whose last argument is a text, of which the words may stand
// without quotes, see [joined].
func atLeast(n int) cobra.PositionalArgs { return between(n, math.MaxInt) }

// twoTexts is for commands that take two texts. The second needs no quotes if the first
// has several words, whose quotes show where it ends.
func twoTexts(c *cobra.Command, args []string) error {
	if len(args) > 2 && strings.Contains(args[0], " ") {
		return nil
	}
	return between(2, 2)(c, args)
}

// joined returns n arguments: all after them belong to the last one.
func joined(args []string, n int) []string {
	return append(args[:n-1:n-1], strings.Join(args[n-1:], " "))
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

// noArgs is for commands without arguments.
func noArgs(c *cobra.Command, args []string) error { return between(0, 0)(c, args) }

// parent is a command with commands below it. Alone it does what the command shown does;
// without one it lists them.
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

// changing gives a command the flag that every changing one has.
func (a *cli) changing(c *cobra.Command) *cobra.Command {
	c.Flags().BoolVar(&a.dryRun, "dry-run", false, "show what would be done without doing it")
	return c
}
