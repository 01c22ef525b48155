// Package capture makes and stores captures: what a person, an agent or a hook
// asks to remember. It owns the relevance filter, changes to memories that a caller
// selects by id, and the records of the sessions of agents.
package capture

import (
	"context"
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

// Replacer marks memories as superseded by another.
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
//   - A known text is not stored again, see [lifecycle.Known]: the memory that says it is
//     confirmed, and the source leads to it.
//   - With a Gate, the relevance filter decides whether a text that is not known is stored.
//   - Storing a capture twice changes nothing. But an outcome that was first read from a note gets
//     the fields that notes do not have.
//   - If a relation refers to an id that does not exist, the error is [brain.ErrNotFound], and
//     nothing is stored.
//   - If the name of an entity is taken, the error is [brain.ErrConflict], and nothing is stored.
func (s *Service) Capture(ctx context.Context, c brain.Capture) (brain.Captured, error) {
	done, err := s.store(ctx, c)
	if s.base.Spool == nil || !brain.IsUnreachable(err) {
		return done, err
	}
	if spoolErr := s.base.Spool.Add(ctx, c); spoolErr != nil {
		return brain.Captured{}, fmt.Errorf("nothing is kept: %w; %w", spoolErr, err)
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

// CheckReferences returns an error if a capture of a memory that is not an entity would be refused
// because of its relations or of the memories that it replaces.
func (s *Service) CheckReferences(ctx context.Context, c brain.Capture) error {
	return s.base.Store.View(ctx, func(r brain.Reader) error {
		for _, rel := range c.Relate {
			if _, err := lifecycle.Resolve(r, rel.To); err != nil {
				return err
			}
		}
		for _, id := range c.Replaces {
			old, err := lifecycle.ResolveHolding(r, id)
			switch {
			case err != nil:
				return err
			case old.Memory.Entity:
				return brain.Errorf(brain.ErrInvalid, "change its observations with the graph tools", "an entity of the knowledge graph can only replace an entity: %s", old.Memory.ID)
			case old.Memory.TextKey() == c.Memory.TextKey():
				return brain.Errorf(brain.ErrInvalid, "name another memory", "%s says the same, and cannot replace itself", old.Memory.ID)
			}
		}
		return nil
	})
}
