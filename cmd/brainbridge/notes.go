package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/brainbridge/brainbridge/integration/app"
	"github.com/brainbridge/brainbridge/integration/daemon"
)

func (a *cli) notesCommand() *cobra.Command {
	return parent("notes", "Ingest the notes directory and write MEMORY.md", a.notesSyncCommand(), a.notesStatusCommand(), a.notesConsolidateCommand())
}

func (a *cli) notesSyncCommand() *cobra.Command {
	c := a.changing(&cobra.Command{Use: "sync", Short: "Ingest the changes in the notes directory", Args: noArgs})
	c.RunE = answersOf(a, (*app.UseCases).SyncNotes, func(done app.SyncNotesAnswer) {
		a.printf("%s %s: %s new, %d changed, %d unchanged, %d gone\n", a.verbFor("ingested", "would ingest"), counted(done.Files, "file"),
			counted(done.New, "entry"), done.Changed, done.Unchanged, done.Gone)
		a.showFiles("problem", done.Problems)
	})
	return c
}

func (a *cli) notesStatusCommand() *cobra.Command {
	c := &cobra.Command{Use: "status", Short: "Show the state of the notes and the files with problems", Args: noArgs}
	c.RunE = answersOf(a, (*app.UseCases).Notes, func(s app.NotesAnswer) {
		a.printf("%s\n", a.bold(s.Dir))
		if a.quiet {
			return
		}
		last := "–"
		if s.LastScan != nil {
			last = at(*s.LastScan)
		}
		a.field("notes", fmt.Sprint(s.Files))
		for _, k := range s.Kinds {
			found := counted(k.Sections, "section")
			if k.Kind == "daily" {
				found = counted(k.Outcomes, "outcome")
			}
			a.field("  "+k.Kind, fmt.Sprintf("%s with %s", counted(k.Files, "file"), found))
		}
		a.field("last scan", last)
		a.field("watched", watchedLine(s.Daemon))
		for _, l := range s.LeftOut {
			a.field("left out", fmt.Sprintf("%d %s (%s%s)", l.Files, l.Reason, strings.Join(l.Paths, ", "), map[bool]string{true: ", …"}[l.Files > len(l.Paths)]))
		}
		a.showFiles("problem", s.Problems)
	})
	return c
}

func (a *cli) notesConsolidateCommand() *cobra.Command {
	c := a.changing(&cobra.Command{
		Use: "consolidate [DATE]", Short: "Ingest the notes and write MEMORY.md",
		Long: "Ingest the notes and write MEMORY.md. In the full form, MEMORY.md gets the outcomes of\nevery past day, or only of DATE (YYYY-MM-DD, today or yesterday). `--test` prints the\nentries that would be added and writes nothing.",
		Args: between(0, 1),
	})
	r := curateFlags(c)
	test := c.Flags().Bool("test", false, "print the full entries that would be added and write nothing")
	entries := answers(a, func(ctx context.Context, u *app.UseCases, args []string) (app.NewEntriesAnswer, error) {
		r.Day = first(args)
		return u.NewEntries(ctx, *r)
	}, a.showNewEntries)
	write := answers(a, func(ctx context.Context, u *app.UseCases, args []string) (app.ConsolidateNotesAnswer, error) {
		r.Day = first(args)
		return u.ConsolidateNotes(ctx, *r)
	}, func(done app.ConsolidateNotesAnswer) {
		a.showCurated(done.CurateAnswer)
		a.showFiles("problem", done.Problems)
	})
	c.RunE = func(c *cobra.Command, args []string) error {
		if *test {
			return entries(c, args)
		}
		return write(c, args)
	}
	return c
}

func (a *cli) showNewEntries(found app.NewEntriesAnswer) {
	a.printf("%s", strings.Join(found.Entries, "\n"))
	if len(found.Entries) == 0 {
		a.printf("nothing would be added to %s\n", found.File)
	}
	a.showFiles("problem", found.Problems)
}

// watchedLine says whether somebody looks after the notes, for people.
func watchedLine(d *daemon.State) string {
	switch {
	case d == nil:
		return "no; `brainbridge notes sync` ingests them"
	case d.Notes == daemon.Watched:
		return "yes, by the daemon"
	}
	return "daemon " + daemonLine(d)
}
