package app

import (
	"context"
	"path/filepath"

	"github.com/rs/zerolog"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/integration/notes"
)

// WriteOutcome writes an outcome into today's note and stores it; the body may be
// empty. The note is written also while the store is away.
func (u *UseCases) WriteOutcome(ctx context.Context, kind, title, body string, details Details) (CaptureAnswer, error) {
	d, err := u.details(details)
	if err != nil {
		return CaptureAnswer{}, err
	}
	b, err := u.servicesForCapture(ctx)
	if err != nil {
		return CaptureAnswer{}, err
	}
	directory := u.NotesDirectory(b, zerolog.Nop())
	c, err := directory.NewCapture(kind, title, body, d)
	if err != nil {
		return CaptureAnswer{}, err
	}
	var done brain.Captured
	path := ""
	if u.caller.DryRun { // only the graph
		done, err = b.Capture.Capture(ctx, c.Graph)
	} else {
		done, path, _, err = directory.Append(ctx, c)
	}
	a := u.captured(done)
	if path != "" {
		a.Note = filepath.Join(u.app.o.Settings.Paths.NotesDir, path)
	}
	return a, err
}

// NotesDirectory returns the notes directory of a brain.
func (u *UseCases) NotesDirectory(b *services.Services, log zerolog.Logger) *notes.Directory {
	l := u.app.o.Settings
	return notes.New(b, notes.Options{
		Dir: l.Paths.NotesDir, Dry: u.caller.DryRun, Location: l.Zone, MaxFile: int64(l.Config.Notes.MaxFile),
		Include: l.Config.Notes.Include, Exclude: l.Config.Notes.Exclude, MemoryMD: l.Config.Notes.MemoryMD,
		Brain: l.Config.Brain, Now: u.app.o.Now, Log: log, Warn: u.warn,
	})
}
