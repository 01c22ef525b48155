package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"

	"github.com/spf13/cobra"

	"github.com/brainbridge/brainbridge/integration/app"
)

func (a *cli) editCommand() *cobra.Command {
	c := a.changing(&cobra.Command{
		Use: "edit ID", Short: "Edit the text of a memory in $VISUAL or $EDITOR",
		Long: "Open a memory in $VISUAL or $EDITOR: its title, a blank line and its text. Saving\ncorrects the memory, as `correct` does. An unchanged file changes nothing.",
		Args: between(1, 1),
	})
	c.RunE = func(c *cobra.Command, args []string) error {
		u, err := a.use()
		if err != nil {
			return err
		}
		e, err := u.Editable(c.Context(), args[0])
		if err != nil {
			return err
		}
		file, err := a.editInFile(e.Text)
		if err != nil {
			return err
		}
		changed, err := a.applyEdit(c, u, e, file)
		if err != nil {
			return fmt.Errorf("%w; your text is kept in %s", err, file)
		}
		if err := os.Remove(file); err != nil {
			a.warnOf(err)
		}
		return a.answer(changed, func() {
			if changed.Memory.ID != nil && *changed.Memory.ID == e.ID {
				a.printf("nothing was changed\n")
				return
			}
			a.showChange(changed, "corrected")
		})
	}
	return c
}

func (a *cli) applyEdit(c *cobra.Command, u *app.UseCases, e app.Editable, file string) (app.ChangeAnswer, error) {
	edited, err := os.ReadFile(file)
	if err != nil {
		return app.ChangeAnswer{}, fmt.Errorf("read the edited text: %w", err)
	}
	return u.Edit(c.Context(), e, string(edited))
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
