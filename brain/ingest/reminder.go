package ingest

import (
	"strings"
	"time"

	"github.com/brainbridge/brainbridge/brain"
)

// How the body of a reminder begins.
const (
	open   = "[ ] "
	ticked = "[x] " // in its note
)

// box returns how the body of a reminder of a note begins.
func box(o NoteOutcome) string {
	if o.Ticked {
		return ticked
	}
	return open
}

// done returns when a reminder was done, zero while it is open. Ticking it in the note
// closes it. Taking the tick off, or carrying it to the note of a later day, opens it again.
// If the note did not change, it stays as it was left, also by hand.
func (b batch) done(s brain.Source, o NoteOutcome) time.Time {
	wasTicked := strings.HasPrefix(s.Body, ticked)
	switch {
	case o.Ticked && !wasTicked && s.Done.IsZero():
		return b.now
	case !o.Ticked && (wasTicked || o.Date > s.Date):
		return time.Time{}
	}
	return s.Done
}
