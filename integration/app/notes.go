package app

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/ingest"
	"github.com/brainbridge/brainbridge/brain/lease"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/config"
	"github.com/brainbridge/brainbridge/integration/memorymd"
	"github.com/brainbridge/brainbridge/integration/notes"
)

// NotesStep is the name of the step that reads notes, see [Notices].
const NotesStep = "notes"

// NotesResult counts what was ingested.
type NotesResult = notes.Result

// SyncNotesAnswer is the answer to a sync.
type SyncNotesAnswer struct {
	NotesResult
	Review int `json:"review"` // open items of the review queue
}

// SyncNotes ingests the changes in the notes directory.
func (u *UseCases) SyncNotes(ctx context.Context) (a SyncNotesAnswer, err error) {
	b, err := u.Brain(ctx)
	if err != nil {
		return a, err
	}
	if a.NotesResult, err = u.ingestNotes(ctx, b, ""); err == nil {
		a.Review, err = b.Review.Open(ctx)
	}
	return a, err
}

func (u *UseCases) ingestNotes(ctx context.Context, b *services.Services, day string) (notes.Result, error) {
	defer u.embedChanged(ctx, b)
	directory := u.NotesDirectory(b)
	if day == "" {
		return directory.Sync(ctx, func(done, total int) { u.caller.Notices.Progress(NotesStep, done, total) })
	}
	files, err := directory.DayFiles(ctx, day)
	if err == nil && len(files) == 0 {
		err = noNote(day)
	}
	if err != nil {
		return notes.Result{}, err
	}
	return directory.SyncPaths(ctx, files)
}

func noNote(day string) error {
	return brain.Errorf(brain.ErrNotFound, "`brainbridge notes status` says where they are looked for", "there is no note of %s", day)
}

// NotesAnswer is the state of the notes directory.
type NotesAnswer struct {
	notes.Status
	Watching bool         `json:"watching"`
	LastScan *time.Time   `json:"lastScan"` // null: never
	Daemon   *DaemonState `json:"-"`        // nil if none runs
}

// Notes returns the state of the notes directory, including the files that are not read.
func (u *UseCases) Notes(ctx context.Context) (NotesAnswer, error) {
	s, err := u.NotesDirectory(u.services(ctx)).Status(ctx)
	d := u.app.daemonState()
	return NotesAnswer{s, d.Watching(), lifecycle.Optional(s.LastScan), d}, err
}

// ConsolidateNotesAnswer reports the changes to MEMORY.md and the problems in the notes.
type ConsolidateNotesAnswer struct {
	CurateAnswer
	Day      brain.OrNull    `json:"day"`
	Notes    notes.Result    `json:"notes"`
	Problems []notes.Problem `json:"problems"`
}

// ConsolidateNotes ingests the notes and writes MEMORY.md.
func (u *UseCases) ConsolidateNotes(ctx context.Context, r CurateRequest) (a ConsolidateNotesAnswer, err error) {
	b, r, err := u.checkedNotes(ctx, r)
	if err != nil {
		return a, err
	}
	if a.Notes, err = u.ingestNotes(ctx, b, r.Day); err != nil {
		return a, err
	}
	a.Day, a.Problems = brain.OrNull(r.Day), a.Notes.Problems
	a.CurateAnswer, err = u.curate(ctx, b, r)
	return a, err
}

func (u *UseCases) checkedNotes(ctx context.Context, r CurateRequest) (*services.Services, CurateRequest, error) {
	err := r.check()
	if err == nil && r.Day != "" {
		r.Day, err = u.parseDay(r.Day)
	}
	if err != nil {
		return nil, r, err
	}
	b, err := u.Brain(ctx)
	return b, r, err
}

// NewEntriesAnswer lists the entries that would be added to MEMORY.md.
type NewEntriesAnswer struct {
	File     string          `json:"file"`
	Form     string          `json:"form"`
	Entries  []string        `json:"entries"`
	Problems []notes.Problem `json:"problems"`
}

// NewEntries returns what [UseCases.ConsolidateNotes] may add to MEMORY.md, in its form.
func (u *UseCases) NewEntries(ctx context.Context, r CurateRequest) (NewEntriesAnswer, error) {
	u = u.Dry()
	b, r, err := u.checkedNotes(ctx, r)
	if err != nil {
		return NewEntriesAnswer{}, err
	}
	read, problems, err := u.NotesDirectory(b).Read(ctx, r.Day)
	if err != nil {
		return NewEntriesAnswer{}, err
	}
	if r.Day == "" { // the days that are over
		today := u.today()
		read = slices.DeleteFunc(read, func(n ingest.Note) bool { return n.At.In(u.app.Settings.Zone).Format(time.DateOnly) >= today })
	} else if len(read) == 0 && len(problems) == 0 {
		return NewEntriesAnswer{}, noNote(r.Day)
	}
	curator := u.Curator(b, r)
	entries, err := curator.Test(ctx, read)
	form := cmp.Or(r.Form, u.app.Settings.Config.Notes.Form)
	return NewEntriesAnswer{curator.File(), form, append([]string{}, entries...), append([]notes.Problem{}, problems...)}, err
}

// CurateRequest says how MEMORY.md is written.
type CurateRequest struct {
	Form  string // "": notes.form
	Force bool   // allow more than a quarter of the entries to be dropped because their memories no longer exist
	Day   string // the only day whose outcomes the full form adds; "": every day that is over
}

func (r CurateRequest) check() error {
	switch r.Form {
	case "", config.FormCurated, config.FormFull:
		return nil
	}
	return invalid("use --form curated or --form full", "there is no form %q", r.Form)
}

// CurateAnswer describes the changes to MEMORY.md. Its fields replace those of the result.
type CurateAnswer struct {
	memorymd.Result
	File      string       `json:"file"`
	Added     int          `json:"added"`
	Removed   int          `json:"removed"`
	Corrected int          `json:"corrected"` // memories that were corrected to the words of the person
	Written   bool         `json:"written"`
	RunID     brain.OrNull `json:"runId"`
	Diff      string       `json:"diff,omitempty"`
	Warnings  []string     `json:"warnings,omitempty"` // of a dry run
}

func curated(file string, res memorymd.Result) CurateAnswer {
	return CurateAnswer{
		Result: res, File: file, Added: len(res.Added), Removed: len(res.Removed) + len(res.Barred), Corrected: len(res.Corrections),
	}
}

// Curate writes MEMORY.md as a run of its own. A dry run returns the difference.
func (u *UseCases) Curate(ctx context.Context, r CurateRequest) (CurateAnswer, error) {
	b, r, err := u.checkedNotes(ctx, r)
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
		a.Diff, a.Warnings = changes, res.Warnings
		return a, err
	}
	rep, err := u.runnerOf(b, curator).Run(ctx, u.request(brain.RunCurate, 0))
	res, wrote := curator.Last()
	a := curated(curator.File(), res)
	a.Written, a.RunID = wrote, brain.OrNull(rep.RunID)
	return a, err
}

// Curator returns the step of a run that writes MEMORY.md.
func (u *UseCases) Curator(b *services.Services, r CurateRequest) *memorymd.Curator {
	l := u.app.Settings
	directory := u.NotesDirectory(b)
	own := directory.ClaimOrCreate
	if u.caller.DryRun {
		own = directory.OwnerID
	}
	return memorymd.New(memorymd.Settings{
		Brain: b, Host: lease.Host(), NotesDir: l.Paths.NotesDir, Location: l.Zone, Own: own,
		File: memorymd.File{Path: l.Paths.MemoryMD, Lock: filepath.Join(l.Paths.State, "memory.lock")},
		Options: memorymd.Options{
			Form: memorymd.Form(cmp.Or(r.Form, l.Config.Notes.Form)), Chars: l.Config.Notes.BudgetChars, Lines: l.Config.Notes.BudgetLines,
			Force: r.Force,
		},
		Day: r.Day, Warn: u.warn,
	})
}

// NotesDirectory returns the notes directory of a brain.
func (u *UseCases) NotesDirectory(b *services.Services) *notes.Directory {
	return notes.New(b, u.notesOptions())
}

func (u *UseCases) notesOptions() notes.Options {
	l := u.app.Settings
	return notes.Options{
		Dir: l.Paths.NotesDir, Dry: u.caller.DryRun, Location: l.Zone, MaxFile: int64(l.Config.Notes.MaxFile),
		Include: l.Config.Notes.Include, Exclude: l.Config.Notes.Exclude, Projects: l.Config.Notes.Projects, MemoryMD: l.Config.Notes.MemoryMD,
		Brain: l.Config.Brain, Host: lease.Host(), Log: u.log, Warn: u.warn,
	}
}
