package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/integration/app"
	"github.com/brainbridge/brainbridge/integration/notes"
	"github.com/brainbridge/brainbridge/integration/transcripts"
)

func (a *cli) notesCommand() *cobra.Command {
	return parent("notes", "Ingest the notes directory and write MEMORY.md", a.notesStatusCommand(), a.notesSyncCommand(), a.notesConsolidateCommand(), a.curateCommand())
}

func (a *cli) notesSyncCommand() *cobra.Command {
	return changing(command("sync", "Ingest the changes in the notes directory", answersOf(a, (*app.UseCases).SyncNotes, func(done app.SyncNotesAnswer) {
		a.printf("%s %s: %s new, %s changed, %s unchanged, %s gone\n", a.verbFor("ingested", "would ingest"), counted(done.Files, "file"),
			counted(done.New, "entry"), humanize.Comma(int64(done.Changed)), humanize.Comma(int64(done.Unchanged)), humanize.Comma(int64(done.Gone)))
		a.showProblems(done.Problems)
		a.showReviewCount(done.Review)
	})))
}

func (a *cli) notesStatusCommand() *cobra.Command {
	return command("status", "Show the state of the notes and the files with problems", answersOf(a, (*app.UseCases).Notes, func(s app.NotesAnswer) {
		a.printf("%s\n", a.bold(s.Dir))
		if a.quiet {
			return
		}
		a.fields("notes", counted(s.Files, "file"))
		for _, k := range s.Kinds {
			found := counted(k.Sections, "section")
			if k.Kind == "daily" || k.Outcomes > 0 {
				found = counted(k.Outcomes, "outcome") + " and " + found
			}
			a.fields("  "+k.Kind, fmt.Sprintf("%s with %s", counted(k.Files, "file"), found))
		}
		a.fields("last scan", cmp.Or(given(s.LastScan, at), "–"), "watched", watchedLine(s.Daemon))
		if slices.ContainsFunc(s.Kinds, func(k notes.KindCount) bool { return k.Kind == "other" || k.Kind == "knowledge" }) {
			a.fields("projects", howProjects)
		}
		for _, l := range s.LeftOut {
			a.fields("left out", fmt.Sprintf("%s %s (%s%s)", humanize.Comma(int64(l.Files)), l.Reason, strings.Join(l.Paths, ", "), map[bool]string{true: ", …"}[l.Files > len(l.Paths)]))
		}
		a.showProblems(s.Problems)
	}))
}

func (a *cli) notesConsolidateCommand() *cobra.Command {
	c := changing(command("consolidate [DATE]", "Ingest the notes and write MEMORY.md", nil))
	c.Long = c.Short + ". In the full form, MEMORY.md gets the outcomes of\nevery past day, or only of DATE (YYYY-MM-DD, today or yesterday). `--test` prints the\nentries that would be added, in their form, and writes nothing."
	r := curateFlags(c)
	test := c.Flags().Bool("test", false, "print the entries that would be added and write nothing")
	entries := answersTo(a, (*app.UseCases).NewEntries, r, a.showNewEntries)
	write := answersTo(a, (*app.UseCases).ConsolidateNotes, r, func(done app.ConsolidateNotesAnswer) {
		a.showCurated(done.CurateAnswer)
		a.showProblems(done.Problems)
	})
	c.RunE = func(c *cobra.Command, args []string) error {
		if r.Day = first(args); *test {
			return entries(c, args)
		}
		return write(c, args)
	}
	return c
}

func (a *cli) showNewEntries(found app.NewEntriesAnswer) {
	between := ""
	if found.Form == "full" {
		between = "\n"
	}
	a.printf("%s", strings.Join(found.Entries, between))
	if len(found.Entries) == 0 {
		a.printf("nothing would be added to %s\n", found.File)
	}
	a.showProblems(found.Problems)
	if found.Form != "full" && len(found.Entries) > 0 {
		a.say("each is one line; with --form full (or notes.form) an entry has its whole text")
	}
}

// watchedLine says whether the notes are watched, for people.
func watchedLine(d *app.DaemonState) string {
	switch {
	case d == nil:
		return "no; `brainbridge notes sync` ingests them"
	case d.Notes == app.Watched:
		return "yes, by the daemon"
	}
	return "daemon " + daemonLine(d)
}

func curateFlags(c *cobra.Command) *app.CurateRequest {
	var r app.CurateRequest
	c.Flags().BoolVar(&r.Force, "force", false, "write even if more than a quarter of the entries would be dropped because their memories no longer exist")
	c.Flags().StringVar(&r.Form, "form", "", "`FORM` of the block: curated or full (default notes.form)")
	return &r
}

func (a *cli) curateCommand() *cobra.Command {
	c := changing(command("curate", "Update the block of MEMORY.md from the memories", nil))
	c.Long = c.Short + ". Text outside the block is never changed.\nInside it, a changed entry corrects its memory, a deleted entry stays deleted, and added\ntext is moved below the block. `--dry-run` shows the difference."
	c.RunE = answersTo(a, (*app.UseCases).Curate, curateFlags(c), a.showCurated)
	return c
}

func (a *cli) showCurated(c app.CurateAnswer) {
	a.printf("%s", c.Diff)
	for _, e := range c.Corrections {
		a.say("corrected by hand: %s %s", brain.ShortID(e.ID), flat(e.Text, 80))
	}
	for _, e := range c.Barred {
		a.say("deleted by hand: %s %s", brain.ShortID(e.ID), flat(e.Text, 80))
	}
	unchanged := !a.dryRun && !c.Written
	switch {
	case a.quiet:
		return
	case unchanged && c.Removed > 0:
		a.printf("%s keeps out what you deleted: %s, %d not shown\n", c.File, counted(c.Entries, "entry"), c.PointedTo)
	case unchanged && len(c.Corrections) > 0:
		a.printf("%s stays as you wrote it: %s, %d not shown\n", c.File, counted(c.Entries, "entry"), c.PointedTo)
	case unchanged, a.dryRun && c.Diff == "":
		a.printf("%s is up to date: %s, %d not shown\n", c.File, counted(c.Entries, "entry"), c.PointedTo)
	default:
		a.printf("%s %s: %d added, %d removed, %s, %d not shown (%d characters, %d lines)\n",
			a.verbFor("wrote", "would write"), c.File, c.Added, c.Removed, counted(c.Entries, "entry"), c.PointedTo, c.Chars, c.Lines)
	}
	for _, w := range c.Warnings {
		a.warn(w)
	}
	a.showUndo(c.RunID)
}

func (a *cli) transcriptCommand() *cobra.Command {
	c := changing(command("extract [DATE]", "Extract notes from the agent sessions of a day", nil))
	c.Long = `Read the agent sessions on this machine, write the cleaned transcript of a day, and
extract items worth remembering into the day's note. A model extracts them if one is
configured (llm.base_url, llm.model), otherwise rules do. DATE is 2026-02-05, today
or yesterday; without it, every past day that has not been extracted yet.`
	c.PreRun = func(*cobra.Command, []string) { collectAsDaemon() } // a transcript may be large, a command is not
	c.RunE = answersTo(a, (*app.UseCases).ExtractTranscripts, &a.typed, a.showTranscripts)
	return parent("transcript", "Extract notes from agent sessions", nil, c)
}

func (a *cli) showTranscripts(v transcripts.Report) {
	if a.printQuiet(v.Added) {
		return
	}
	if len(v.Days) == 0 {
		a.printf("nothing new in %s; `brainbridge transcript extract today` reads the day so far\n", counted(v.Files, "transcript"))
	}
	for _, d := range v.Days {
		a.showTranscriptDay(d)
	}
	a.showProblems(v.Problems)
}

func (a *cli) showTranscriptDay(d transcripts.Day) {
	a.printf("%s: %s in %s", a.bold(d.Date), counted(d.Messages, "message"), counted(d.Files, "file"))
	if d.Chunks == 0 {
		a.printf("\n")
		return
	}
	a.printf("; %s, %d without anything to keep", counted(d.Chunks, "chunk"), d.Nothings)
	for _, part := range []struct {
		n    int
		what string
	}{{d.Failures - d.Waiting, "failed"}, {d.Waiting, "not asked yet"}, {d.Unasked, "that the model would be asked for"}} {
		if part.n > 0 {
			a.printf(", %d %s", part.n, part.what)
		}
	}
	a.printf("\n")
	types := brain.Map(slices.Sorted(maps.Keys(d.Types)), func(t string) string { return counted(d.Types[t], t) })
	a.fields(
		"items", strings.Join(types, ", "),
		"note", a.noteOf(d),
		"transcript", d.Transcript,
		"redacted", some(d.Redacted, "secret"),
		"not in items", flat(strings.Join(d.Uncovered, ", "), 300),
		"partial", d.Partial,
	)
}

// noteOf says what was added to the note of a day, "" if there is no note.
func (a *cli) noteOf(d transcripts.Day) string {
	switch {
	case d.Note == "":
		return ""
	case d.Unchanged:
		return d.Note + " (nothing new)"
	}
	return fmt.Sprintf("%s: %d %s, %d known already", d.Note, d.Added, a.verbFor("added", "would be added"), d.Duplicates)
}
