package app

import (
	"cmp"
	"context"
	"path/filepath"

	"github.com/rs/zerolog"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/config"
	"github.com/brainbridge/brainbridge/integration/memorymd"
)

// CurateRequest says how MEMORY.md is written.
type CurateRequest struct {
	Form  string // "": notes.form
	Force bool   // also drop more than a quarter of the entries because their memories are gone
	Day   string // the only day whose outcomes the full form adds; "": every day that is over
}

func (r CurateRequest) check() error {
	switch r.Form {
	case "", config.FormCurated, config.FormFull:
		return nil
	}
	return invalid("use --form curated or --form full", "there is no form %q", r.Form)
}

// CurateAnswer describes the changes to MEMORY.md.
type CurateAnswer struct {
	File      string   `json:"file"`
	Form      string   `json:"form"`
	Entries   int      `json:"entries"`
	PointedTo int      `json:"pointedTo"`
	Added     int      `json:"added"`
	Removed   int      `json:"removed"`
	Corrected int      `json:"corrected"` // memories that got the person's words
	Chars     int      `json:"chars"`
	Lines     int      `json:"lines"`
	Written   bool     `json:"written"`
	RunID     *string  `json:"runId"`
	DryRun    bool     `json:"dryRun,omitempty"`
	Diff      string   `json:"diff,omitempty"`
	Warnings  []string `json:"warnings,omitempty"`

	// What a person did inside the block.
	Corrections []memorymd.Correction `json:"-"`
	Deleted     []memorymd.Ref        `json:"-"`
}

func curated(file string, res memorymd.Result) CurateAnswer {
	return CurateAnswer{
		File: file, Form: string(res.Form), Entries: res.Entries, PointedTo: res.PointedTo,
		Added: len(res.Added), Removed: len(res.Removed) + len(res.Barred), Corrected: len(res.Corrections),
		Chars: res.Chars, Lines: res.Lines, Corrections: res.Corrections, Deleted: res.Barred,
	}
}

// Curate writes MEMORY.md as a run of its own. In a dry run the answer has the
// difference.
func (u *UseCases) Curate(ctx context.Context, r CurateRequest) (CurateAnswer, error) {
	if err := r.check(); err != nil {
		return CurateAnswer{}, err
	}
	b, err := u.Brain(ctx)
	if err != nil {
		return CurateAnswer{}, err
	}
	return u.curate(ctx, b, r)
}

func (u *UseCases) curate(ctx context.Context, b *services.Services, r CurateRequest) (CurateAnswer, error) {
	curator := u.Curator(b, r)
	if u.caller.DryRun {
		changes, res, err := curator.Preview(ctx)
		a := curated(curator.File(), res)
		a.DryRun, a.Diff, a.Warnings = true, changes, res.Warnings
		return a, err
	}
	rep, err := u.runnerOf(b, curator).Run(ctx, u.request(brain.RunCurate))
	res, wrote := curator.Last()
	a := curated(curator.File(), res)
	a.Written, a.RunID = wrote, textOrNull(rep.RunID)
	return a, err
}

// Curator returns the step of a run that writes MEMORY.md.
func (u *UseCases) Curator(b *services.Services, r CurateRequest) *memorymd.Curator {
	l := u.app.o.Settings
	directory := u.NotesDirectory(b, zerolog.Nop())
	own := directory.ClaimOrCreate
	if u.caller.DryRun {
		own = directory.OwnerID
	}
	return memorymd.New(memorymd.Settings{
		Brain: b, Host: hostName(), NotesDir: l.Paths.NotesDir, Location: l.Zone, Own: own,
		File: memorymd.File{Path: l.Paths.MemoryMD, Lock: filepath.Join(l.Paths.State, "memory.lock")},
		Options: memorymd.Options{
			Form: memorymd.Form(cmp.Or(r.Form, l.Config.Notes.Form)), Chars: l.Config.Notes.BudgetChars, Lines: l.Config.Notes.BudgetLines,
			Force: r.Force,
		},
		Day: r.Day, Warn: u.warn,
	})
}
