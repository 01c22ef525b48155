package main

import (
	"os"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Help shows 47 commands, ten work without being shown, and all have at most 140 options.
func TestTheSurfaceIsSmall(t *testing.T) {
	a := &cli{out: os.Stdout, err: os.Stderr, env: os.Getenv}
	root := a.root(nil)
	shown, flags := 0, 0
	for _, c := range root.Commands() {
		if !c.Hidden {
			shown++
		}
	}
	var count func(c *cobra.Command)
	count = func(c *cobra.Command) {
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if c == root || root.PersistentFlags().Lookup(f.Name) == nil {
				flags++
			}
		})
		for _, below := range c.Commands() {
			count(below)
		}
	}
	count(root)
	if hiddenOnes := len(root.Commands()) - shown; shown > 47 || hiddenOnes != len(hidden()) || flags > 140 {
		t.Errorf("%d commands are shown, %d hidden, and there are %d options", shown, hiddenOnes, flags)
	}
	t.Logf("%d shown, %d options", shown, flags)
}
