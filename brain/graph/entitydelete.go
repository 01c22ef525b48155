package graph

import (
	"context"
	"fmt"
	"slices"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/forget"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
)

// DeleteEntities forgets entities with their relations, including pending ones. They are
// archived first and then removed, as one journaled run that [journal.Service.Undo] can
// undo. For a name that no entity has, it removes the pending relations.
func (s *Service) DeleteEntities(ctx context.Context, names []string) error {
	run := brain.Run{ID: s.base.NewID(), Kind: brain.RunForget, Started: s.base.Now()}
	names = s.base.Redaction().List(names)
	err := lifecycle.Retry(func() error {
		plans, err := s.planDeleted(ctx, names)
		if err == nil && len(plans) > 0 {
			_, err = s.forget.Apply(ctx, plans, &run, becauseDeleted)
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("delete entities: %w", err)
	}
	return s.deleteWaiting(ctx, run, names)
}

// planDeleted plans forgetting the entities with these names.
func (s *Service) planDeleted(ctx context.Context, names []string) ([]forget.Forgetting, error) {
	return lifecycle.Read(ctx, s.base, func(r brain.Reader) ([]forget.Forgetting, error) {
		found, err := lifecycle.FindEntities(r, names)
		if err != nil {
			return nil, err
		}
		return forget.PlanMemories(r, distinct(found)...)
	})
}

// deleteWaiting removes the pending relations with one of the names.
func (s *Service) deleteWaiting(ctx context.Context, run brain.Run, names []string) error {
	now := s.base.Now()
	_, _, err := s.base.Act(ctx, run, now, func(tx brain.Tx) ([]brain.Action, error) {
		waiting, err := lifecycle.PendingEntityRelations(tx)
		if err != nil {
			return nil, err
		}
		var actions []brain.Action
		for _, w := range waiting {
			if slices.Contains(names, w.From) || slices.Contains(names, w.To) {
				actions = append(actions, partWaiting(w.Rec, now))
			}
		}
		return actions, lifecycle.PutLinks(tx, actions...)
	})
	return brain.Wrap(err, "delete the relations of entities")
}
