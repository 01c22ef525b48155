package consolidate

import (
	"context"
	"errors"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/review"
)

// Writer writes the merges and the review items of a step. It skips and counts the
// memories of which one changed or was forgotten meanwhile.
type Writer struct {
	Review *review.Service
	Now    time.Time
	DryRun bool      // only report
	Run    brain.Run // after the last action
	Out    Outcome
}

// Merge merges memories in one transaction, and returns the actions: none if it
// skipped them. In a dry run it returns the action that merges them into the keeper.
func (w *Writer) Merge(ctx context.Context, m review.Merging) ([]brain.Action, error) {
	if w.DryRun {
		a := plannedAction(brain.ActMerge, m.Keeper, m.Reason, w.Now)
		a.IDs = append(a.IDs, brain.IDs(m.Sources)...)
		w.Out.Actions = append(w.Out.Actions, a)
		return []brain.Action{a}, nil
	}
	actions, run, err := w.Review.Merge(ctx, w.Run, w.Now, m)
	if errors.Is(err, brain.ErrConflict) {
		w.Out.Skipped += len(m.Sources)
		if m.Keeper.ID != "" {
			w.Out.Skipped++
		}
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	w.Run, w.Out.Actions = run, append(w.Out.Actions, withoutStates(actions)...)
	return actions, nil
}

// withoutStates returns stored actions as a report needs them. There may be very many.
func withoutStates(actions []brain.Action) []brain.Action {
	return brain.Map(actions, func(a brain.Action) brain.Action {
		return brain.Action{ID: a.ID, RunID: a.RunID, Kind: a.Kind, IDs: a.IDs, Reason: a.Reason, At: a.At}
	})
}

// plannedAction returns an action on a memory as a dry run reports it.
func plannedAction(kind brain.ActionKind, m brain.Memory, reason string, now time.Time) brain.Action {
	return brain.Action{Kind: kind, IDs: []string{m.ID}, Reason: reason, At: now}
}

// Flag puts an item into the review queue.
func (w *Writer) Flag(ctx context.Context, item brain.ReviewItem) error {
	if w.DryRun {
		w.Out.Flagged++
		return nil
	}
	item.Created = w.Now
	made, err := w.Review.Flag(ctx, item)
	if errors.Is(err, brain.ErrNotFound) {
		w.Out.Skipped += len(item.Memories)
		return nil
	}
	w.Out.Flagged += made
	return err
}

// ReadQueue returns all items of the review queue, by fingerprint.
func ReadQueue(ctx context.Context, r *review.Service) (map[string]brain.ReviewItem, error) {
	items, err := r.Reviews(ctx, "")
	queue := make(map[string]brain.ReviewItem, len(items))
	for _, item := range items {
		queue[item.Fingerprint] = item
	}
	return queue, err
}
