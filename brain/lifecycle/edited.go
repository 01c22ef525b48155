package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/brainbridge/brainbridge/brain"
)

// EachCurrent calls fn with every live and expired memory, a page at a time. It returns what is
// wrong in the store.
func (b Base) EachCurrent(ctx context.Context, fn func(page []brain.Memory) error) (wrong []string, err error) {
	renamed := map[string]brain.Memory{} // entities that a person has renamed, by their new keys
	unreadable, err := b.Store.EachMemory(ctx, func(page []brain.Memory, edited map[string]bool) error {
		for _, m := range page {
			_, is := edited[m.ID]
			if key := brain.EntityKey(m.Name); is && m.EntityKey != "" && m.EntityKey != key {
				renamed[key] = m
			}
		}
		return fn(slices.DeleteFunc(page, func(m brain.Memory) bool { return !m.Current() }))
	})
	if err != nil {
		return nil, err
	}
	for _, x := range unreadable {
		wrong = append(wrong, x.String())
	}
	taken, err := Read(ctx, b, func(r brain.Reader) ([]brain.Memory, error) {
		return r.ListMemories(brain.ListFilter{By: brain.ByEntity, Keys: slices.Sorted(maps.Keys(renamed))})
	})
	for _, m := range taken {
		if other := renamed[m.EntityKey]; other.ID != m.ID {
			wrong = append(wrong, nameTaken(other))
		}
	}
	return wrong, err
}

func nameTaken(m brain.Memory) string {
	return fmt.Sprintf("the entity %s was renamed by hand to %q, which is the name of another entity; rename one of them, or merge them", m.ID, m.Name)
}

// StoreEdited stores the memories that a person has changed by hand again, so that searches
// and runs see the changes. warn receives those that cannot be stored: they stay as they are.
func (b Base) StoreEdited(ctx context.Context, warn func(error)) error {
	if !b.Store.Info().Editable {
		return nil
	}
	all := map[string]bool{}
	_, err := b.Store.EachMemory(ctx, func(_ []brain.Memory, edited map[string]bool) error {
		maps.Copy(all, edited)
		return nil
	})
	for batch := range slices.Chunk(slices.Sorted(maps.Keys(all)), 100) {
		if err == nil {
			err = b.storeEdited(ctx, batch, all, warn)
		}
	}
	return brain.Wrap(err, "store what was changed by hand")
}

// storeEdited stores memories again; counted are those with a new version.
func (b Base) storeEdited(ctx context.Context, ids []string, counted map[string]bool, warn func(error)) error {
	var ms []brain.Memory
	err := b.Store.Update(ctx, func(tx brain.Tx) (err error) {
		ms, err = tx.Memories(ids...)
		for i := range ms {
			ms[i].Complete()
			if counted[ms[i].ID] {
				ms[i].Version++
			}
		}
		Put(&err, tx.PutMemories, ms...)
		return err
	})
	switch {
	case !errors.Is(err, brain.ErrConflict):
		return err
	case len(ms) == 1:
		warn(errors.New(nameTaken(ms[0])))
		return nil
	}
	for _, id := range ids { // one of them has a name that is taken
		if err := b.storeEdited(ctx, []string{id}, counted, warn); err != nil {
			return err
		}
	}
	return nil
}
