package capture

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/brain/plaintext"
)

// CaptureSpooled stores a capture from the spool. The person was told that it will be
// stored, so it drops what cannot be stored: relations to unknown memories, replacements, the
// relevance filter if it fails, and the name of an entity if it is taken; the capture then
// becomes a plain memory. note says what was dropped. If the id of the capture redirects to
// another memory, it is stored already.
func (s *Service) CaptureSpooled(ctx context.Context, c brain.Capture) (note string, err error) {
	if done, err := s.redirects(ctx, c); done || err != nil {
		return "", err
	}
	var notes []string
	for {
		var done brain.Captured
		err := lifecycle.Retry(func() (err error) { // another process may write at the same time
			done, err = s.store(ctx, c)
			return err
		})
		if err == nil {
			if done.Judgement != nil && done.MemoryID == "" {
				notes = append(notes, fmt.Sprintf("not worth keeping, so it was not stored: %q (%s)",
					plaintext.Clip(plaintext.OneLine(c.Memory.Name), 60), strings.Join(done.Judgement.Reasons, "; ")))
			}
			return strings.Join(notes, "; "), nil
		}
		if c, note, err = s.withoutRefused(ctx, c, err); err != nil {
			return "", err
		}
		notes = append(notes, note)
	}
}

// withoutRefused returns a capture without one thing for which the store may have refused it, and
// says what. If there is none, it returns the error of the store.
func (s *Service) withoutRefused(ctx context.Context, c brain.Capture, cause error) (without brain.Capture, note string, err error) {
	taken := errors.Is(cause, brain.ErrConflict)
	refused := errors.Is(cause, brain.ErrNotFound) || errors.Is(cause, brain.ErrInvalid)
	var unknown []string
	if refused {
		if unknown, err = s.unknownIn(ctx, c); err != nil {
			return c, "", err
		}
	}
	switch {
	case len(unknown) > 0:
		c.Relate = slices.DeleteFunc(slices.Clone(c.Relate), func(r brain.NewRelation) bool { return slices.Contains(unknown, r.To) })
		c.Replaces = slices.DeleteFunc(slices.Clone(c.Replaces), func(id string) bool { return slices.Contains(unknown, id) })
		return c, fmt.Sprintf("%s was stored without its relations to %s: %v", c.Memory.ID, strings.Join(unknown, ", "), cause), nil
	case taken && c.Memory != nil && c.Memory.Entity:
		m := *c.Memory
		m.Entity, m.EntityKey = false, ""
		c.Memory = &m
		return c, fmt.Sprintf("%s is a plain memory: %v", m.ID, cause), nil
	case (taken || refused) && c.Gate != nil:
		c.Gate = nil
		return c, fmt.Sprintf("%s was stored without the relevance filter: %v", c.Memory.ID, cause), nil
	case refused && len(c.Replaces) > 0:
		c.Replaces = nil
		return c, fmt.Sprintf("%s replaces nothing: %v", c.Memory.ID, cause), nil
	case refused && len(c.Relate) > 0:
		c.Relate = nil
		return c, fmt.Sprintf("%s was stored without its relations: %v", c.Memory.ID, cause), nil
	}
	return c, "", cause
}

// unknownIn returns the ids in a capture that name no memory to relate it to, or none to replace.
func (s *Service) unknownIn(ctx context.Context, c brain.Capture) ([]string, error) {
	return lifecycle.Read(ctx, s.base, func(r brain.Reader) (unknown []string, err error) {
		check := func(id string, resolve func(brain.Reader, string) (lifecycle.Resolved, error)) {
			_, failed := resolve(r, id)
			switch {
			case errors.Is(failed, brain.ErrNotFound), errors.Is(failed, brain.ErrInvalid):
				unknown = append(unknown, id)
			case failed != nil:
				err = failed
			}
		}
		for _, relation := range c.Relate {
			check(relation.To, lifecycle.Resolve)
		}
		for _, id := range c.Replaces {
			check(id, lifecycle.ResolveHolding)
		}
		return brain.Unique(unknown), err
	})
}

// redirects reports whether the id of a capture redirects to another memory. Only a capture from
// the spool may be that old, so others skip this read.
func (s *Service) redirects(ctx context.Context, c brain.Capture) (found bool, err error) {
	if c.Memory == nil {
		return false, nil
	}
	found, err = lifecycle.Read(ctx, s.base, func(r brain.Reader) (bool, error) {
		redirect, err := brain.First(r.Records(brain.RedirectRecord, c.Memory.ID))
		return redirect.ID != "", err
	})
	return found, brain.Wrap(err, "look for a capture from the spool")
}
