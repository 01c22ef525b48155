//go:build manpages

package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
	"github.com/spf13/pflag"
)

// addManPages adds the command that writes the man pages of an archive. Its library
// would make every start of the program slower, so it is built for that alone.
func addManPages(root *cobra.Command) {
	root.AddCommand(&cobra.Command{
		Use: "man-pages DIR", Hidden: true, Args: between(1, 1),
		RunE: func(_ *cobra.Command, args []string) error {
			root.DisableAutoGenTag = true
			nameValues(root)
			err := doc.GenManTree(root, &doc.GenManHeader{Title: "BRAINBRIDGE", Source: "brainbridge " + version()}, args[0])
			pages, globErr := filepath.Glob(filepath.Join(args[0], "*.1"))
			err = errors.Join(err, globErr)
			for _, page := range pages {
				err = errors.Join(err, tidyOptions(page))
			}
			return err
		},
	})
}

// nameValues puts the names of values in the place of defaults, which the library prints
// behind an option, and the defaults into the descriptions.
func nameValues(c *cobra.Command) {
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		name, _ := pflag.UnquoteUsage(f)
		if !slices.Contains([]string{"", "0", "false", "[]"}, f.DefValue) && !strings.Contains(f.Usage, "(default") {
			f.Usage += " (default " + f.DefValue + ")"
		}
		f.DefValue = name
	})
	for _, below := range c.Commands() {
		nameValues(below)
	}
}

// tidyOptions writes the options of a page as "--due TIME" and "--json", not "--due="TIME""
// and "--json[=false]".
func tidyOptions(page string) error {
	text, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	option := regexp.MustCompile(`(?m)^(\\fB-.*\\fP)(\[=.*\]|=.*)$`)
	return os.WriteFile(page, option.ReplaceAllFunc(text, func(line []byte) []byte {
		m := option.FindSubmatch(line)
		value := bytes.Trim(m[2], `="`)
		if len(value) == 0 || value[0] == '[' {
			return m[1]
		}
		return slices.Concat(m[1], []byte(" "), value)
	}), 0o644)
}
