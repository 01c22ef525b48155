package main

import (
	"cmp"
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

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/health"
	"github.com/brainbridge/brainbridge/brain/moment"
	"github.com/brainbridge/brainbridge/integration/app"
	"github.com/brainbridge/brainbridge/tiers"
)

// spendLine returns the cost of models, for people.
func spendLine(s *app.SpendAnswer) string {
	line := "model: " + humanize.Comma(int64(s.Tokens))
	if s.Limit > 0 {
		line += " of " + humanize.Comma(int64(s.Limit))
	}
	line += " tokens today"
	return line
}

func (a *cli) statusCommand() *cobra.Command {
	c := command("status", "Show counts per tier, the store and the daemon", nil)
	watch := c.Flags().Bool("watch", false, "draw it, and what comes next, every two seconds")
	withTests := c.Flags().Bool("with-tests", false, "count the test memories, too")
	_ = c.Flags().MarkHidden("with-tests") // of -memoryStatus; the flag exists
	once := answersOf(a, func(u *app.UseCases, ctx context.Context) (app.StatusAnswer, error) {
		if *withTests {
			return u.StatusWithTests(ctx)
		}
		return u.Status(ctx)
	}, a.showStatus)
	c.RunE = func(c *cobra.Command, args []string) error {
		switch {
		case !*watch:
			return once(c, args)
		case a.json:
			return usage("leave one of them out", "--watch prints more than the one document of --json")
		}
		return a.watchStatus(c.Context())
	}
	return c
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
		if n := s.Tiers[t]; n > 0 || t.Current() {
			a.printf("  %-18s %6d\n", t, n)
		}
	}
	a.printf("\n")
	if s.WithTests {
		a.printf("total: %d, test: %d, real: %d\n", s.Total+s.Tests, s.Tests, s.Total)
	}
	last := given(s.LastConsolidation, func(t time.Time) string { return ago(t, a.clock()) })
	a.printf("last consolidation: %s\n", cmp.Or(last, "never"))
	if c := s.LastCheck; c != nil {
		a.printf("last full check: %s, %s\n", ago(c.At, a.clock()), checkLine(c))
	}
	a.printf("daemon: %s\n", daemonLine(s.Daemon))
	for _, line := range s.Warnings {
		a.printf("warning: %s\n", flat(line, 300))
	}
	if s.Elsewhere != "" {
		a.printf("  %s: `%s`\n", s.Elsewhere, s.Restart)
	}
	if s.Web != "" {
		a.printf("mcp: %s, with the token in %s\n", s.Web+mcpPath, s.TokenFile)
	}
	if s.Daemon == nil {
		a.next("start it with `brainbridge serve`; every command works without it too")
	}
	a.showReviewCount(s.Review)
	if s.Spend != nil {
		a.printf("%s\n", spendLine(s.Spend))
	}
	if v := s.Vectors; v != nil {
		a.printf("vectors: %s of %s, by %s\n", humanize.Comma(int64(v.With)), counted(v.With+v.Without, "text"), v.Model)
		if v.Stored != "" {
			a.printf("%s\n", otherModel(v.Stored))
		}
	}
	if s.Spooled > 0 {
		a.printf("spooled: %s for the store\n", waiting(s.Spooled, "that "))
	}
	for _, store := range slices.Sorted(maps.Keys(s.SpooledElsewhere)) {
		a.printf("spooled: %s for %s\n", waiting(s.SpooledElsewhere[store], ""), store)
	}
	if s.Rejected > 0 {
		a.printf("set aside: %s that the store refused, in %s\n", counted(s.Rejected, "capture"), s.RejectedFile)
	}
}

// showReviewCount prints how many items of the review queue are open, unless none is.
func (a *cli) showReviewCount(open int) {
	if open > 0 {
		a.printf("review: %s %s for a verdict: `brainbridge review`\n", counted(open, "item"), english.PluralWord(open, "waits", "wait"))
	}
}

// waiting says how many captures wait, with a word between noun and verb.
func waiting(captures int, that string) string {
	return counted(captures, "capture") + " " + that + english.PluralWord(captures, "waits", "wait")
}

func (a *cli) healthCommand() *cobra.Command {
	c := command("health", "Check the brain and suggest fixes", answersOf(a, (*app.UseCases).Health, a.showHealth))
	c.Long = c.Short + ". It changes nothing. The exit code is 0 even if there\nare warnings."
	return c
}

func (a *cli) showHealth(r health.Report) {
	line := "OK: " + counted(r.Totals.Memories, "memory") + " in order"
	if r.Status != health.OK {
		line = "WARN: " + strings.Join(r.Warnings(), ", ")
	}
	a.printf("%s\n", line)
	if a.quiet {
		return
	}
	if r.Totals.Memories > 0 {
		a.printf("\n")
	}
	showCounts(a, "tiers", r.Totals.ByTier)
	showCounts(a, "types", r.Totals.ByType)
	if r.AverageAgeDays != nil {
		a.printf("average age: %s\n", moment.Rough(time.Duration(*r.AverageAgeDays*24*float64(time.Hour))))
	}
	if r.AverageEffectiveness != nil {
		a.printf("average effectiveness: %.0f %%\n", *r.AverageEffectiveness*100)
	}
	a.printf("\n")
	t := table{head: []string{"INDICATOR", "STATE", "WHAT"}}
	for _, i := range r.Indicators {
		t.row(i.Name, strings.ToUpper(string(i.State)), i.Detail)
	}
	a.print(t)
	if len(r.Recommendations) > 0 {
		a.printf("\nTo do:\n")
	}
	for _, line := range r.Recommendations {
		a.printf("  %s\n", flat(line, 300))
	}
}

// checkLine says what the last check found.
func checkLine(c *app.CheckedAnswer) string {
	switch {
	case c.Unusable > 0:
		return fmt.Sprintf("%d cannot be used: `brainbridge doctor`", c.Unusable)
	case len(c.Findings) > 0:
		return "see " + strings.Join(c.Findings, ", ") + ": `brainbridge doctor`"
	}
	return "all is well"
}

// showCounts prints counts on one line, highest first.
func showCounts[K ~string](a *cli, what string, counts map[K]int) {
	names := slices.SortedFunc(maps.Keys(counts), func(x, y K) int {
		return cmp.Or(cmp.Compare(counts[y], counts[x]), cmp.Compare(x, y))
	})
	names = slices.DeleteFunc(names, func(name K) bool { return counts[name] == 0 })
	const most = 12 // they fit a line or two
	parts := brain.Map(names[:min(len(names), most)], func(name K) string {
		return flat(string(name), 40) + " " + humanize.Comma(int64(counts[name]))
	})
	if more := len(names) - most; more > 0 {
		parts = append(parts, fmt.Sprintf("%d more", more))
	}
	if len(parts) > 0 {
		a.printf("%s: %s\n", what, strings.Join(parts, ", "))
	}
}

func (a *cli) auditCommand() *cobra.Command {
	c := command("audit", "Count junk, duplicate, stale, redacted and rejected memories", nil)
	var limit int
	countVar(c.Flags(), &limit, "limit", 20, "show at most `N` recent rejections")
	c.RunE = answersTo(a, (*app.UseCases).Audit, &limit, func(audit health.Audit) { a.showAudit(audit, a.clock()) })
	return c
}

func (a *cli) showAudit(audit health.Audit, now time.Time) {
	t := table{head: []string{"WHAT", "COUNT", "OF", "SHARE", "MEANS"}, right: "COUNT OF SHARE"}
	for _, r := range audit.Rates {
		share := given(r.Percent, func(percent float64) string { return fmt.Sprintf("%.1f %%", percent) })
		t.row(r.Name, strconv.Itoa(r.Count), given(r.Of, strconv.Itoa), share, r.What)
	}
	if a.printQuiet(audit.Rates[0].Count) {
		return
	}
	if !slices.ContainsFunc(audit.Rates, func(r health.Rate) bool { return r.Count > 0 }) {
		a.printf("nothing to clean in %s\n", counted(audit.Memories, "memory"))
		return
	}
	a.print(t)
	if len(audit.Rejections) == 0 {
		return
	}
	a.printf("\n")
	t = table{head: []string{"REJECTED", "CAUSE", "SCORE", "TEXT", "WHY"}, right: "SCORE"}
	for _, r := range audit.Rejections {
		t.row(ago(r.At, now), r.Cause, score(r.Score), flat(r.Name, 40), flat(first(r.Reasons), 60))
	}
	a.print(t)
}
