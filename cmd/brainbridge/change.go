package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"

	"github.com/spf13/cobra"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/integration/app"
)

// changeCommand is a command that changes the memory that its arguments name.
func (a *cli) changeCommand(c *cobra.Command, done string, change func(ctx context.Context, u *app.UseCases, args []string) (app.ChangeAnswer, error)) *cobra.Command {
	c.RunE = answers(a, change, func(changed app.ChangeAnswer) { a.showChange(changed, done) })
	return changing(c)
}

// answerID returns the id of a memory to show, after the id that was typed if that redirects to it.
func (a *cli) answerID(id string) string {
	const idChars = "0123456789abcdef-"
	typed := strings.TrimSpace(a.typed)
	isName := strings.Trim(strings.TrimPrefix(typed, brain.TestPrefix), idChars) != ""
	if isName || strings.HasPrefix(id, typed) {
		return id
	}
	return typed + ", now " + brain.ShortID(id)
}

func (a *cli) showChange(changed app.ChangeAnswer, done string) {
	v := changed.Memory
	switch {
	case v.ID == "":
		a.printf("%s: %s\n", a.verb(done), flat(v.Name, 60))
	case a.printQuiet(v.ID):
	default:
		a.printf("%s: %s\n", a.verb(done), a.bold(flat(v.Name, 60)))
		a.printf("  %s  %s\n", a.answerID(v.ID), a.dim(string(*v.Tier)+", energy "+energy(*v.Energy)))
		a.showUndo(changed.RunID)
	}
}

func (a *cli) boostCommand() *cobra.Command {
	return a.changeCommand(command("boost ID [AMOUNT]", "Add energy to a memory (default 1.0)", nil), "boosted", func(ctx context.Context, u *app.UseCases, args []string) (app.ChangeAnswer, error) {
		amount := 0.0
		if len(args) > 1 {
			var err error
			if amount, err = parseEnergy(args[1]); err != nil || amount == 0 {
				return app.ChangeAnswer{}, usage("give a number above 0, such as 1.5, and at most "+mostEnergy(), "%q is not an amount of energy to add", args[1])
			}
		}
		return u.Boost(ctx, args[0], amount)
	})
}

func (a *cli) usedCommand() *cobra.Command {
	c := command("used ID --helpful|--not-helpful|--unsure", "Record whether a memory helped", nil)
	verdicts := map[brain.Verdict]*bool{
		brain.Helpful:    c.Flags().Bool("helpful", false, "the memory helped; this counts as an access"),
		brain.NotHelpful: c.Flags().Bool("not-helpful", false, "the memory did not help"),
		brain.Unsure:     c.Flags().Bool("unsure", false, "the memory was used, but it is unclear whether it helped"),
	}
	where := c.Flags().String("in", "", "`CONTEXT` of the use; a verdict counts once per session and context")
	return a.changeCommand(c, "noted", func(ctx context.Context, u *app.UseCases, args []string) (app.ChangeAnswer, error) {
		var given []brain.Verdict
		for verdict, set := range verdicts {
			if *set {
				given = append(given, verdict)
			}
		}
		if len(given) != 1 {
			return app.ChangeAnswer{}, usage("say one of --helpful, --not-helpful and --unsure", "used takes one verdict, not %d", len(given))
		}
		return u.Used(ctx, args[0], given[0], *where)
	})
}

func (a *cli) correctCommand() *cobra.Command {
	c := command("correct ID [TEXT|-]", "Replace the text of a memory", nil)
	c.Args = atLeast(1)
	c.Long = "Replace the text and title of a memory; without a text, in $VISUAL or $EDITOR. Without --title, the title is taken from the\nnew text; a learning keeps its concept, a crystallization its trigger. Its id stays;\n`recall --as-of` with an earlier time still returns the old text."
	title := c.Flags().String("title", "", "new `TITLE` (default: the beginning of the new text)")
	a.changeCommand(c, "corrected", func(ctx context.Context, u *app.UseCases, args []string) (app.ChangeAnswer, error) {
		return u.Correct(ctx, args[0], *title, strings.Join(args[1:], " "))
	})
	correct := c.RunE
	c.RunE = func(c *cobra.Command, args []string) error {
		switch {
		case len(args) > 1:
			return correct(c, args)
		case *title != "":
			return usage("give the text too, or leave --title out and edit both", "--title needs a text")
		}
		return a.editCommand().RunE(c, args)
	}
	return c
}

func (a *cli) replaceCommand() *cobra.Command {
	c := command("replace OLD NEW", "Let one memory hold instead of another", answers(a, func(ctx context.Context, u *app.UseCases, args []string) (app.ReplaceAnswer, error) {
		return u.Replace(ctx, args[0], args[1])
	}, func(done app.ReplaceAnswer) {
		if a.printQuiet(done.Memory.ID) {
			return
		}
		a.printf("%s: %s\n", a.verb("replaced"), flat(done.Old.Name, 60))
		a.printf("  by %s  %s\n", a.bold(flat(done.Memory.Name, 60)), a.dim(brain.ShortID(done.Memory.ID)))
		a.showUndo(done.RunID)
	}))
	c.Long = "The text of NEW holds from now on. OLD is superseded: it keeps its text and its sources,\nand its id redirects to NEW, which takes over its energy, counters, tags and relations.\n`undo` brings OLD back and leaves NEW."
	return changing(c)
}

func (a *cli) unforgetCommand() *cobra.Command {
	return a.changeCommand(command("unforget ID", "Restore a forgotten memory with its relations", nil), "brought back", func(ctx context.Context, u *app.UseCases, args []string) (app.ChangeAnswer, error) {
		return u.Unforget(ctx, args[0])
	})
}

func (a *cli) relateCommand() *cobra.Command {
	relate := answers(a, func(ctx context.Context, u *app.UseCases, args []string) (app.RelateAnswer, error) {
		return u.Relate(ctx, args[0], args[1], args[2])
	}, func(related app.RelateAnswer) {
		r := related.Relation
		a.printf("%s: %s %s %s\n", a.verb("related"), brain.ShortID(r.From), r.Type, brain.ShortID(r.To))
		a.showUndo(related.RunID)
	})
	return changing(command("relate FROM TYPE TO", "Relate two memories; TYPE is applies_to, part_of, derived_from, …", relate))
}

func (a *cli) forgetCommand() *cobra.Command {
	c := changing(command("forget ID", "Archive and remove a memory", nil))
	c.Long = "Archive and remove a memory. `unforget ID` or `undo` restores it. With --test-only,\n--all forgets every test memory."
	c.Args = between(0, 1)
	all := c.Flags().Bool("all", false, "forget every test memory (with --test-only)")
	forget := confirmed(a, (*app.UseCases).PlanForget, forgetLines, (*app.UseCases).Forget, a.showForgotten)
	forgetAll := rehearsed(a, (*app.UseCases).ForgetAll, func(plan app.ForgetAllAnswer) (string, []string) {
		return "forget all test memories", []string{"forget " + counted(plan.Forgotten, "test memory") + ", archived first"}
	}, func(done app.ForgetAllAnswer) {
		a.printf("%s %s\n", a.verb("forgotten:"), counted(done.Forgotten, "test memory"))
	})
	c.RunE = func(c *cobra.Command, args []string) error {
		switch {
		case *all && len(args) > 0:
			return usage("leave the id out", "--all forgets every test memory")
		case *all:
			return forgetAll(c, args)
		case len(args) == 0:
			return between(1, 1)(c, args)
		}
		return forget(c, args)
	}
	return c
}

func forgetLines(p app.ForgetPlan) (question string, lines []string) {
	question = "forget " + brain.ShortID(p.Memory.ID)
	lines = []string{question + ": " + flat(p.Memory.Name, 60)}
	if p.Earlier > 0 {
		lines = append(lines, "  with "+counted(p.Earlier, "earlier form")+" of it")
	}
	if p.Relations > 0 {
		lines = append(lines, "  with "+counted(p.Relations, "relation"))
	}
	return question, append(lines, "  archived first, in "+p.Archive)
}

func (a *cli) showForgotten(done app.ChangeAnswer) {
	m := done.Memory
	if a.printQuiet(m.ID) {
		return
	}
	a.printf("%s: %s\n", a.verb("forgotten"), flat(m.Name, 60))
	if !a.dryRun {
		a.printf("  %s\n", a.dim("brainbridge unforget "+m.ID))
	}
}

func (a *cli) editCommand() *cobra.Command {
	c := changing(command("edit ID", "Edit the text of a memory in $VISUAL or $EDITOR", nil))
	c.Long = "Open a memory in $VISUAL or $EDITOR: its title, a blank line and its text. Saving\ncorrects the memory, as `correct` does. An unchanged file changes nothing."
	var e app.Editable
	c.RunE = answers(a, func(ctx context.Context, u *app.UseCases, args []string) (changed app.ChangeAnswer, err error) {
		if e, err = u.Editable(ctx, args[0]); err != nil {
			return changed, err
		}
		file, err := a.editInFile(e.Text)
		if err != nil {
			return changed, err
		}
		edited, err := os.ReadFile(file)
		if err == nil {
			changed, err = u.Edit(ctx, e, string(edited))
		}
		if err != nil {
			return changed, fmt.Errorf("%w; your text is kept in %s", err, file)
		}
		if err := os.Remove(file); err != nil {
			a.warnError(err)
		}
		return changed, nil
	}, func(changed app.ChangeAnswer) {
		if changed.Unchanged {
			a.printf("nothing was changed\n")
			return
		}
		a.showChange(changed, "corrected")
	})
	return c
}

// editInFile opens an editor with a text, and returns the file with what was saved.
func (a *cli) editInFile(text string) (string, error) {
	editor := cmp.Or(a.env("VISUAL"), a.env("EDITOR"))
	if editor == "" {
		return "", usage("set VISUAL or EDITOR, or use `brainbridge correct ID TEXT`", "no editor is set")
	}
	f, err := os.CreateTemp("", "brainbridge-*.md")
	if err != nil {
		return "", fmt.Errorf("make a file to edit: %w", err)
	}
	_, err = f.WriteString(text)
	if err := errors.Join(err, f.Close()); err != nil {
		return "", fmt.Errorf("write the file to edit: %w", err)
	}
	signal.Ignore(os.Interrupt) // in an editor, ctrl-C does not mean this program
	run := exec.Command("sh", "-c", editor+` "$1"`, "sh", f.Name())
	run.Stdin, run.Stdout, run.Stderr = a.in, a.err, a.err
	if err := run.Run(); err != nil {
		return "", usage("check VISUAL and EDITOR", "the editor %q failed (%v), so nothing was changed; your text is kept in %s", editor, err, f.Name())
	}
	return f.Name(), nil
}
