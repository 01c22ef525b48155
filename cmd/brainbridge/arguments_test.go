package main

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// An option says in its help what its value is, not of which type.
func TestOptionsNameTheirValues(t *testing.T) {
	var look func(c *cobra.Command)
	look = func(c *cobra.Command) {
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if name, _ := pflag.UnquoteUsage(f); name != strings.ToUpper(name) {
				t.Errorf("%s --%s: the help calls its value %q; put a name in backquotes", c.CommandPath(), f.Name, name)
			}
		})
		for _, below := range c.Commands() {
			look(below)
		}
	}
	look(newCLI().root(nil))
}
