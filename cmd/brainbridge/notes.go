package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/integration/notes"
	"github.com/brainbridge/brainbridge/watcher"
)

// notesDoor is the door between the notes directory and a brain.
func (a *app) notesDoor(b *brain.Brain, log zerolog.Logger) (*notes.Door, error) {
	l, err := a.settings()
	if err != nil {
		return nil, err
	}
	zone, err := l.Config.Notes.Location()
	if err != nil {
		return nil, err
	}
	clock, err := a.now()
	if err != nil {
		return nil, err
	}
	return notes.New(b, notes.Options{
		Dir: l.Paths.NotesDir, Location: zone, MaxFile: int64(l.Config.Notes.MaxFile),
		Brain: l.Config.Brain, Now: clock, Log: log,
	}), nil
}

// openDoor opens the store and the door to it.
func (a *app) openDoor(ctx context.Context) (*notes.Door, error) {
	if err := a.realOnly("notes"); err != nil {
		return nil, err
	}
	b, err := a.brain(ctx)
	if err != nil {
		return nil, err
	}
	return a.notesDoor(b, zerolog.Nop())
}

func (a *app) notesCommand() *cobra.Command {
	sync := a.changing(&cobra.Command{Use: "sync", Short: "Take in what changed in the notes directory", Args: noArgs})
	sync.RunE = func(c *cobra.Command, _ []string) error { return a.notesSync(c.Context()) }
	status := &cobra.Command{Use: "status", Short: "How the notes stand, and what could not be read", Args: noArgs}
	status.RunE = func(c *cobra.Command, _ []string) error { return a.notesStatus(c.Context()) }
	return parent("notes", "The notes directory", sync, status)
}

func (a *app) notesSync(ctx context.Context) error {
	door, err := a.openDoor(ctx)
	if err != nil {
		return err
	}
	res, err := a.syncNotes(ctx, door)
	if err != nil {
		return err
	}
	if res.Problems == nil {
		res.Problems = []notes.Problem{}
	}
	return a.answer(struct {
		notes.Result
		DryRun bool `json:"dryRun,omitempty"`
	}{res, a.dryRun}, func() {
		a.printf("%s: %d new, %d changed, %d unchanged, %d gone\n", a.would(counted(res.Files, "note"), "would take in "+counted(res.Files, "note")),
			res.New, res.Changed, res.Unchanged, res.Gone)
		a.showProblems(res.Problems)
	})
}

func (a *app) syncNotes(ctx context.Context, door *notes.Door) (notes.Result, error) {
	l, err := a.settings()
	if err != nil {
		return notes.Result{}, err
	}
	if a.dryRun {
		_, err := notes.ReadOwner(l.Paths.NotesDir)
		if errors.Is(err, fs.ErrNotExist) { // taking it in would claim it first, and all of it is new
			files, _, err := watcher.Scan(ctx, watcher.Config{Dir: l.Paths.NotesDir, Match: notes.Match, SkipDir: notes.SkipDir})
			return notes.Result{Files: len(files), New: len(files)}, err
		}
	}
	var progress func(done, total int)
	if tell := a.progress(); tell != nil {
		progress = func(done, total int) { tell("notes", done, total) }
	}
	return door.Sync(ctx, progress)
}

func (a *app) notesStatus(ctx context.Context) error {
	door, err := a.openDoor(ctx)
	if err != nil {
		return err
	}
	s, err := door.Status(ctx)
	if err != nil {
		return err
	}
	l, err := a.settings()
	if err != nil {
		return err
	}
	if s.Problems == nil {
		s.Problems = []notes.Problem{}
	}
	v := struct {
		Dir      string          `json:"dir"`
		Watching bool            `json:"watching"`
		LastScan *time.Time      `json:"lastScan"`
		Files    int             `json:"files"`
		Problems []notes.Problem `json:"problems"`
	}{s.Dir, daemonRuns(l), timeOrNull(s.LastScan), s.Files, s.Problems}
	return a.answer(v, func() {
		a.printf("%s\n", a.bold(s.Dir))
		a.field("notes", fmt.Sprint(s.Files))
		a.field("last scan", at(s.LastScan))
		a.field("watched", map[bool]string{true: "yes, by the daemon", false: "no; `brainbridge notes sync` takes them in"}[v.Watching])
		a.showProblems(s.Problems)
	})
}

// showProblems names what could not be read as it was meant.
func (a *app) showProblems(all []notes.Problem) {
	if len(all) == 0 {
		return
	}
	a.printf("\n%s\n", counted(len(all), "problem"))
	for _, p := range all {
		place := p.File
		if p.Line > 0 {
			place = fmt.Sprintf("%s:%d", p.File, p.Line)
		}
		a.printf("  %s: %s\n", place, flat(p.Message, 200))
	}
}
