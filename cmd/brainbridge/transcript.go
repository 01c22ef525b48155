package main

import (
	"context"
	"fmt"
	"maps"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/brainbridge/brainbridge/integration/app"
	"github.com/brainbridge/brainbridge/integration/transcripts"
)

func (a *cli) transcriptCommand() *cobra.Command {
	c := a.changing(&cobra.Command{
		Use:   "extract [DATE]",
		Short: "Extract notes from the agent sessions of a day",
		Long: `Read the agent sessions on this machine, write the cleaned transcript of a day, and
extract items worth remembering into the day's note. A model extracts them if one is
configured (llm.base_url, llm.model), otherwise rules do. DATE is 2026-02-05, today
or yesterday; without it, every past day that has not been extracted yet.`,
		Args: between(0, 1),
	})
	c.RunE = answers(a, func(ctx context.Context, u *app.UseCases, args []string) (app.ExtractAnswer, error) {
		debug.SetGCPercent(daemonGC) // a transcript may be large, a command is not
		return u.ExtractTranscripts(ctx, first(args))
	}, func(done app.ExtractAnswer) { a.showTranscripts(done) })
	return parent("transcript", "Extract notes from agent sessions", nil, c)
}

func (a *cli) showTranscripts(v app.ExtractAnswer) {
	if a.quiet {
		a.printf("%d\n", v.Added)
		return
	}
	if len(v.Days) == 0 {
		a.printf("nothing new in %s\n", counted(v.Files, "transcript"))
	}
	for _, d := range v.Days {
		a.showTranscriptDay(d)
	}
	a.showFiles("problem", v.Problems)
}

func (a *cli) showTranscriptDay(d transcripts.Day) {
	a.printf("%s: %s in %s", a.bold(d.Date), counted(d.Messages, "message"), counted(d.Files, "file"))
	if d.Chunks == 0 {
		a.printf("\n")
		return
	}
	a.printf("; %s, %d without anything to keep", counted(d.Chunks, "chunk"), d.Nothings)
	if failed := d.Failures - d.Waiting; failed > 0 {
		a.printf(", %d failed", failed)
	}
	if d.Waiting > 0 {
		a.printf(", %d not asked yet", d.Waiting)
	}
	if d.Unasked > 0 {
		a.printf(", %d that the model would be asked for", d.Unasked)
	}
	a.printf("\n")
	var types []string
	for _, t := range slices.Sorted(maps.Keys(d.Types)) {
		types = append(types, counted(d.Types[t], t))
	}
	if len(types) > 0 {
		a.field("items", strings.Join(types, ", "))
	}
	switch {
	case d.Unchanged && d.Note != "":
		a.field("note", d.Note+" (nothing new)")
	case d.Note != "":
		note := fmt.Sprintf("%s: %d %s, %d known already", d.Note, d.Added, a.verbFor("added", "would be added"), d.Duplicates)
		if d.Asked > 0 {
			note += fmt.Sprintf(", %d shown to the agent before", d.Asked)
		}
		a.field("note", note)
	}
	a.field("transcript", d.Transcript)
	if d.Redacted > 0 {
		a.field("redacted", counted(d.Redacted, "secret"))
	}
	if len(d.Uncovered) > 0 {
		a.field("not in items", flat(strings.Join(d.Uncovered, ", "), 300))
	}
	if d.Partial != "" {
		a.field("partial", d.Partial)
	}
}
