package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/english"
	"github.com/spf13/cobra"

	"github.com/brainbridge/brainbridge/integration/app"
	"github.com/brainbridge/brainbridge/tiers"
)

// spendLine says to people what models have cost.
func spendLine(s *app.SpendAnswer) string {
	line := "model: " + humanize.Comma(int64(s.Tokens))
	if s.Limit > 0 {
		line += " of " + humanize.Comma(int64(s.Limit))
	}
	line += " tokens today"
	switch {
	case s.CostLimit != nil:
		line += fmt.Sprintf(", %s of %s in money", money(s.Cost), money(*s.CostLimit))
	case s.Cost > 0:
		line += fmt.Sprintf(", %s in money", money(s.Cost))
	}
	return line
}

// money is an amount to the cent, or as exactly as it is known where that says
// more: a call of a small model costs less than a cent.
func money(amount float64) string {
	cents, exact := strconv.FormatFloat(amount, 'f', 2, 64), strconv.FormatFloat(amount, 'f', -1, 64)
	if len(exact) > len(cents) {
		return exact
	}
	return cents
}

// watchEvery is how often `status --watch` looks.
const watchEvery = 2 * time.Second

func (a *cli) statusCommand() *cobra.Command {
	c := &cobra.Command{Use: "status", Short: "Show counts per tier, the store and the daemon", Args: noArgs}
	watch := c.Flags().Bool("watch", false, "refresh every two seconds")
	once := answersOf(a, (*app.UseCases).Status, a.showStatus)
	c.RunE = func(c *cobra.Command, args []string) error {
		if *watch && a.json {
			return usage("leave one of them out", "--watch prints more than the one document of --json")
		}
		if *watch {
			return a.watchStatus(c.Context())
		}
		return once(c, args)
	}
	return c
}

func (a *cli) watchStatus(ctx context.Context) error {
	u, err := a.use()
	if err != nil {
		return err
	}
	t := time.NewTicker(watchEvery)
	defer t.Stop()
	for {
		s, err := u.Status(ctx)
		if err != nil {
			return err
		}
		if a.outTTY {
			a.printf("\x1b[H\x1b[2J")
		}
		a.showStatus(s)
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-t.C:
		}
	}
}

func (a *cli) showStatus(s app.StatusAnswer) {
	what := "memory"
	if a.testOnly {
		what = "test memory"
	}
	if a.quiet {
		a.printf("%s, %s\n", s.Brain, counted(s.Total, what))
		return
	}
	a.printf("store: %s %s\n", s.Kind, strings.TrimPrefix(s.Store, "sqlite:"))
	a.printf("brain: %s, %s\n\n", s.Brain, counted(s.Total, what))
	for _, t := range tiers.All() {
		if n := s.Tiers[t]; n > 0 || t.Live() || t == tiers.Expired {
			a.printf("  %-18s %6d\n", t, n)
		}
	}
	a.printf("\n")
	last := "never"
	if s.LastConsolidation != nil {
		last = ago(*s.LastConsolidation, a.clock())
	}
	a.printf("last consolidation: %s\n", last)
	a.printf("daemon: %s\n", daemonLine(s.Daemon))
	if s.Web != nil {
		a.printf("mcp: %s, with the token in %s\n", *s.Web+mcpPath, s.TokenFile)
	}
	if s.Daemon == nil {
		a.next("start it with `brainbridge serve`; every command works without it too")
	}
	if s.Spend != nil {
		a.printf("%s\n", spendLine(s.Spend))
	}
	if s.Spooled > 0 {
		a.printf("spooled: %s for the store\n", waiting(s.Spooled, "that "))
	}
	for _, store := range slices.Sorted(maps.Keys(s.Elsewhere)) {
		a.printf("spooled: %s for %s\n", waiting(s.Elsewhere[store], ""), store)
	}
	if s.Rejected > 0 {
		a.printf("set aside: %s that the store refused, in %s\n", counted(s.Rejected, "capture"), *s.RejectedFile)
	}
}

// waiting says how many captures wait, with a word between noun and verb.
func waiting(captures int, that string) string {
	return counted(captures, "capture") + " " + that + english.PluralWord(captures, "waits", "wait")
}
