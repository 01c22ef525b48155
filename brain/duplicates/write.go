package duplicates

import (
	"context"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/consolidate"
	"github.com/brainbridge/brainbridge/brain/review"
)

// writer writes what a run decided, or in a dry run only counts it.
type writer struct {
	consolidate.Writer
	dry bool
}

// merge merges clusters in their order, one in a transaction, and updates the
// keepers of the batch. It returns the merged members and their keepers.
func (w *writer) merge(ctx context.Context, b batch, clusters []cluster) (into map[int]int, err error) {
	into = map[int]int{}
	for _, c := range clusters {
		m := review.Merging{Keeper: b.members[c.keeper].Memory, Reason: c.reason}
		for _, n := range c.sources {
			m.Sources = append(m.Sources, b.members[n].Memory)
		}
		actions, err := w.mergeOne(ctx, m)
		if err != nil {
			return nil, err
		}
		if len(actions) == 0 {
			continue
		}
		w.Out.Clusters++
		for _, n := range c.sources {
			into[n] = c.keeper
		}
		for _, change := range actions[0].Changes {
			if change.After != nil && change.After.ID == m.Keeper.ID {
				b.members[c.keeper].Memory = *change.After
			}
		}
	}
	return into, nil
}

func (w *writer) mergeOne(ctx context.Context, m review.Merging) ([]brain.Action, error) {
	if !w.dry {
		return w.Merge(ctx, m)
	}
	a := brain.Action{
		Kind: brain.ActMerge, IDs: append([]string{m.Keeper.ID}, brain.IDs(m.Sources)...), Root: m.Keeper.Root, Reason: m.Reason, At: w.Now,
	}
	w.Out.Actions = append(w.Out.Actions, a)
	return []brain.Action{a}, nil
}

// ask puts items into the review queue.
func (w *writer) ask(ctx context.Context, items []brain.ReviewItem) error {
	if w.dry {
		w.Out.Flagged += len(items)
		return nil
	}
	for _, item := range items {
		if err := w.Flag(ctx, item); err != nil {
			return err
		}
	}
	return nil
}
