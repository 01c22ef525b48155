package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func TestSeparateNumbers(t *testing.T) {
	for _, c := range []struct{ give, want []string }{
		{[]string{"boost", "abcdef", "-1"}, []string{"boost", "abcdef", "--", "-1"}},
		{[]string{"--json", "config", "set", "lifecycle.boost", "-1.5"}, []string{"--json", "config", "set", "lifecycle.boost", "--", "-1.5"}},
		// The value of an option is not touched, nor is what is said already.
		{[]string{"test-memory", "x", "--energy", "-1"}, []string{"test-memory", "x", "--energy", "-1"}},
		{[]string{"test-memory", "x", "--energy=-1"}, []string{"test-memory", "x", "--energy=-1"}},
		{[]string{"boost", "--", "abcdef", "-1"}, []string{"boost", "--", "abcdef", "-1"}},
		{[]string{"boost", "abcdef", "1"}, []string{"boost", "abcdef", "1"}},
		{[]string{"status", "-nosuch"}, []string{"status", "-nosuch"}},
	} {
		if got := separateNumbers(c.give); !slices.Equal(got, c.want) {
			t.Errorf("%q becomes %q, want %q", c.give, got, c.want)
		}
	}
}

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
