package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/brainbridge/brainbridge/config"
	"github.com/brainbridge/brainbridge/integration/app"
)

func (a *cli) initCommand() *cobra.Command {
	c := changing(command("init [--store=URI] [--notes=DIR]", "Create config, folders and store, and show where they are", answersOf(a, (*app.UseCases).Init, a.showPlaces)))
	c.Flags().StringVar(&a.notesDir, "notes", "", "keep the notes of the brain in `DIR`")
	c.Long = `Create the folders, the config and the store of the brain, and show where they are. If the
store can be opened, --store and --notes are saved in the config file; with --brain NAME, the
store, the notes folder and MEMORY.md of that brain are, below [brains.NAME]. No other brain
is changed. Running the command again changes nothing. --fresh makes a new brain and keeps
the database file of the old one beside it.`
	fresh, once := c.Flags().Bool("fresh", false, "make a new, empty brain"), c.RunE
	anew := confirmed(a, func(u *app.UseCases, ctx context.Context, _ string) (app.FreshPlan, error) { return u.PlanFresh(ctx) },
		freshLines, (*app.UseCases).InitFresh, a.showPlaces)
	c.RunE = func(c *cobra.Command, args []string) error {
		if *fresh {
			return anew(c, args)
		}
		return once(c, args)
	}
	return c
}

// freshLines asks before a brain with memories, or one that cannot be read, is set aside.
func freshLines(p app.FreshPlan) (question string, lines []string) {
	has := counted(p.Memories, "memory")
	if p.Damaged {
		has = "what cannot be read"
	}
	if p.Damaged || p.Memories > 0 {
		lines = []string{fmt.Sprintf("makes a new, empty brain; %s with %s is kept beside it under another name", p.File, has)}
	}
	return "init --fresh", lines
}

// howProjects tells the owner of a vault how the project of a file is found.
const howProjects = "`project:` in front matter, #project/NAME, or a folder: projects/NAME/, 1 Projects/NAME/, or a glob of notes.projects; what has none is for all projects"

func (a *cli) showPlaces(done app.InitAnswer) {
	a.printf("%s\n", a.verbFor("ready", "would create"))
	if a.quiet {
		return
	}
	if _, err := os.Stat(done.Config); err != nil {
		done.Config += " (not needed yet)"
	}
	a.fields("old file", done.KeptAs, "store", done.Store, "brain", done.Brain, "notes", done.Notes, "config", done.Config)
	if done.Vault {
		a.fields("projects", howProjects)
	}
	if !a.dryRun {
		steps := firstSteps
		if a.brainName != "" {
			steps = strings.ReplaceAll(steps, "brainbridge ", "brainbridge --brain "+a.brainName+" ")
		}
		a.printf("\nnext\n%s\n", steps)
	}
}

func (a *cli) versionCommand() *cobra.Command {
	return command("version", "Print the version", func(*cobra.Command, []string) error {
		v := struct {
			Version string `json:"version"`
			Go      string `json:"go"`
			System  string `json:"system"`
		}{version(), runtime.Version(), runtime.GOOS + "/" + runtime.GOARCH}
		return a.answer(v, func() { a.printf("brainbridge %s (%s, %s)\n", v.Version, v.Go, v.System) })
	})
}

func (a *cli) completionCommand() *cobra.Command {
	c := command("completion bash|zsh|fish", "Print the completion script for a shell", nil)
	c.ValidArgs = []string{"bash", "zsh", "fish"}
	c.Long = c.Short + ". For bash, add this line to ~/.bashrc:\n\n  source <(brainbridge completion bash)"
	c.RunE = func(c *cobra.Command, args []string) error {
		root := c.Root()
		write, known := map[string]func(io.Writer) error{
			"bash": func(w io.Writer) error { return root.GenBashCompletionV2(w, true) },
			"zsh":  root.GenZshCompletion,
			"fish": func(w io.Writer) error { return root.GenFishCompletion(w, true) },
		}[args[0]]
		if !known {
			return usage("use bash, zsh or fish", "there is no completion script for the shell %q", args[0])
		}
		var script strings.Builder
		_ = write(&script) // a builder takes everything
		return a.answer(map[string]string{"shell": args[0], "script": script.String()}, func() { a.printf("%s", &script) })
	}
	return c
}

func (a *cli) configCommand() *cobra.Command {
	show := answersOf(a, (*app.UseCases).Settings, func(all app.SettingsAnswer) {
		const maxValue = 70 // characters
		t := table{head: []string{"KEY", "VALUE", "FROM"}}
		for _, s := range all.Settings {
			rows := []string{s.Value}
			if len(s.Value) > maxValue {
				rows = strings.SplitAfter(s.Value, `", `) // the elements of a list
			}
			t.row(s.Key, flat(rows[0], maxValue), string(s.Origin))
			for _, row := range rows[1:] {
				t.row("", " "+flat(row, maxValue), "")
			}
		}
		a.print(t)
		a.next("file: %s", all.File)
	})
	set := func(c *cobra.Command, args []string) error {
		done, err := a.set(c.Context(), args[0], args[1])
		if err != nil {
			return err
		}
		return a.answer(done, func() {
			a.printf("%s %s = %s\n", a.verbFor("set", "would set"), done.Key, done.Value)
			a.next("in %s", done.Where)
		})
	}
	return parent("config", "Show and change settings", command("show", "Show every setting and where it comes from", show),
		changing(command("set KEY VALUE", "Change one setting", set)))
}

func (a *cli) set(ctx context.Context, key, value string) (app.SettingAnswer, error) {
	name, named := config.BrainOf(key)
	if key == "brain" {
		name, named = value, true
	}
	if key == "store" {
		if u, err := a.use(); err == nil {
			if err := u.KeepNeighbours(ctx, value); err != nil {
				return app.SettingAnswer{}, err
			}
		}
	}
	if named {
		a.brainName = name
		u, err := a.use()
		if err == nil && (key == "brain" || !a.core.Settings.Recorded(name)) { // otherwise this may correct its store, or an invalid file
			if err := u.RequireBrain(ctx); err != nil {
				return app.SettingAnswer{}, err
			}
		}
	}
	if !app.IsLifecycle(key) {
		return app.SetSetting(a.configInput(), key, value, a.dryRun, notices{a})
	}
	u, err := a.use()
	if err != nil {
		return app.SettingAnswer{}, err
	}
	return u.SetLifecycle(ctx, key, value)
}
