//go:build manpages

package main

import (
	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

// addManPages adds the command that writes the man pages of an archive. Its library would
// slow down every start of the program, so it is only built for the archive.
func addManPages(root *cobra.Command) {
	root.AddCommand(&cobra.Command{
		Use: "man-pages DIR", Hidden: true, Args: between(1, 1),
		RunE: func(_ *cobra.Command, args []string) error {
			root.DisableAutoGenTag = true
			return doc.GenManTree(root, &doc.GenManHeader{Title: "BRAINBRIDGE", Source: "brainbridge " + version()}, args[0])
		},
	})
}
