package app

import (
	"context"
	"slices"
	"time"

	"github.com/rs/zerolog"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/ingest"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/integration/daemon"
	"github.com/brainbridge/brainbridge/integration/notes"
)

// SyncNotesAnswer counts the files and entries that SyncNotes ingested.
type SyncNotesAnswer struct {
	notes.Result
	DryRun bool `json:"dryRun,omitempty"`
}

// SyncNotes ingests the changes in the notes directory.
func (u *UseCases) SyncNotes(ctx context.Context) (SyncNotesAnswer, error) {
	b, err := u.Brain(ctx)
	if err != nil {
		return SyncNotesAnswer{}, err
	}
	res, err := u.ingestNotes(ctx, b, "")
	return SyncNotesAnswer{res, u.caller.DryRun}, err
}

// ingestNotes ingests all notes, or those of one day.
func (u *UseCases) ingestNotes(ctx context.Context, b *services.Services, day string) (res notes.Result, err error) {
	directory := u.NotesDirectory(b, zerolog.Nop())
	if day == "" {
		res, err = directory.Sync(ctx, func(done, total int) { u.caller.Notices.Progress("notes", done, total) })
	} else {
		var files []string
		if files, err = directory.DayFiles(ctx, day); err == nil && len(files) == 0 {
			err = noNote(day)
		}
		if err == nil {
			res, err = directory.SyncPaths(ctx, files)
		}
	}
	res.Problems = append([]notes.Problem{}, res.Problems...)
	return res, err
}

func noNote(day string) error {
	return brain.Errorf(brain.ErrNotFound, "`brainbridge notes status` says where they are looked for", "there is no note of %s", day)
}

// NotesAnswer is the state of the notes directory.
type NotesAnswer struct {
	Dir      string            `json:"dir"`
	Watching bool              `json:"watching"`
	LastScan *time.Time        `json:"lastScan"`
	Files    int               `json:"files"`
	Kinds    []notes.KindCount `json:"kinds"`
	LeftOut  []notes.LeftOut   `json:"leftOut"`
	Problems []notes.Problem   `json:"problems"`

	Daemon *daemon.State `json:"-"` // nil if none runs
}

// Notes returns the state of the notes directory, and its files that are not read.
func (u *UseCases) Notes(ctx context.Context) (NotesAnswer, error) {
	b, err := u.Brain(ctx)
	if err != nil {
		return NotesAnswer{}, err
	}
	s, err := u.NotesDirectory(b, zerolog.Nop()).Status(ctx)
	d := u.app.daemon().State()
	return NotesAnswer{s.Dir, d.Watching(), timeOrNull(s.LastScan), s.Files, s.Kinds, s.LeftOut, s.Problems, d}, err
}

// ConsolidateNotesAnswer reports the changes to MEMORY.md and the problems in the notes.
type ConsolidateNotesAnswer struct {
	CurateAnswer
	Day      *string         `json:"day"`
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
	a.Day, a.Problems = textOrNull(r.Day), a.Notes.Problems
	a.CurateAnswer, err = u.curate(ctx, b, r)
	return a, err
}

// checkedNotes opens the store for a request, whose day it reads.
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
	Entries  []string        `json:"entries"`
	Problems []notes.Problem `json:"problems"`
}

// NewEntries returns what [UseCases.ConsolidateNotes] would add to MEMORY.md, in
// full. It writes nothing.
func (u *UseCases) NewEntries(ctx context.Context, r CurateRequest) (NewEntriesAnswer, error) {
	u = u.Dry()
	b, r, err := u.checkedNotes(ctx, r)
	if err != nil {
		return NewEntriesAnswer{}, err
	}
	read, problems, err := u.NotesDirectory(b, zerolog.Nop()).Read(ctx, r.Day)
	if err != nil {
		return NewEntriesAnswer{}, err
	}
	if r.Day == "" { // the days that are over
		today := u.today()
		read = slices.DeleteFunc(read, func(n ingest.Note) bool { return n.At.In(u.app.o.Settings.Zone).Format(time.DateOnly) >= today })
	} else if len(read) == 0 && len(problems) == 0 {
		return NewEntriesAnswer{}, noNote(r.Day)
	}
	curator := u.Curator(b, r)
	entries, err := curator.Test(ctx, read)
	return NewEntriesAnswer{curator.File(), append([]string{}, entries...), append([]notes.Problem{}, problems...)}, err
}
