package capture

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
)

// Remember is [Service.Capture] for a text that may not be worth storing: with a
// Gate the relevance filter decides, and a text that only repeats a memory which
// a recall returned is an access of that memory.
func (b *Service) Remember(ctx context.Context, c brain.Capture) (brain.Captured, error) {
	return b.orSpool(ctx, c, func() (brain.Captured, error) { return b.remember(ctx, c) })
}

func (b *Service) remember(ctx context.Context, c brain.Capture) (brain.Captured, error) {
	if c.Gate == nil {
		return b.update(ctx, c, b.storeUnlessEcho)
	}
	j, err := b.judge(ctx, c)
	if err != nil {
		return brain.Captured{}, fmt.Errorf("judge a capture: %w", err)
	}
	if j.Rejected() && !c.Gate.Keep {
		return brain.Captured{Judgement: &j}, b.reject(ctx, c, j)
	}
	done, err := b.update(ctx, scored(c, j), store)
	done.Judgement = &j
	return done, err
}

// storeUnlessEcho stores a capture, or counts it if it is an echo.
func (b *Service) storeUnlessEcho(tx brain.Tx, c brain.Capture) (brain.Captured, error) {
	id, err := echo(tx, c)
	switch {
	case err != nil:
		return brain.Captured{}, err
	case id == "":
		return store(tx, c)
	}
	m, err := b.countEcho(tx, c, id)
	if err != nil {
		return brain.Captured{}, err
	}
	tl, err := lifecycle.Timeline(tx)
	done := answer(c)
	done.MemoryID, done.EchoOf = m.ID, m.ID
	done.Tier, done.Energy = m.Tier, tl.Energy(m.State, c.At)
	return done, err
}

// scored returns a capture with its score. An entity says so in its observations.
func scored(c brain.Capture, j brain.Judgement) brain.Capture {
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
