package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/brainbridge/brainbridge/brain/health"
	"github.com/brainbridge/brainbridge/integration/app"
)

func (a *cli) healthCommand() *cobra.Command {
	return &cobra.Command{
		Use: "health", Short: "Check the brain and suggest fixes",
		Long: "Check the brain and suggest fixes. It changes nothing. The exit code is 0 even if there\nare warnings.",
		Args: noArgs, RunE: answersOf(a, (*app.UseCases).Health, a.showHealth),
	}
}

func (a *cli) showHealth(r health.Report) {
	a.printf("%s\n", healthLine(r))
	if a.quiet {
		return
	}
	a.printf("\n")
	a.showTotals(r)
	t := table{head: []string{"INDICATOR", "STATE", "VALUE", "LIMIT", "WHAT"}, right: "VALUE LIMIT"}
	for _, i := range r.Indicators {
		t.row(i.Name, strings.ToUpper(string(i.State)), plainNumber(i.Value), plainNumber(&i.Limit), i.Detail)
	}
	a.print(t)
	if len(r.Recommendations) > 0 {
		a.printf("\nTo do:\n")
	}
	for _, line := range r.Recommendations {
		a.printf("  %s\n", flat(line, 300))
	}
}

// healthLine is the health of a brain in one line.
func healthLine(r health.Report) string {
	if r.Status == health.OK {
		return "OK: " + counted(r.Totals.Memories, "memory") + " in order"
	}
	return "WARN: " + strings.Join(r.Warnings(), ", ")
}

func (a *cli) showTotals(r health.Report) {
	byTier := map[string]int{}
	for t, n := range r.Totals.ByTier {
		byTier[string(t)] = n
	}
	a.showCounts("tiers", byTier)
	a.showCounts("types", r.Totals.ByType)
	if r.AverageAgeDays != nil {
		a.printf("average age: %s days\n", plainNumber(r.AverageAgeDays))
	}
	if r.AverageEffectiveness != nil {
		a.printf("average effectiveness: %s\n", plainNumber(r.AverageEffectiveness))
	}
	a.printf("\n")
}

// shownCounts is how many counts fit a line or two.
const shownCounts = 12

// showCounts prints what there is of each on one line, most first.
func (a *cli) showCounts(what string, counts map[string]int) {
	names := slices.SortedFunc(maps.Keys(counts), func(x, y string) int {
		return cmp.Or(cmp.Compare(counts[y], counts[x]), cmp.Compare(x, y))
	})
	names = slices.DeleteFunc(names, func(name string) bool { return counts[name] == 0 })
	var parts []string
	for _, name := range names[:min(len(names), shownCounts)] {
		parts = append(parts, fmt.Sprintf("%s %d", flat(name, 40), counts[name]))
	}
	if more := len(names) - shownCounts; more > 0 {
		parts = append(parts, fmt.Sprintf("%d more", more))
	}
	if len(parts) > 0 {
		a.printf("%s: %s\n", what, strings.Join(parts, ", "))
	}
}

// plainNumber is a number without needless digits; a dash where there is none.
func plainNumber(v *float64) string {
	if v == nil {
		return "–"
	}
	return strconv.FormatFloat(*v, 'f', -1, 64)
}
