package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// completionScript is what cobra writes for a shell.
func completionScript(root *cobra.Command, shell string) (string, error) {
	var b strings.Builder
	var err error
	switch shell {
	case "bash":
		err = root.GenBashCompletionV2(&b, true)
	case "zsh":
		err = root.GenZshCompletion(&b)
	case "fish":
		err = root.GenFishCompletion(&b, true)
	case "powershell":
		err = root.GenPowerShellCompletionWithDesc(&b)
	default:
		return "", usage("use bash, zsh, fish or powershell", "there is no completion for the shell %q", shell)
	}
	if err != nil {
		return "", fmt.Errorf("write the completion for %s: %w", shell, err)
	}
	return b.String(), nil
}
