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

// Remember is [Service.Capture] for a text that may not be worth storing. With a Gate,
// the relevance filter decides. Without one, a text that only repeats a memory that was
// recalled is not stored, but counts as an access of that memory.
func (s *Service) Remember(ctx context.Context, c brain.Capture) (brain.Captured, error) {
	return s.orSpool(ctx, c, func() (brain.Captured, error) { return s.remember(ctx, c) })
}

func (s *Service) remember(ctx context.Context, c brain.Capture) (brain.Captured, error) {
	if c.Gate == nil {
		return s.update(ctx, c, s.storeUnlessEcho)
	}
	j, err := s.judge(ctx, c)
	if err != nil {
		return brain.Captured{}, fmt.Errorf("judge a capture: %w", err)
	}
	if j.Rejected() && !c.Gate.Keep {
		return brain.Captured{Judgement: &j}, s.reject(ctx, c, j)
	}
	done, err := s.update(ctx, withScore(c, j), storeMemory)
	done.Judgement = &j
	return done, err
}

// storeUnlessEcho stores a capture. If it is an echo, it counts the echo instead.
func (s *Service) storeUnlessEcho(tx brain.Tx, c brain.Capture) (brain.Captured, error) {
	id, err := echo(tx, c)
	switch {
	case err != nil:
		return brain.Captured{}, err
	case id == "":
		return storeMemory(tx, c)
	}
	m, err := s.countEcho(tx, c, id)
	if err != nil {
		return brain.Captured{}, err
	}
	tl, err := lifecycle.Timeline(tx)
	done := answer(c)
	done.MemoryID, done.EchoOf = m.ID, m.ID
	done.Tier, done.Energy = m.Tier, tl.Energy(m.State, c.At)
	return done, err
}

// storeMemory stores a capture. The name of an entity must not be taken.
func storeMemory(tx brain.Tx, c brain.Capture) (brain.Captured, error) {
	if c.Memory == nil || !c.Memory.Entity {
		return store(tx, c)
	}
	held, err := tx.Memories(c.Memory.ID)
	if err != nil || len(held) > 0 {
		return store(tx, c)
	}
	m := *c.Memory
	if err := checkNameIsFree(tx, m); err != nil {
		return brain.Captured{}, err
	}
	lifecycle.ApplyObservations(&m, nil, c.At)
	c.Memory = &m
	done, err := store(tx, c)
	if err != nil {
		return done, err
	}
	return done, lifecycle.JoinPendingEntities(tx, []brain.Memory{m})
}

// checkNameIsFree fails if another entity has the same name, or a name that differs only
// in case or accents.
func checkNameIsFree(r brain.MemoryReader, m brain.Memory) error {
	held, err := r.MemoriesByEntity(m.EntityKey)
	if err == nil && len(held) == 0 {
		held, err = r.MemoriesByName([]string{m.NameKey}, 1)
	}
	if err != nil || len(held) == 0 || !held[0].Entity {
		return err
	}
	return brain.Errorf(brain.ErrConflict, fmt.Sprintf("change it with `brainbridge correct %s TEXT`", held[0].ID),
		"an entity named %q already exists: %s", held[0].Name, held[0].ID)
}

// withScore returns a capture with its relevance score. An entity gets observations about it.
func withScore(c brain.Capture, j brain.Judgement) brain.Capture {
	m := *c.Memory
	m.RelevanceScore = &j.Score
	if m.Entity {
		m.Observations = append(slices.Clip(m.Observations),
			"Discovered: "+c.At.Format(time.DateOnly),
			"Relevance score: "+strconv.FormatFloat(j.Score, 'g', -1, 64),
			"Source: "+cmp.Or(m.Agent, "brainbridge remember"))
		m.Complete()
	}
	c.Memory = &m
	return c
}

// CaptureSpooled stores a capture from the spool. The person was told that it will be
// stored, so it drops what cannot be stored: relations to unknown memories, the relevance
// filter if it fails, and the name of an entity if it is taken; the capture then becomes
// a plain memory. note says what was dropped.
func (s *Service) CaptureSpooled(ctx context.Context, c brain.Capture) (note string, err error) {
	done, err := s.remember(ctx, c)
	refused := errors.Is(err, brain.ErrConflict) || errors.Is(err, brain.ErrNotFound) || errors.Is(err, brain.ErrInvalid)
	if refused && c.Gate != nil {
		c.Gate = nil
		done, err = s.remember(ctx, c)
	}
	if errors.Is(err, brain.ErrConflict) && c.Memory != nil && c.Memory.Entity {
		m := *c.Memory
		m.Entity, m.EntityKey = false, ""
		c.Memory, note = &m, fmt.Sprintf("%s is a plain memory: %v", m.ID, err)
		done, err = s.remember(ctx, c)
	}
	if len(c.Relate) > 0 && (errors.Is(err, brain.ErrNotFound) || errors.Is(err, brain.ErrInvalid)) {
		note = fmt.Sprintf("%s was stored without its relations: %v", c.Memory.ID, err)
		c.Relate = nil
		done, err = s.remember(ctx, c)
	}
	if err != nil {
		return "", err
	}
	if j := done.Judgement; j != nil && done.MemoryID == "" {
		note = fmt.Sprintf("not worth keeping, so it was not stored: %q (%s)",
			plaintext.Clip(plaintext.OneLine(c.Memory.Name), 60), strings.Join(j.Reasons, "; "))
	}
	return note, nil
}
