package main

import (
	"github.com/rs/zerolog"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/integration/notes"
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
