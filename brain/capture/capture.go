// Package capture makes and stores captures: what a person, an agent or a hook
// asks to remember. It owns the relevance filter and changes to memories that a caller
// selects by id.
package capture

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
)

// Service makes and stores captures, and changes memories by id.
// It is safe for concurrent use.
type Service struct {
	base     lifecycle.Base
	replacer Replacer
}

// Replacer lets one memory hold instead of others.
type Replacer interface {
	// ReplaceIn supersedes the old memories, and returns the actions of that.
	ReplaceIn(tx brain.Tx, newID string, old []string, now time.Time) ([]brain.Action, error)
}

// New returns the service.
func New(base lifecycle.Base, replacer Replacer) *Service { return &Service{base, replacer} }

// InBackground returns the service for changes that nobody asks for, such as taking over an
// edit that was found in a file.
func (s *Service) InBackground() *Service {
	background := *s
	background.base.Background = true
	return &background
}

// Capture stores a capture: source, memory, HAS_MEMORY and relations in one transaction.
// While the store is unreachable, the spool keeps it.
//
// A text that is known is not stored again, see [lifecycle.Known]: its source leads to the
// memory that says it, which is confirmed. Storing a capture twice changes nothing, except
// that an outcome that was read from a note first gets the fields that notes do not have. If
// a relation refers to an id that does not exist, the error is [brain.ErrNotFound]; if an
// entity's name is taken, it is [brain.ErrConflict]. Either way nothing is stored.
func (s *Service) Capture(ctx context.Context, c brain.Capture) (brain.Captured, error) {
	return s.orSpooled(ctx, c, func() (brain.Captured, error) { return s.storeInTx(ctx, c) })
}

// storeInTx stores a capture in a transaction.
func (s *Service) storeInTx(ctx context.Context, c brain.Capture) (done brain.Captured, err error) {
	err = s.base.Store.Update(ctx, func(tx brain.Tx) (err error) {
		done, err = s.store(tx, c)
		return err
	})
	if err != nil {
		return brain.Captured{}, fmt.Errorf("capture: %w", err)
	}
	return done, nil
}

// orSpooled stores a capture, or keeps it in the spool if the store is unreachable.
func (s *Service) orSpooled(ctx context.Context, c brain.Capture, store func() (brain.Captured, error)) (brain.Captured, error) {
	done, err := store()
	if s.base.Spool == nil || !brain.IsUnreachable(err) {
		return done, err
	}
	if spoolErr := s.base.Spool.Add(ctx, c); spoolErr != nil {
		return brain.Captured{}, errors.Join(spoolErr, err)
	}
	done = unstoredAnswer(c)
	done.SpooledFor = err
	return done, nil
}

// unstoredAnswer returns the answer to a capture that is not stored yet. The kind and title
// of a memory take precedence over those of its source.
func unstoredAnswer(c brain.Capture) brain.Captured {
	var done brain.Captured
	if c.Source != nil {
		done.SourceID, done.Kind, done.Title = c.Source.ID, strings.ToLower(string(c.Source.Kind)), c.Source.Description
	}
	if c.Memory != nil {
		done.MemoryID, done.Kind, done.Title = c.Memory.ID, c.Memory.MemoryType, c.Memory.Name
	}
	return done
}

// CheckRelations returns the error that storing the relations of a capture, or replacing
// memories by it, would return.
func (s *Service) CheckRelations(ctx context.Context, c brain.Capture) error {
	if len(c.Relate)+len(c.Replaces) == 0 {
		return nil
	}
	undo := errors.New("the capture can be stored")
	err := s.base.Store.Update(ctx, func(tx brain.Tx) error {
		_, err := s.store(tx, c)
		return cmp.Or(err, undo)
	})
	if errors.Is(err, undo) {
		return nil
	}
	return err
}
