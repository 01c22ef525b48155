package generate

import (
	"context"
	"fmt"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/tiers"
)

// Batch is how many memories a transaction of a bulk load has.
const Batch = 1000

// Load stores n memories of all tiers, straight into the store: captures would take a durable
// write each.
func Load(ctx context.Context, b *services.Services, text *Text, n int) error {
	return load(ctx, b, n, func(policy *tiers.Policy, now time.Time) (brain.Memory, *brain.Source) {
		return text.Memory(policy, now), nil
	})
}

// LoadExpired stores n memories that have expired and were not swept yet.
func LoadExpired(ctx context.Context, b *services.Services, text *Text, n int) error {
	return load(ctx, b, n, func(policy *tiers.Policy, now time.Time) (brain.Memory, *brain.Source) {
		m := text.Plain(now.Add(-6 * time.Hour))
		m.State = policy.Start(tiers.Working, 1, 0, m.Created)
		return m, nil
	})
}

// LoadPromotable stores n crystallizations with their source, due to move up.
func LoadPromotable(ctx context.Context, b *services.Services, text *Text, n int) error {
	return load(ctx, b, n, func(policy *tiers.Policy, now time.Time) (brain.Memory, *brain.Source) {
		m := text.Plain(now)
		m.State = policy.Start(tiers.Working, tiers.InitialCrystallization, 0, now)
		s := &brain.Source{ID: brain.NewID(), Kind: brain.Crystallization, Created: now, Tags: m.Tags, Trigger: m.Name, Insight: m.Content}
		m.SourceNodeID = s.ID
		return m, s
	})
}

func load(ctx context.Context, b *services.Services, n int, next func(*tiers.Policy, time.Time) (brain.Memory, *brain.Source)) error {
	policy, err := b.Base.Policy(ctx)
	if err != nil {
		return err
	}
	for left := n; left > 0; left -= Batch {
		var ms []brain.Memory
		var ss []brain.Source
		var rs []brain.Relation
		now := b.Base.Now()
		for range min(left, Batch) {
			m, s := next(policy, now)
			ms = append(ms, m)
			if s != nil {
				ss = append(ss, *s)
				rs = append(rs, brain.Relation{From: s.ID, Type: brain.HasMemory, To: m.ID})
			}
		}
		err := b.Base.Store.Update(ctx, func(tx brain.Tx) error {
			if err := tx.PutMemories(ms...); err != nil || len(ss) == 0 {
				return err
			}
			if err := tx.PutSources(ss...); err != nil {
				return err
			}
			return tx.PutRelations(rs...)
		})
		if err != nil {
			return fmt.Errorf("store %d generated memories: %w", len(ms), err)
		}
	}
	return nil
}
