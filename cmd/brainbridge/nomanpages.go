//go:build !manpages

package main

import "github.com/spf13/cobra"

// addManPages does nothing, see manpages.go.
func addManPages(*cobra.Command) {}
