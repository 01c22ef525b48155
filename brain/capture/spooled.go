package capture

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/brain/plaintext"
)

// withScore returns a memory with its relevance score. An entity gets observations about it.
func withScore(m brain.Memory, j brain.Judgement, at time.Time) *brain.Memory {
	m.RelevanceScore = &j.Score
	if m.Entity {
		m.Observations = append(slices.Clip(m.Observations),
			"Discovered: "+at.Format(time.DateOnly),
			"Relevance score: "+strconv.FormatFloat(j.Score, 'g', -1, 64),
			"Source: "+cmp.Or(m.Agent, "brainbridge remember"))
		m.Complete()
	}
	return &m
}

// CaptureSpooled stores a capture from the spool. The person was told that it will be
// stored, so it drops what cannot be stored: relations to unknown memories, replacements, the
// relevance filter if it fails, and the name of an entity if it is taken; the capture then
// becomes a plain memory. note says what was dropped. A capture that was counted at a known
// memory before is done, even if that says something else now.
func (s *Service) CaptureSpooled(ctx context.Context, c brain.Capture) (note string, err error) {
	if done, err := s.redirects(ctx, c); done || err != nil {
		return "", err
	}
	for {
		done, err := s.store(ctx, c)
		taken := errors.Is(err, brain.ErrConflict)
		refused := errors.Is(err, brain.ErrNotFound) || errors.Is(err, brain.ErrInvalid)
		switch {
		case (taken || refused) && c.Gate != nil:
			c.Gate = nil
		case taken && c.Memory != nil && c.Memory.Entity:
			note = fmt.Sprintf("%s is a plain memory: %v", c.Memory.ID, err)
			m := *c.Memory
			m.Entity, m.EntityKey = false, ""
			c.Memory = &m
		case refused && len(c.Relate)+len(c.Replaces) > 0:
			note = fmt.Sprintf("%s was stored without its relations and replaces nothing: %v", c.Memory.ID, err)
			c.Relate, c.Replaces = nil, nil
		case err != nil:
			return "", err
		case done.Judgement != nil && done.MemoryID == "":
			return fmt.Sprintf("not worth keeping, so it was not stored: %q (%s)",
				plaintext.Clip(plaintext.OneLine(c.Memory.Name), 60), strings.Join(done.Judgement.Reasons, "; ")), nil
		default:
			return note, nil
		}
	}
}

// redirects reports whether the id of a capture leads to another memory. Only a capture from
// the spool may be that old: the others need not pay for the look.
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
