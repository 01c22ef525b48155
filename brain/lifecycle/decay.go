package lifecycle

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/tiers"
)

// DecayLive takes the pending decay of a list of live memories into their
// stored energy, and counts those it wrote and those of them that are past
// their expiry.
func (b Base) DecayLive(ctx context.Context, f brain.ListFilter, tl tiers.Timeline, now time.Time,
	progress func(done, total int),
) (decayed, expired int, err error) {
	ids, err := b.listIDs(ctx, f)
	if err != nil {
		return 0, 0, fmt.Errorf("find what decays: %w", err)
	}
	done := 0
	for batch := range slices.Chunk(ids, tl.Current().DecayBatch) {
		wrote, faded := 0, 0
		err := b.changeLives(ctx, batch, func(m brain.Memory) (brain.Memory, bool) {
			state := tl.Decay(m.State, now)
			changed := state != m.State
			if changed {
				wrote++
			}
			if changed && tl.Expired(state, now) {
				faded++
			}
			m.State = state
			return m, changed
		}, func() { wrote, faded = 0, 0 })
		if err != nil {
			return decayed, expired, fmt.Errorf("decay: %w", err)
		}
		decayed, expired, done = decayed+wrote, expired+faded, done+len(batch)
		progress(done, len(ids))
	}
	return decayed, expired, nil
}

// PlanDecay counts what DecayLive would write.
func (b Base) PlanDecay(ctx context.Context, f brain.ListFilter, tl tiers.Timeline, now time.Time,
	_ func(done, total int),
) (decayed, expired int, err error) {
	err = b.EachListed(ctx, f, func(m brain.Memory) {
		if state := tl.Decay(m.State, now); state != m.State {
			decayed++
			if tl.Expired(state, now) {
				expired++
			}
		}
	})
	if err != nil {
		return 0, 0, fmt.Errorf("find what decays: %w", err)
	}
	return decayed, expired, nil
}
