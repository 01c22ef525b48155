package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/integration/app"
	"github.com/brainbridge/brainbridge/integration/exchange"
)

func (a *cli) importCommand() *cobra.Command {
	var below []*cobra.Command
	var o exchange.Options
	for _, format := range exchange.Formats() {
		below = append(below, changing(command(format.Name+" "+format.Argument, format.Short,
			answers(a, func(ctx context.Context, u *app.UseCases, args []string) (exchange.Report, error) {
				o.Path = args[0]
				if o.Repair && format.Name == exchange.Brainbridge {
					return exchange.Report{}, usage("leave --repair out", "--repair repairs files")
				}
				return u.Import(ctx, format, o)
			}, a.showImport))))
	}
	c := parent("import", "Import memories from other programs", nil, below...)
	f := c.PersistentFlags()
	f.BoolVar(&o.Repair, "repair", false, "repair UTF-8 that was decoded as MacRoman or Windows-1252, such as â€™")
	f.StringVar(&o.Project, "project", "", "project `NAME` for all imported memories")
	f.StringArrayVar(&o.Tags, "tag", nil, "`TAG` for all imported memories; may be repeated")
	return c
}

func (a *cli) showImport(r exchange.Report) {
	if a.printQuiet(r.Imported) {
		return
	}
	line := fmt.Sprintf("%s %s and %s from %s: %d unchanged, %s", a.verbFor("imported", "would import"), counted(r.Imported, "memory"),
		counted(r.Sections, "section"), counted(r.Files, "file"), r.Unchanged, counted(r.Duplicates, "duplicate"))
	if r.Tests > 0 {
		line += fmt.Sprintf(", %s", counted(r.Tests, "test memory"))
	}
	if r.Redacted > 0 {
		line += fmt.Sprintf(", %s redacted", counted(r.Redacted, "secret"))
	}
	if r.Repaired > 0 {
		line += fmt.Sprintf(", %s repaired", counted(r.Repaired, "character"))
	}
	a.printf("%s\n", line)
	a.showFiles(strconv.Itoa(len(r.LeftOut))+" left out", r.LeftOut)
	a.showProblems(r.Problems)
	if r.RunID != "" {
		a.next("undo it with: brainbridge undo %s", brain.ShortID(r.RunID))
	}
}

// shownPlaces is the number of places that a person is shown for one problem.
const shownPlaces = 5

// showProblems prints problems in files. Of those with the same message, most are counted.
func (a *cli) showProblems(all []brain.Problem) {
	same := map[string]int{}
	var shown []brain.Problem
	for _, p := range all {
		if same[p.Message]++; same[p.Message] <= shownPlaces {
			shown = append(shown, p)
		}
	}
	a.showFiles(counted(len(all), "problem"), shown)
	for _, message := range slices.Sorted(maps.Keys(same)) {
		if n := same[message] - shownPlaces; n > 0 {
			a.printf("  and %s more (--json names all): %s\n", humanize.Comma(int64(n)), flat(message, 300))
		}
	}
}

// showFiles prints places in files, with a message for each.
func (a *cli) showFiles(title string, all []brain.Problem) {
	if len(all) == 0 {
		return
	}
	a.printf("\n%s\n", title)
	for _, p := range all {
		place := p.File
		if p.Line > 0 {
			place = fmt.Sprintf("%s:%d", p.File, p.Line)
		}
		if place != "" { // it is not of a file
			place = flat(place, 300) + ": "
		}
		a.printf("  %s%s\n", place, flat(p.Message, 300))
	}
}

func (a *cli) exportCommand() *cobra.Command {
	var below []*cobra.Command
	for _, format := range exchange.ExportFormats() {
		below = append(below, changing(command(format.Name+" "+format.Argument, format.Short,
			answers(a, func(ctx context.Context, u *app.UseCases, args []string) (exchange.ExportReport, error) {
				return u.Export(ctx, format, args[0])
			}, a.showExport))))
	}
	return parent("export", "Export memories to files", nil, below...)
}

func (a *cli) showExport(r exchange.ExportReport) {
	if a.printQuiet(r.Written) {
		return
	}
	a.printf("%s %s of %s to %s: %d unchanged\n", a.verbFor("wrote", "would write"), counted(r.Written, "file"),
		countedMemories(r.Memories, r.Archived), r.Dir, r.Unchanged)
	a.showProblems(r.Problems)
}
