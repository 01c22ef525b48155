package lifecycle

import (
	"context"

	"github.com/brainbridge/brainbridge/brain"
)

// listIDs reads the ids of a whole list, a page a read.
func (b Base) listIDs(ctx context.Context, f brain.ListFilter) ([]string, error) {
	var ids []string
	err := b.EachListed(ctx, f, func(m brain.Memory) { ids = append(ids, m.ID) })
	return ids, err
}

// EachListed calls fn with the memories of a whole list, a page a read.
func (b Base) EachListed(ctx context.Context, f brain.ListFilter, fn func(brain.Memory)) error {
	f.Limit = 1000
	for {
		page, err := Read(ctx, b, func(r brain.Reader) ([]brain.Memory, error) { return r.Strongest(f) })
		if err != nil {
			return err
		}
		for _, m := range page {
			fn(m)
		}
		if len(page) < f.Limit {
			return nil
		}
		f.After = &page[len(page)-1]
	}
}

// changeLives hands memories to fn in one transaction and stores the lives
// that it changes. begin is called at the start of each try.
func (b Base) changeLives(ctx context.Context, ids []string, fn func(brain.Memory) (brain.Memory, bool), begin func()) error {
	return b.Store.Update(ctx, func(tx brain.Tx) error {
		begin()
		ms, err := tx.Memories(ids...)
		if err != nil {
			return err
		}
		var changed []brain.Memory
		for _, m := range ms {
			if m, ok := fn(m); ok {
				changed = append(changed, m)
			}
		}
		return tx.PutLives(changed...)
	})
}
