// Package capture makes and stores captures: what a person, an agent or a hook
// asks to remember. It owns the relevance filter, echoes, and the changes of
// memories that a caller names.
package capture

import (
	"context"
	"errors"
	"fmt"
	"strings"

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
	// NoteConflicts notes the conflicts of a memory and returns the older ones it differs
	// from.
	NoteConflicts(ctx context.Context, id string) (older []brain.Memory, err error)
}

// New returns the service.
func New(base lifecycle.Base, conflicts Conflicts) *Service { return &Service{base, conflicts} }

// Capture stores a capture: source, memory, HAS_MEMORY and relations in one transaction.
// While the store is unreachable, the spool keeps it.
//
// A capture that is stored already is not changed, except an outcome that was read from its
// note first: it gets the fields that notes do not have. A relation to an id that does not
// exist is [brain.ErrNotFound], the name of another entity is [brain.ErrConflict], and
// either stores nothing.
func (s *Service) Capture(ctx context.Context, c brain.Capture) (brain.Captured, error) {
	return s.orSpooled(ctx, c, func() (brain.Captured, error) { return s.update(ctx, c, store) })
}

// update stores a capture in a transaction, and notes the conflicts of its memory.
func (s *Service) update(ctx context.Context, c brain.Capture,
	store func(brain.Tx, brain.Capture) (brain.Captured, error),
) (done brain.Captured, err error) {
	err = s.base.Store.Update(ctx, func(tx brain.Tx) (err error) {
		done, err = store(tx, c)
		return err
	})
	if err != nil {
		return brain.Captured{}, fmt.Errorf("capture: %w", err)
	}
	if done.MemoryID != "" {
		// The capture is stored. If this fails, the next run finds the conflict.
		done.DiffersFrom, _ = s.conflicts.NoteConflicts(ctx, done.MemoryID)
	}
	return done, nil
}

// orSpooled stores a capture, or keeps it in the spool if the store is away.
func (s *Service) orSpooled(ctx context.Context, c brain.Capture, store func() (brain.Captured, error)) (brain.Captured, error) {
	done, err := store()
	if s.base.Spool == nil || !brain.Away(err) {
		return done, err
	}
	if spoolErr := s.base.Spool.Add(ctx, c); spoolErr != nil {
		return brain.Captured{}, errors.Join(spoolErr, err)
	}
	done = answer(c)
	done.Away = err
	return done, nil
}

// answer returns the answer to a capture that is not stored yet. The kind and title of
// a memory take precedence over those of its source.
func answer(c brain.Capture) brain.Captured {
	var done brain.Captured
	if c.Source != nil {
		done.SourceID, done.Kind, done.Title = c.Source.ID, strings.ToLower(string(c.Source.Kind)), c.Source.Description
	}
	if c.Memory != nil {
		done.MemoryID, done.Kind, done.Title = c.Memory.ID, c.Memory.MemoryType, c.Memory.Name
	}
	return done
}

// CheckRelations returns the error that storing the relations of a capture would return.
func (s *Service) CheckRelations(ctx context.Context, c brain.Capture) error {
	if len(c.Relate) == 0 {
		return nil
	}
	return s.base.Store.View(ctx, func(r brain.Reader) error {
		_, err := read(r, c)
		return err
	})
}
