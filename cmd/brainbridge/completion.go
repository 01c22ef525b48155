package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
)

func (a *cli) completionCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "completion bash|zsh|fish|powershell", Short: "Print the completion script for a shell", Args: between(1, 1),
		ValidArgs: []string{"bash", "zsh", "fish", "powershell"},
		Long:      "Print the completion script for a shell. For bash, add this line to ~/.bashrc:\n\n  source <(brainbridge completion bash)",
	}
	c.RunE = func(c *cobra.Command, args []string) error {
		root := c.Root()
		write, known := map[string]func(io.Writer) error{
			"bash":       func(w io.Writer) error { return root.GenBashCompletionV2(w, true) },
			"zsh":        root.GenZshCompletion,
			"fish":       func(w io.Writer) error { return root.GenFishCompletion(w, true) },
			"powershell": root.GenPowerShellCompletionWithDesc,
		}[args[0]]
		if !known {
			return usage("use bash, zsh, fish or powershell", "there is no completion script for the shell %q", args[0])
		}
		var script strings.Builder
		if err := write(&script); err != nil {
			return fmt.Errorf("write the completion for %s: %w", args[0], err)
		}
		return a.answer(map[string]string{"shell": args[0], "script": script.String()}, func() { a.printf("%s", &script) })
	}
	return c
}
