package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/consolidate"
	"github.com/brainbridge/brainbridge/brain/journal"
	"github.com/brainbridge/brainbridge/integration/app"
)

func (a *cli) runsCommand() *cobra.Command {
	c := &cobra.Command{Use: "runs", Short: "List runs: maintenance and other changes", Args: noArgs}
	limit := c.Flags().Int("limit", 20, "list at most `N` runs")
	c.RunE = answers(a, func(ctx context.Context, u *app.UseCases, _ []string) (app.RunsAnswer, error) {
		if err := positive(c, "limit", *limit); err != nil {
			return app.RunsAnswer{}, err
		}
		return u.Runs(ctx, *limit)
	}, a.showRuns)
	c.AddCommand(a.runsShowCommand())
	return c
}

func (a *cli) runsShowCommand() *cobra.Command {
	c := &cobra.Command{Use: "show [RUN]", Short: "Show the report of a run (default: the last one)", Args: between(0, 1)}
	c.RunE = answersAbout(a, (*app.UseCases).Run, a.showRun)
	return c
}

func (a *cli) showRuns(found app.RunsAnswer) {
	t := table{head: []string{"RUN", "STARTED", "KIND", "ACTIONS", "STATE"}, right: "ACTIONS"}
	for _, r := range found.Runs {
		t.item(r.ID, short(r.ID), at(r.Started), r.Kind, fmt.Sprint(r.Actions), runState(r))
	}
	a.printList(t, "no runs yet")
}

func runState(r app.RunLine) string {
	switch {
	case r.Undone:
		return "undone"
	case r.Finished == nil:
		return "not finished"
	}
	return ""
}

func (a *cli) undoCommand() *cobra.Command {
	c := a.changing(&cobra.Command{
		Use: "undo [RUN]", Short: "Undo a run (default: the last one that changed something)", Args: between(0, 1),
	})
	c.RunE = func(c *cobra.Command, args []string) error {
		named := len(args) > 0
		return confirmed(a, (*app.UseCases).PlanUndo, func(plan app.RunAnswer) (string, []string) {
			lines := undoLines(plan)
			if !named && a.yes && !a.dryRun {
				a.say("%s", lines[0])
			}
			for _, m := range plan.Since {
				a.say("captured since and not undone: %s; `brainbridge forget %s` takes it back", flat(m.Name, 60), short(m.ID))
			}
			return "undo " + short(plan.Run.ID), lines
		}, func(u *app.UseCases, ctx context.Context, plan app.RunAnswer) (journal.Undone, error) {
			return u.Undo(ctx, plan.Run.ID)
		}, a.showUndone)(c, args)
	}
	return c
}

// planLines is how many actions a plan shows.
const planLines = 10

func undoLines(plan app.RunAnswer) []string {
	run := plan.Run
	lines := []string{fmt.Sprintf("undo the %s of %s (%s): %s", run.Kind, at(run.Started), short(run.ID), counted(run.Actions, "action"))}
	for _, act := range plan.Actions[:min(len(plan.Actions), planLines)] {
		lines = append(lines, fmt.Sprintf("  %-10s %s  %s", act.Kind, subject(act.IDs), flat(act.Reason, 70)))
	}
	if more := len(plan.Actions) - planLines; more > 0 {
		lines = append(lines, fmt.Sprintf("  … and %d more", more))
	}
	return lines
}

func (a *cli) showUndone(u journal.Undone) {
	if a.brief(u.RunID) {
		return
	}
	a.printf("%s %s of run %s\n", a.verbFor("undid", "would undo"), counted(u.Undone, "action"), short(u.RunID))
	for _, s := range u.Skipped {
		a.printf("  left %s: %s\n", short(s.ID), s.Reason)
	}
}

// showRun prints the report of a run as Markdown.
func (a *cli) showRun(r app.RunAnswer) {
	if a.brief(r.Run.ID) {
		return
	}
	a.printf("%s\n", strings.Join(reportOf(r), "\n"))
}

// reportOf are the lines of a report; what there is nothing to say of is left
// out.
func reportOf(r app.RunAnswer) []string {
	lines := headOf(r)
	add := func(title string, part []string) {
		if len(part) > 0 {
			lines = append(append(lines, "", "## "+title, ""), part...)
		}
	}
	add("Merged", mergesOf(r.Report.Merges))
	add("Promoted", promotionsOf(r.Report.Promotions))
	add("Forgotten", forgottenOf(r.Report.Forgotten))
	add("Health", healthOf(r.Report.Health))
	add("Recommendations", bullets(r.Report.Recommendations))
	add("The next run is due after", bullets(r.Report.NextTriggers))
	add("Actions", actionsOf(r.Actions))
	return lines
}

func headOf(r app.RunAnswer) []string {
	lines := []string{"# " + r.Run.Kind, "", "- run: " + r.Run.ID, "- date: " + at(r.Report.Date)}
	if p := r.Report.Previous; p != nil {
		line := "- previous run: " + at(p.Date)
		if p.RunID != nil {
			line += ", " + short(*p.RunID)
		}
		lines = append(lines, line)
	}
	if ms := r.Report.DurationMs; ms != nil {
		lines = append(lines, fmt.Sprintf("- took: %d ms", *ms))
	}
	if s := runState(r.Run); s != "" {
		lines = append(lines, "- state: "+s)
	}
	return append(append(lines, ""), countTable(r.Report.Counts)...)
}

func countTable(c consolidate.Counts) []string {
	t := [][]string{{"analysed", "merged", "promoted", "promoted to core", "expired", "forgotten", "may be forgotten", "related", "for review", "orphans"}, nil}
	for _, n := range []int{
		c.Analysed, c.Merged, c.Promoted, c.PromotedToCore, c.Expired, c.Forgotten, c.Candidates, c.Related, c.Flagged, c.Orphans,
	} {
		t[1] = append(t[1], strconv.Itoa(n))
	}
	return markdownTable(t)
}

func mergesOf(all []consolidate.MergedMemory) []string {
	var lines []string
	for _, m := range all {
		lines = append(lines, "- "+memoryIn(m.Named)+": "+inline(m.Reason))
		for _, o := range m.Originals {
			lines = append(lines, "  - from "+memoryIn(o))
		}
	}
	return lines
}

func promotionsOf(all []consolidate.PromotedMemory) []string {
	return brain.Map(all, func(p consolidate.PromotedMemory) string { return fmt.Sprintf("- %s: %s", memoryIn(p.Named), p.As) })
}

func forgottenOf(all []consolidate.ForgottenMemory) []string {
	return brain.Map(all, func(f consolidate.ForgottenMemory) string {
		return fmt.Sprintf("- %s: %s old, %s, kept in %s", memoryIn(f.Named), counted(f.AgeDays, "day"), counted(f.Uses, "use"), f.Archive)
	})
}

func healthOf(h *consolidate.HealthChange) []string {
	if h == nil {
		return nil
	}
	t := [][]string{{"", "before", "after", "change"}}
	whole := func(what string, before, after int) {
		t = append(t, []string{what, strconv.Itoa(before), strconv.Itoa(after), fmt.Sprintf("%+d", after-before)})
	}
	whole("live", h.Before.Live, h.After.Live)
	whole("expired", h.Before.Expired, h.After.Expired)
	whole("stale", h.Before.Stale, h.After.Stale)
	whole("low effectiveness", h.Before.LowEffectiveness, h.After.LowEffectiveness)
	whole("duplicates", h.Before.Duplicates, h.After.Duplicates)
	whole("orphans", h.Before.Orphans, h.After.Orphans)
	t = append(t,
		[]string{"average age (days)", decimal(h.Before.AverageAgeDays), decimal(h.After.AverageAgeDays), decimal(h.Change.AverageAgeDays)},
		[]string{"average effectiveness", decimal(h.Before.AverageEffectiveness), decimal(h.After.AverageEffectiveness), decimal(h.Change.AverageEffectiveness)},
		[]string{"warnings", strings.Join(h.Before.Warnings, " "), strings.Join(h.After.Warnings, " "), ""})
	return markdownTable(t)
}

func actionsOf(all []app.ActionLine) []string {
	if len(all) == 0 {
		return nil
	}
	t := [][]string{{"action", "as of", "memory", "why"}}
	for _, l := range all {
		why := inline(l.Reason)
		if l.Undone {
			why += " (undone)"
		}
		t = append(t, []string{string(l.Kind), at(l.At), subject(l.IDs), why})
	}
	return markdownTable(t)
}

func bullets(texts []string) []string {
	return brain.Map(texts, func(text string) string { return "- " + flat(text, 300) })
}

// memoryIn is a memory by its name and id.
func memoryIn(m consolidate.Named) string { return inline(m.Name) + " (" + short(m.ID) + ")" }

// inline is a short text that breaks no line and no table.
func inline(text string) string { return strings.ReplaceAll(flat(text, 80), "|", `\|`) }

// decimal is a number as people see it; a dash where there is none.
func decimal(v *float64) string {
	if v == nil {
		return "–"
	}
	return strconv.FormatFloat(*v, 'f', 2, 64)
}

// markdownTable are the lines of a table, its head first.
func markdownTable(rows [][]string) []string {
	lines := []string{tableLine(rows[0]), strings.Repeat("|---", len(rows[0])) + "|"}
	for _, row := range rows[1:] {
		lines = append(lines, tableLine(row))
	}
	return lines
}

func tableLine(cells []string) string { return "| " + strings.Join(cells, " | ") + " |" }
