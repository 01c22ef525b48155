package lifecycle

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/tiers"
)

// Pages returns the pages of a list of memories. read returns up to limit memories, from
// the start or after a given one. An error ends the sequence.
func Pages(limit int, read func(after *brain.Memory) ([]brain.Memory, error)) iter.Seq2[[]brain.Memory, error] {
	return func(yield func([]brain.Memory, error) bool) {
		var after *brain.Memory
		for {
			page, err := read(after)
			more := len(page) == limit
			if more {
				after = new(page[limit-1])
			}
			if !yield(page, err) || err != nil || !more {
				return
			}
		}
	}
}

// Pages returns the pages of a whole list of the store.
func (b Base) Pages(ctx context.Context, f brain.ListFilter) iter.Seq2[[]brain.Memory, error] {
	f.Limit = 1000
	return Pages(f.Limit, func(after *brain.Memory) ([]brain.Memory, error) {
		f.After = after
		return Read(ctx, b, func(r brain.Reader) ([]brain.Memory, error) { return r.Strongest(f) })
	})
}

// ChangeLives applies change to the lives of the memories in a list, size of them per
// transaction. It reports those that changed and its progress.
func (b Base) ChangeLives(ctx context.Context, f brain.ListFilter, size int,
	change func(tiers.State) tiers.State, report func(changed []brain.Memory, done, total int),
) error {
	var ids []string // first: a change moves a memory in the list
	for page, err := range b.Pages(ctx, f) {
		if err != nil {
			return err
		}
		ids = append(ids, brain.IDs(page)...)
	}
	done := 0
	for batch := range slices.Chunk(ids, size) {
		var changed []brain.Memory
		err := b.Store.Update(ctx, func(tx brain.Tx) error {
			ms, err := tx.Memories(batch...)
			changed = ChangedLives(ms, change)
			Put(&err, tx.PutLives, changed...)
			return err
		})
		if err != nil {
			return err
		}
		done += len(batch)
		report(changed, done, len(ids))
	}
	return nil
}

// ChangedLives returns the memories whose state change would change, with the new state.
func ChangedLives(ms []brain.Memory, change func(tiers.State) tiers.State) (changed []brain.Memory) {
	for _, m := range ms {
		if s := change(m.State); s != m.State {
			m.State = s
			changed = append(changed, m)
		}
	}
	return changed
}

// EachWritten calls fn with the memories whose texts were stored after a mark, size of them
// at a time, and the mark after them, until there are no more or fn returns false. It
// returns the last mark. See [brain.MemoryLister.Written].
func (b Base) EachWritten(ctx context.Context, after string, size int,
	fn func(page []brain.Memory, mark string) (more bool, err error),
) (string, error) {
	for {
		mark := after
		page, err := Read(ctx, b, func(r brain.Reader) (page []brain.Memory, err error) {
			page, mark, err = r.Written(after, size)
			return page, err
		})
		if err != nil {
			return after, fmt.Errorf("read the memories: %w", err)
		}
		if after = mark; len(page) == 0 {
			return after, nil
		}
		if more, err := fn(page, mark); err != nil || !more || len(page) < size {
			return after, err
		}
	}
}
