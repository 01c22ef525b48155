package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/brainbridge/brainbridge/brain"
)

// EachCurrent calls fn with every live and expired memory, a page at a time. It returns the
// memories that cannot be read, and what else is wrong with them.
func (b Base) EachCurrent(ctx context.Context, fn func(page []brain.Memory) error) (unreadable []brain.Unreadable, wrong []string, err error) {
	renamed := map[string]brain.Memory{} // entities that a person has renamed, by their new keys
	err = b.Store.Scan(ctx, true, func(p brain.Page) error {
		unreadable = append(unreadable, p.Unreadable...)
		for _, m := range p.Memories {
			_, is := p.Edited[m.ID]
			if key := brain.EntityKey(m.Name); is && m.EntityKey != "" && m.EntityKey != key {
				renamed[key] = m
			}
		}
		return fn(slices.DeleteFunc(p.Memories, func(m brain.Memory) bool { return !m.Current() }))
	})
	if err != nil || len(renamed) == 0 {
		return unreadable, wrong, err
	}
	taken, err := Read(ctx, b, func(r brain.Reader) ([]brain.Memory, error) {
		return r.ListMemories(brain.ListFilter{By: brain.ByEntity, Keys: slices.Sorted(maps.Keys(renamed))})
	})
	for _, m := range taken {
		if other := renamed[m.EntityKey]; other.ID != m.ID {
			wrong = append(wrong, nameTaken(other))
		}
	}
	return unreadable, wrong, err
}

func nameTaken(m brain.Memory) string {
	return fmt.Sprintf("the entity %s was renamed by hand to %q, which is the name of another entity; rename one of them, or merge them", m.ID, m.Name)
}

// Unreadable returns what cannot be read besides memories, and the records for which check
// returns an error. It reads the whole brain but memories.
func (b Base) Unreadable(ctx context.Context, check func(brain.Record) error) (all []brain.Unreadable, err error) {
	err = b.Store.Scan(ctx, false, func(p brain.Page) error {
		all = append(all, p.Unreadable...)
		for _, rec := range p.Records {
			if err := check(rec); err != nil {
				all = append(all, brain.Unreadable{Kind: string(rec.Kind), ID: rec.ID, Why: err.Error()})
			}
		}
		return nil
	})
	return all, err
}

// StoreEdited stores the memories that a person has changed by hand again, so that searches
// and runs see the changes. warn receives those that cannot be stored: they stay as they are.
func (b Base) StoreEdited(ctx context.Context, warn func(error)) error {
	if !b.Store.Info().Editable {
		return nil
	}
	all := map[string]bool{}
	err := b.Store.Scan(ctx, true, func(p brain.Page) error {
		maps.Copy(all, p.Edited)
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
