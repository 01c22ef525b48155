package lifecycle

import (
	"context"
	"fmt"
	"slices"

	"github.com/brainbridge/brainbridge/brain"
)

// StoreEdited stores the memories that a person has changed by hand again, so that searches
// and runs see the changes.
func (b Base) StoreEdited(ctx context.Context) error {
	store, ok := b.Store.(brain.Editable)
	if !ok {
		return nil
	}
	ids, _, err := store.EditedByHand(ctx)
	for batch := range slices.Chunk(ids, 100) {
		if err == nil {
			err = b.Store.Update(ctx, func(tx brain.Tx) error {
				ms, err := tx.Memories(batch...)
				for i := range ms {
					ms[i].Version++
				}
				Put(&err, tx.PutMemories, ms...)
				return err
			})
		}
	}
	if err != nil {
		return fmt.Errorf("store what was changed by hand: %w", err)
	}
	return nil
}
