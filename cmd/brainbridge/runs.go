package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"
	"text/template"

	"github.com/spf13/cobra"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/consolidate"
	"github.com/brainbridge/brainbridge/brain/journal"
	"github.com/brainbridge/brainbridge/integration/app"
)

func (a *cli) runsCommand() *cobra.Command {
	c := command("runs", "List runs: maintenance and other changes", nil)
	var limit int
	countVar(c.Flags(), &limit, "limit", 20, "list at most `N` runs")
	c.RunE = answersTo(a, (*app.UseCases).Runs, &limit, a.showRuns)
	c.AddCommand(command("show [RUN]", "Show the report of a run (default: the last one)", answersTo(a, (*app.UseCases).Run, &a.typed, a.showRun)))
	return c
}

func (a *cli) showRuns(found app.RunsAnswer) {
	t := table{head: []string{"RUN", "STARTED", "KIND", "ACTIONS", "STATE"}, right: "ACTIONS"}
	for _, r := range found.Runs {
		t.item(r.ID, brain.ShortID(r.ID), at(r.Started), r.Kind, fmt.Sprint(r.Actions), runState(r))
	}
	a.printList(t, "no runs yet")
}

func runState(r app.RunLine) string {
	switch {
	case r.Undone:
		return "undone"
	case r.Finished == nil:
		return "not finished"
	case r.Background:
		return "background"
	}
	return ""
}

func (a *cli) undoCommand() *cobra.Command {
	undo := confirmed(a, (*app.UseCases).PlanUndo, func(plan app.RunAnswer) (string, []string) {
		lines := undoLines(plan)
		if a.typed == "" && a.yes && !a.dryRun {
			a.say("%s", lines[0])
		}
		for _, m := range plan.Since {
			a.say("captured since and not undone: %s; `brainbridge forget %s` takes it back", flat(m.Name, 60), brain.ShortID(m.ID))
		}
		return "undo " + brain.ShortID(plan.Run.ID), lines
	}, func(u *app.UseCases, ctx context.Context, plan app.RunAnswer) (journal.Undone, error) {
		return u.Undo(ctx, plan.Run.ID)
	}, a.showUndone)
	return changing(command("undo [RUN]", "Undo a run (default: the last one that you asked for)", undo))
}

func undoLines(plan app.RunAnswer) []string {
	run := plan.Run
	lines := []string{fmt.Sprintf("undo the %s of %s (%s): %s", run.Kind, at(run.Started), brain.ShortID(run.ID), counted(run.Actions, "action"))}
	for _, act := range plan.Actions {
		lines = append(lines, fmt.Sprintf("  %-10s %s  %s", act.Kind, subject(act.IDs), flat(act.Reason, 70)))
	}
	if more := run.Actions - len(plan.Actions); more > 0 {
		lines = append(lines, fmt.Sprintf("  … and %d more", more))
	}
	return lines
}

func (a *cli) showUndone(u journal.Undone) {
	if a.printQuiet(u.RunID) {
		return
	}
	a.printf("%s %s of run %s\n", a.verbFor("undid", "would undo"), counted(u.Undone, "action"), brain.ShortID(u.RunID))
	for _, s := range u.Skipped {
		a.printf("  left %s: %s\n", brain.ShortID(s.ID), s.Reason)
	}
}

// showRun prints the report of a run as Markdown.
func (a *cli) showRun(r app.RunAnswer) {
	if a.printQuiet(r.Run.ID) {
		return
	}
	var report strings.Builder
	if err := writeReport(&report, r); err != nil {
		a.warnError(err)
	}
	a.printf("%s", &report)
}

// runReport is the report of a run; empty parts are left out.
const runReport = `# {{.Run.Kind}}

- run: {{.Run.ID}}
- date: {{at .Report.Date}}
{{- with .Report.Previous}}
- previous run: {{at .Date}}{{with .RunID}}, {{short .}}{{end}}
{{- end}}
{{- with .Report.DurationMs}}
- took: {{.}} ms
{{- end}}
{{- with state .Run}}
- state: {{.}}
{{- end}}
{{with .Report.Counts}}
| analysed | merged | promoted | promoted to core | expired | forgotten | may be forgotten | related | for review | orphans |
|---|---|---|---|---|---|---|---|---|---|
| {{.Analysed}} | {{.Merged}} | {{.Promoted}} | {{.PromotedToCore}} | {{.Expired}} | {{.Forgotten}} | {{.Candidates}} | {{.Related}} | {{.Flagged}} | {{.Orphans}} |
{{end}}
{{- with .Report.Merges}}
## Merged
{{range .}}
- {{inline .Name}} ({{short .ID}}): {{inline .Reason}}{{likeness .}}
{{- range .Originals}}
  - from {{inline .Name}} ({{short .ID}})
{{- end}}{{end}}
{{end}}
{{- with .Report.Promotions}}
## Promoted
{{range .}}
- {{inline .Name}} ({{short .ID}}): {{.As}}
{{- end}}
{{end}}
{{- with .Report.Forgotten}}
## Forgotten
{{range .}}
- {{inline .Name}} ({{short .ID}}): {{counted .AgeDays "day"}} old, {{counted .Uses "use"}}, kept in {{.Archive}}
{{- end}}
{{end}}
{{- with .Report.Orphans}}
## Related to nothing
{{range .}}
- {{inline .Name}} ({{short .ID}})
{{- end}}
{{end}}
{{- with .Report.Health}}
## Health

|  | before | after | change |
|---|---|---|---|
| live |{{change .Before.Live .After.Live}}
| expired |{{change .Before.Expired .After.Expired}}
| stale |{{change .Before.Stale .After.Stale}}
| low effectiveness |{{change .Before.LowEffectiveness .After.LowEffectiveness}}
| duplicates |{{change .Before.Duplicates .After.Duplicates}}
| orphans |{{change .Before.Orphans .After.Orphans}}
| average age (days) | {{decimal .Before.AverageAgeDays}} | {{decimal .After.AverageAgeDays}} | {{decimal .Change.AverageAgeDays}} |
| average effectiveness | {{decimal .Before.AverageEffectiveness}} | {{decimal .After.AverageEffectiveness}} | {{decimal .Change.AverageEffectiveness}} |
| warnings | {{join .Before.Warnings " "}} | {{join .After.Warnings " "}} |  |
{{end}}
{{- with .Report.Recommendations}}
## Recommendations
{{range .}}
- {{flat . 300}}
{{- end}}
{{end}}
{{- with .Report.NextTriggers}}
## The next run is due after
{{range .}}
- {{flat . 300}}
{{- end}}
{{end}}
{{- with .Actions}}
## Actions

| action | as of | memory | why |
|---|---|---|---|
{{- range .}}
| {{.Kind}} | {{at .At}} | {{subject .IDs}} | {{inline .Reason}}{{if .Undone}} (undone){{end}} |
{{- end}}
{{end -}}
`

// writeReport writes the report of a run as Markdown.
func writeReport(w io.Writer, r app.RunAnswer) error {
	return template.Must(template.New("report").Funcs(template.FuncMap{
		"at": at, "short": brain.ShortID[string], "counted": counted, "flat": flat, "join": strings.Join, "subject": subject, "state": runState,
		// inline is a short text that breaks no line and no table.
		"inline": func(text string) string { return strings.ReplaceAll(flat(text, 80), "|", `\|`) },
		"likeness": func(m consolidate.MergedMemory) string {
			if m.Similarity == nil || strings.Contains(m.Reason, "similarity") {
				return ""
			}
			return fmt.Sprintf(", similarity %.2f", *m.Similarity)
		},
		"change":  func(before, after int) string { return fmt.Sprintf(" %d | %d | %+d |", before, after, after-before) },
		"decimal": func(v *float64) string { return cmp.Or(given(v, energy), "–") },
	}).Parse(runReport)).Execute(w, r)
}
