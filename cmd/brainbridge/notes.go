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
	return parent("notes", "The notes directory", a.notesSyncCommand(), a.notesStatusCommand(), a.notesConsolidateCommand())
}

func (a *cli) notesSyncCommand() *cobra.Command {
	c := a.changing(&cobra.Command{Use: "sync", Short: "Take in what changed in the notes directory", Args: noArgs})
	c.RunE = answersOf(a, (*app.UseCases).SyncNotes, func(done app.SyncNotesAnswer) {
		a.printf("%s %s: %s new, %d changed, %d unchanged, %d gone\n", a.would("took in", "would take in"), counted(done.Files, "file"),
			counted(done.New, "entry"), done.Changed, done.Unchanged, done.Gone)
		a.showFiles("problem", done.Problems)
	})
	return c
}

func (a *cli) notesStatusCommand() *cobra.Command {
	c := &cobra.Command{Use: "status", Short: "How the notes stand, and what could not be read", Args: noArgs}
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
		a.field("last scan", last)
		a.field("watched", watchedLine(s.Daemon))
		a.showFiles("problem", s.Problems)
	})
	return c
}

func (a *cli) notesConsolidateCommand() *cobra.Command {
	c := a.changing(&cobra.Command{
		Use: "consolidate [DATE]", Short: "Take in a day's notes and write MEMORY.md",
		Long: "Take in the notes and write MEMORY.md. In the full form it gets the outcomes of every\nday that is over, or of DATE alone (YYYY-MM-DD, today or yesterday). `--test` prints\nwhat would be added, whole, and writes nothing.",
		Args: between(0, 1),
	})
	r := curateFlags(c)
	test := c.Flags().Bool("test", false, "print each entry that would be added, whole, and write nothing")
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
		return "no; `brainbridge notes sync` takes them in"
	case d.Notes == daemon.Watched:
		return "yes, by the daemon"
	}
	return "daemon " + daemonLine(d)
}
