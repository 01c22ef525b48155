package lifecycle

import (
	"context"
	"slices"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/tiers"
)

// EachPage calls fn with the memories of a whole list, a page at a time.
func (b Base) EachPage(ctx context.Context, f brain.ListFilter, fn func(page []brain.Memory)) error {
	f.Limit = 1000
	for {
		page, err := Read(ctx, b, func(r brain.Reader) ([]brain.Memory, error) { return r.Strongest(f) })
		if err != nil {
			return err
		}
		fn(page)
		if len(page) < f.Limit {
			return nil
		}
		f.After = &page[len(page)-1]
	}
}

// ListIDs returns the ids of a whole list.
func (b Base) ListIDs(ctx context.Context, f brain.ListFilter) (ids []string, err error) {
	err = b.EachPage(ctx, f, func(page []brain.Memory) {
		for i := range page {
			ids = append(ids, page[i].ID)
		}
	})
	return ids, err
}

// ChangeLives stores what change makes of the lives in a list, size of them in a
// transaction, and reports those that changed and how far it has come.
func (b Base) ChangeLives(ctx context.Context, f brain.ListFilter, size int,
	change func(tiers.State) tiers.State, report func(changed []brain.Memory, done, total int),
) error {
	ids, err := b.ListIDs(ctx, f)
	if err != nil {
		return err
	}
	done := 0
	for batch := range slices.Chunk(ids, size) {
		var changed []brain.Memory
		err := b.Store.Update(ctx, func(tx brain.Tx) error {
			ms, err := tx.Memories(batch...)
			if err != nil {
				return err
			}
			changed = ChangedLives(ms, change)
			return tx.PutLives(changed...)
		})
		if err != nil {
			return err
		}
		done += len(batch)
		report(changed, done, len(ids))
	}
	return nil
}

// ChangedLives returns the memories that change makes another state of, with that
// state.
func ChangedLives(ms []brain.Memory, change func(tiers.State) tiers.State) (changed []brain.Memory) {
	for _, m := range ms {
		if s := change(m.State); s != m.State {
			m.State = s
			changed = append(changed, m)
		}
	}
	return changed
}
