// Package capture makes and stores captures: what a person, an agent or a hook
// asks to remember. It owns the relevance filter, echoes, and the changes of
// memories that a caller names.
package capture

import (
	"context"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
)

// Service makes and stores captures, and changes memories that a caller names.
// It is safe for concurrent use.
type Service struct {
	base      lifecycle.Base
	conflicts Conflicts
}

// Conflicts looks for memories that claim something else about the same subject.
type Conflicts interface {
	// NoteConflicts notes the conflicts of a stored memory and returns the older
	// memories that it differs from.
	NoteConflicts(ctx context.Context, id string) (older []brain.Memory, err error)
}

// New returns the service.
func New(base lifecycle.Base, conflicts Conflicts) *Service { return &Service{base, conflicts} }
