package duplicates

import (
	"context"

	"github.com/brainbridge/brainbridge/brain/consolidate"
	"github.com/brainbridge/brainbridge/brain/review"
)

// merge merges clusters in their order, one in a transaction, and updates the
// keepers of the batch. It returns the merged members and their keepers.
func merge(ctx context.Context, w *consolidate.Writer, b batch, clusters []cluster) (into map[int]int, err error) {
	into = map[int]int{}
	for _, c := range clusters {
		m := review.Merging{Keeper: b.members[c.keeper].Memory, Reason: c.reason}
		for _, n := range c.sources {
			m.Sources = append(m.Sources, b.members[n].Memory)
		}
		actions, err := w.Merge(ctx, m)
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
