package main

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/plaintext"
	"github.com/brainbridge/brainbridge/integration/agents"
)

// flagError turns an error of pflag into one with advice.
func flagError(c *cobra.Command, err error) error {
	var bad *pflag.InvalidValueError
	var none *pflag.ValueRequiredError
	var unknown *pflag.NotExistError
	var ours *brain.Error
	switch {
	case errors.As(err, &ours):
		return ours
	case errors.As(err, &bad):
		if wanted := wantedBy(bad.GetFlag()); wanted != "" {
			return usage(seeHelp(c), "--%s wants %s, not %.80s", bad.GetFlag().Name, wanted, bad.GetValue())
		}
	case errors.As(err, &none):
		return usage(seeHelp(c), "--%s wants %s", none.GetSpecifiedName(), cmp.Or(wantedBy(none.GetFlag()), "a value"))
	case errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() != "":
		return usage("options begin with two dashes, "+seeHelp(c)+"; put a text that begins with a dash after --",
			"%s has no option -%s", commandName(c), unknown.GetSpecifiedShortnames())
	case errors.As(err, &unknown):
		if before := c.Flags().Args(); c.HasSubCommands() && len(before) > 0 {
			return unknownCommand(c, before)
		}
		if advice := removedCommands()[commandName(c)+" --"+unknown.GetSpecifiedName()]; advice != "" {
			return usage(advice, "%s has no option --%s any more", commandName(c), unknown.GetSpecifiedName())
		}
		hint, known := seeHelp(c), []string{}
		c.Flags().VisitAll(func(f *pflag.Flag) { known = append(known, f.Name) })
		if near := plaintext.Nearest(unknown.GetSpecifiedName(), known); len(near) > 0 {
			hint = "did you mean --" + near[0] + "?"
		}
		return usage(hint, "%s has no option --%s", commandName(c), unknown.GetSpecifiedName())
	}
	return usage(seeHelp(c), "%s", err)
}

// wantedBy describes the values of an option; "" if the error of its Set already says it.
func wantedBy(f *pflag.Flag) string {
	return map[string]string{
		"int": "a whole number", "count": "a whole number above 0", "float64": "a number",
		"bool": "true or false",
	}[f.Value.Type()]
}

// commandName returns the path of a command without the name of the program.
func commandName(c *cobra.Command) string {
	return strings.TrimSpace(strings.TrimPrefix(c.CommandPath(), "brainbridge"))
}

// helpCommand explains a command. It has no output for programs.
func (a *cli) helpCommand() *cobra.Command {
	c := command("help [COMMAND...]", "Explain a command and its options", nil)
	c.RunE = func(c *cobra.Command, args []string) error {
		if a.json {
			return usage("leave --json out", "help is written for people and has no JSON")
		}
		c.Root().SetArgs(append(slices.Clone(args), "--help"))
		return c.Root().ExecuteContext(c.Context())
	}
	return c
}

// subcommands returns the names of the subcommands of c, as people know them.
func subcommands(c *cobra.Command) []string {
	shown := slices.DeleteFunc(slices.Clone(c.Commands()), func(below *cobra.Command) bool { return below.Hidden })
	return brain.Map(shown, (*cobra.Command).Name)
}

// helpOf prints the help of a command. For a word that is no subcommand it sets wrong instead.
func helpOf(wrong *error) func(*cobra.Command, []string) {
	show := (&cobra.Command{}).HelpFunc()
	return func(c *cobra.Command, args []string) {
		if rest := c.Flags().Args(); c.HasSubCommands() && len(rest) > 0 {
			*wrong = unknownCommand(c, rest)
			return
		}
		show(c, args)
	}
}

// runWithoutCommand prints the help, or on a fresh machine the commands to begin with.
func (a *cli) runWithoutCommand(c *cobra.Command, _ []string) error {
	if a.json {
		return usage("`brainbridge help` lists the commands", "--json needs a command whose answer it prints")
	}
	if core, err := a.app(); err == nil && core.Fresh() {
		a.printf("brainbridge is a memory for you and your AI agents. Begin with:\n\n%s\n\n`brainbridge help` lists all commands.\n", firstSteps)
		if hint := agents.PathHint(); hint != "" {
			a.printf("%s\n", hint)
		}
		return nil
	}
	return c.Help()
}

// unknownCommand is the error for a word that is not a command of c.
func unknownCommand(c *cobra.Command, args []string) error {
	if len(args) == 0 { // as cobra asks, for which this is also the check of arguments
		return nil
	}
	if advice := removedCommands()[strings.TrimSpace(commandName(c)+" "+args[0])]; advice != "" {
		return usage(advice, "%s has no command %q any more", c.Name(), args[0])
	}
	hint := "`brainbridge recall TEXT` searches, `brainbridge remember TEXT` keeps a text, `brainbridge help` lists the commands"
	if c.HasParent() {
		hint = seeHelp(c)
	}
	if near := plaintext.Nearest(args[0], subcommands(c)); len(near) > 0 {
		path := "`" + c.CommandPath() + " "
		hint = "did you mean " + path + strings.Join(near, "` or "+path) + "`?"
	}
	if c.HasParent() {
		return usage(hint, "%s has no command %q", c.Name(), args[0])
	}
	return usage(hint, "there is no command %q", args[0])
}

// removedCommands returns the commands and options of earlier versions, with what to use instead.
func removedCommands() map[string]string {
	const groups = "`brainbridge health` counts types, and the page the projects and tags"
	return map[string]string{
		"list --types": groups, "list --tags": groups, "list --projects": groups,
		"list --sort":              "a list has the most salient memories first; `list --json` has what to sort by",
		"list --since":             "`brainbridge recall QUERY --since TIME` searches what is new",
		"list --importance":        "`list --json` has the importance of each memory",
		"review list":              "use `brainbridge review`",
		"review accept":            "use `brainbridge review decide ID VERDICT`",
		"review reject":            "use `brainbridge review decide ID VERDICT`",
		"uninstall --keep-backups": "copy the backups, which end in .brainbridge.bak, before",
		"consolidate --wait":       "a run that another one keeps out exits with 4: try again",
		"decay --wait":             "a run that another one keeps out exits with 4: try again",
		"promote --wait":           "a run that another one keeps out exits with 4: try again",
		"bench":                    "the benchmark is a program for developers now: `make bench` in the sources of brainbridge",
		"import jsonl":             "`brainbridge import mcp-memory FILE` reads JSON Lines of entities, `import markdown DIR` reads notes",
	}
}

// legacyCommands returns the older single-dash commands with their replacements.
func legacyCommands() map[string][]string {
	return map[string][]string{
		"-memoryStatus":     {"status", "--with-tests"},
		"-memoryHealth":     {"health"},
		"-listTestMemories": {"list", "--test-only", "--all", fmt.Sprintf("--limit=%d", math.MaxInt32)},
		"-testMemory":       {"test-memory"},
		"-boostMemory":      {"boost"},
		"-decayEnergy":      {"decay"},
		"-promoteMemories":  {"promote"},
		"-consolidateAll":   {"consolidate"},
		"-crystallization":  {"crystallize"},
		"-learned":          {"learn"},
		"-reminder":         {"remind"},
		"-activity":         {"activity"},
	}
}

// Hooks of earlier versions start two single-dash commands at once at the end of a session. The
// second waits oldFormWait for the first; if that still runs, it is asked to settle once more.
const oldFormWait = 30 * time.Second

// modernArgs replaces older forms: single-dash commands, --testOnly, and a bare Cypher query. It
// reports whether the command was a single-dash one.
func modernArgs(args []string) (modern []string, oldForm bool) {
	args = slices.Clone(args)
	for i, arg := range args {
		if arg == "--" {
			break
		}
		if arg == "--testOnly" {
			args[i] = "--test-only"
		}
	}
	i := commandAt(args)
	if i < 0 {
		return args, false
	}
	if isCypher(args[i]) && commandAt(args[i+1:]) < 0 {
		return slices.Insert(args, i, "query"), false
	}
	if replacement, ok := legacyCommands()[args[i]]; ok {
		return slices.Concat(args[:i], replacement, args[i+1:]), true
	}
	return args, false
}

// commandAt returns the index of the command, after the global flags; -1 for none.
func commandAt(args []string) int {
	for i := 0; i < len(args); i++ {
		arg := args[i]
		switch {
		case arg == "--":
			return -1
		case arg == "--brain" || arg == "--config" || arg == "--store":
			i++ // its value
		case strings.HasPrefix(arg, "--") || arg == "-q" || arg == "-y" || arg == "-h":
		default:
			return i
		}
	}
	return -1
}

// isCypher reports whether an argument is a query. The first word is a keyword of Cypher, and the text
// has a bracket, = or *. Without these, only two words in capitals and RETURN are a query: SHOW INDEXES.
func isCypher(arg string) bool {
	words := strings.FieldsFunc(arg, func(r rune) bool { return strings.ContainsRune(" \t\r\n({[", r) })
	if len(words) < 2 {
		return false
	}
	hasSign := strings.ContainsAny(arg, "(){}[]=*")
	inCapitals := strings.ToUpper(words[0]) == words[0]
	switch strings.ToUpper(words[0]) {
	case "RETURN":
		return hasSign || inCapitals
	case "MATCH", "OPTIONAL", "CREATE", "MERGE", "CALL", "WITH", "UNWIND", "SHOW", "DELETE", "DETACH",
		"SET", "REMOVE", "FOREACH", "LOAD", "EXPLAIN", "PROFILE", "USE", "DROP", "ALTER":
		return hasSign || inCapitals && len(words) == 2
	}
	return false
}
