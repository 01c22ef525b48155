package forget

import (
	"context"
	"fmt"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
)

// Unforget restores a forgotten memory with its relations, by its id or a prefix.
func (s *Service) Unforget(ctx context.Context, id string) (brain.Memory, error) {
	entry, err := s.base.FindForgotten(ctx, id)
	if err != nil {
		return brain.Memory{}, fmt.Errorf("unforget: %w", err)
	}
	now := s.base.Now()
	var out brain.Memory
	_, _, err = s.base.Act(ctx, brain.Run{ID: s.base.NewID(), Kind: brain.RunUnforget, Started: now}, now, func(tx brain.Tx) ([]brain.Action, error) {
		a, err := restoreForgotten(tx, entry, now)
		if err != nil {
			return nil, err
		}
		found, err := lifecycle.Resolve(tx, entry.Changes[0].Before.ID)
		out = found.Memory
		return []brain.Action{a}, err
	})
	return out, brain.Wrap(err, "unforget")
}

// restoreForgotten restores the nodes that a forget removed, and returns the action.
func restoreForgotten(tx brain.Tx, a brain.Action, now time.Time) (brain.Action, error) {
	ids := brain.Map(a.Changes, brain.Change.ID)
	here, err := tx.Memories(ids...)
	stones := lifecycle.Get(&err, lifecycle.OfKind(brain.TombstoneRecord, tx.RecordsByOwner), ids...)
	if err == nil && len(here) > 0 {
		err = brain.Errorf(brain.ErrInvalid, "`brainbridge show` prints it", "%s is not forgotten", here[0].ID)
	}
	if err != nil {
		return brain.Action{}, err
	}
	return brain.Action{
		Kind: brain.ActUnforget, IDs: a.IDs, Root: a.Root, Reason: "restored by hand", At: now, Restored: a.Sources, Linked: a.Unlinked, Removed: stones,
		Changes: brain.Map(a.Changes, func(c brain.Change) brain.Change { return brain.Change{After: c.Before} }),
	}, lifecycle.Restore(tx, a)
}
