package bench

import (
	"context"
	"fmt"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/tiers"
)

// loadBatch is how many memories a transaction of a bulk load holds.
const loadBatch = 1000

// load stores n generated memories, straight into the store: captures
// would take a durable write each.
func load(ctx context.Context, b *services.Services, text *textMaker, n int, loaded func(int)) error {
	tl, err := b.Base.Timeline(ctx)
	if err != nil {
		return err
	}
	for left := n; left > 0; left -= loadBatch {
		now := b.Base.Now()
		batch := make([]brain.Memory, min(left, loadBatch))
		for i := range batch {
			batch[i] = text.memory(tl, now)
		}
		err := b.Base.Store.Update(ctx, func(tx brain.Tx) error { return tx.PutMemories(batch...) })
		if err != nil {
			return fmt.Errorf("store %d generated memories: %w", len(batch), err)
		}
		loaded(len(batch))
	}
	return nil
}

// loadExpired stores n memories that have expired and were not swept yet.
func loadExpired(ctx context.Context, b *services.Services, text *textMaker, n int) error {
	return loadDue(ctx, b, n, func(tl tiers.Timeline, now time.Time) (brain.Memory, *brain.Source) {
		m := text.plain(now.Add(-6 * time.Hour))
		m.State = tl.Start(tiers.Working, 1, 0, m.Created)
		return m, nil
	})
}

// loadPromotable stores n crystallizations with their source, due to move up.
func loadPromotable(ctx context.Context, b *services.Services, text *textMaker, n int) error {
	return loadDue(ctx, b, n, func(tl tiers.Timeline, now time.Time) (brain.Memory, *brain.Source) {
		m := text.plain(now)
		m.State = tl.Start(tiers.Working, tl.At(now).InitialCrystallization, 0, now)
		s := &brain.Source{
			ID: brain.NewID(), Kind: brain.Crystallization, Created: now, Tags: m.Tags,
			Trigger: m.Name, Insight: m.Content,
		}
		m.SourceNodeID = s.ID
		return m, s
	})
}

func loadDue(ctx context.Context, b *services.Services, n int,
	next func(tiers.Timeline, time.Time) (brain.Memory, *brain.Source),
) error {
	tl, err := b.Base.Timeline(ctx)
	if err != nil {
		return err
	}
	for left := n; left > 0; left -= loadBatch {
		var ms []brain.Memory
		var ss []brain.Source
		var rs []brain.Relation
		now := b.Base.Now()
		for range min(left, loadBatch) {
			m, s := next(tl, now)
			ms = append(ms, m)
			if s != nil {
				ss = append(ss, *s)
				rs = append(rs, brain.Relation{From: s.ID, Type: brain.HasMemory, To: m.ID})
			}
		}
		if err := b.Base.Store.Update(ctx, func(tx brain.Tx) error { return putAll(tx, ms, ss, rs) }); err != nil {
			return fmt.Errorf("store %d memories that are due: %w", len(ms), err)
		}
	}
	return nil
}

func putAll(tx brain.Tx, ms []brain.Memory, ss []brain.Source, rs []brain.Relation) error {
	if err := tx.PutMemories(ms...); err != nil {
		return err
	}
	if len(ss) == 0 {
		return nil
	}
	if err := tx.PutSources(ss...); err != nil {
		return err
	}
	return tx.PutRelations(rs...)
}
