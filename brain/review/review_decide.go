package review

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/core"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/tiers"
)

const listsReviews = "`brainbridge review list --all` shows them"

// Review returns one item by its id or a unique prefix of it.
func (s *Service) Review(ctx context.Context, id string) (brain.ReviewItem, error) {
	items, err := s.Reviews(ctx, "")
	if err != nil {
		return brain.ReviewItem{}, err
	}
	full, err := lifecycle.UniqueID(id, listsReviews, func(prefix string) (ids []string, err error) {
		for i := range items {
			if strings.HasPrefix(items[i].ID, prefix) {
				ids = append(ids, items[i].ID)
			}
		}
		return ids, nil
	})
	if err != nil {
		return brain.ReviewItem{}, err
	}
	i := slices.IndexFunc(items, func(item brain.ReviewItem) bool { return item.ID == full })
	if i < 0 {
		return brain.ReviewItem{}, noItem(full)
	}
	return items[i], nil
}

func noItem(id string) error {
	return brain.Errorf(brain.ErrNotFound, listsReviews, "no review item has the id %s", id)
}

// Accept applies an item as a run of kind review, and returns the item with its decision.
// A merge merges, a conflict lets the kept memory supersede the others or keeps all, and
// the text of a model replaces its sources. keep is for conflicts only:
// [brain.DecidedNewer], which is also "", [brain.DecidedOlder] or [brain.DecidedBoth].
//
// It returns [brain.ErrInvalid] if the item was decided before, [brain.ErrNotFound] if
// one of the memories was forgotten, and [brain.ErrConflict] if one has another text than
// the item is about, or became part of another.
func (s *Service) Accept(ctx context.Context, id, keep string) (brain.ReviewItem, error) {
	found, err := s.Review(ctx, id)
	if err == nil {
		err = checkKeep(found, keep)
	}
	if err != nil {
		return brain.ReviewItem{}, err
	}
	if found.Kind == brain.ReviewConflict {
		keep = cmp.Or(keep, brain.DecidedNewer)
	}
	decision := cmp.Or(keep, brain.DecidedMerge)
	if found.Kind == brain.ReviewCore {
		decision = brain.DecidedCore
	}
	item, err := s.decide(ctx, found.ID, brain.ReviewAccepted, decision, func(tx brain.Tx, item brain.ReviewItem, now time.Time) ([]brain.Action, error) {
		tl, err := lifecycle.Timeline(tx)
		if err != nil {
			return nil, err
		}
		ms, err := itemMemories(tx, item)
		if err == nil {
			ms, err = settle(tx, tl, ms, now)
		}
		switch {
		case err != nil:
			return nil, err
		case item.Kind == brain.ReviewConflict && keep == brain.DecidedBoth:
			return keepApart(ms[0].Root, item, "accepted in review: of a conflict all are right", now), nil
		case item.Kind == brain.ReviewConflict:
			return keepOne(tx, ms, keep, tl, now)
		case item.Kind == brain.ReviewCore:
			return core.PromoteAll(tx, ms, now, "accepted in review: "+item.Reason)
		}
		return mergeItem(tx, item, ms, now)
	})
	if err != nil {
		return brain.ReviewItem{}, fmt.Errorf("accept: %w", err)
	}
	return item, err
}

// Reject records, as a run, that an item must not be applied or proposed again. It returns
// [brain.ErrInvalid] for an accepted item. Rejecting an item twice changes nothing.
func (s *Service) Reject(ctx context.Context, id string) (brain.ReviewItem, error) {
	found, err := s.Review(ctx, id)
	if err != nil {
		return brain.ReviewItem{}, err
	}
	item, err := s.decide(ctx, found.ID, brain.ReviewRejected, string(brain.ReviewRejected), func(tx brain.Tx, item brain.ReviewItem, now time.Time) ([]brain.Action, error) {
		return keepApart(item.ID, item, "rejected in review: "+item.Reason, now), nil
	})
	return item, brain.Wrap(err, "reject")
}

// checkKeep returns an error if keep does not fit the kind of the item.
func checkKeep(item brain.ReviewItem, keep string) error {
	switch {
	case item.Kind != brain.ReviewConflict && keep != "":
		return brain.Errorf(brain.ErrInvalid, "accept it without --keep, or reject it", "%s is a %s, not a conflict", item.ID, item.Kind)
	case !slices.Contains([]string{"", brain.DecidedNewer, brain.DecidedOlder, brain.DecidedBoth}, keep):
		return brain.Errorf(brain.ErrInvalid, "use --keep newer, --keep older or --keep both", "%q is not one of newer, older and both", keep)
	}
	return nil
}

// decide stores a decision about an item and applies it with apply, in one transaction. The
// first action has the item, so that undo puts it back into the queue. A pending item can
// be decided, and so can one whose merge was undone.
func (s *Service) decide(ctx context.Context, id string, state brain.ReviewState, decision string,
	apply func(brain.Tx, brain.ReviewItem, time.Time) ([]brain.Action, error),
) (item brain.ReviewItem, err error) {
	now := s.base.Now()
	run := s.base.NewRun(brain.RunReview, now)
	_, _, err = s.base.Act(ctx, run, now, func(tx brain.Tx) ([]brain.Action, error) {
		recs, err := tx.Records(brain.ReviewRecord, id)
		items, err := brain.Bodies[brain.ReviewItem](recs, err)
		if err != nil {
			return nil, err
		}
		if len(items) == 0 {
			return nil, noItem(id)
		}
		switch item = items[0]; {
		case item.State == brain.ReviewRejected && state == brain.ReviewRejected:
			return nil, nil
		case item.State != brain.ReviewPending && item.Decision != brain.DecidedUndone:
			return nil, brain.Errorf(brain.ErrInvalid, undoesReview(item), "%s was %s at %s", item.ID, item.State, item.Decided.Format(time.RFC3339))
		}
		actions, err := apply(tx, item, now)
		if err != nil {
			return nil, err
		}
		item.State, item.Decision, item.Decided = state, decision, now
		if len(actions) > 0 {
			item.RunID = run.ID
		}
		after, err := item.Record()
		if err != nil {
			return nil, err
		}
		if len(actions) > 0 {
			actions[0].Made, actions[0].Removed = append(actions[0].Made, after), append(actions[0].Removed, recs[0])
		}
		return actions, tx.PutRecords(after)
	})
	return item, err
}

func undoesReview(item brain.ReviewItem) string {
	if item.RunID == "" {
		return listsReviews
	}
	return "`brainbridge undo " + item.RunID + "` takes that back"
}

// settle settles memories and stores the changes.
func settle(tx brain.Tx, tl tiers.Timeline, ms []brain.Memory, now time.Time) ([]brain.Memory, error) {
	s := lifecycle.Settle(tl, ms, now)
	return brain.Map(ms, func(m brain.Memory) brain.Memory { return s.Newest[m.ID] }), s.Commit(tx)
}

// mergeItem applies the merge that an item proposes.
func mergeItem(tx brain.Tx, item brain.ReviewItem, ms []brain.Memory, now time.Time) ([]brain.Action, error) {
	m := Merging{Reason: "accepted in review: " + item.Reason, Sources: ms}
	if item.Proposed == nil {
		m.Keeper = slices.MinFunc(ms, func(a, b brain.Memory) int { return CompareKeepers(&a, &b) })
	} else {
		m.Result = new(*item.Proposed)
		m.Result.ID = brain.NewIDLike(ms[0].ID)
	}
	m, err := m.arranged()
	if err != nil {
		return nil, err
	}
	a, err := m.write(tx, now)
	return []brain.Action{a}, err
}

// CompareKeepers orders the memories of a cluster. The first one keeps its id and text
// in a merge by rule: the one with the most confirmations and recalls, then the
// newest, then the lowest id.
func CompareKeepers(a, b *brain.Memory) int {
	return cmp.Or(
		cmp.Compare(b.Confirmations+b.RecallCount, a.Confirmations+a.RecallCount),
		b.Created.Compare(a.Created), cmp.Compare(a.ID, b.ID),
	)
}

// keepOne lets one memory supersede the others, see [inheriting].
func keepOne(tx brain.Tx, ms []brain.Memory, keep string, tl tiers.Timeline, now time.Time) ([]brain.Action, error) {
	ms = slices.Clone(ms)
	slices.SortStableFunc(ms, func(a, b brain.Memory) int { return brain.CompareAge(&b, &a) }) // stable: memories of the same instant keep the order of the item
	kept, others := ms[0], ms[1:]
	if last := len(ms) - 1; keep == brain.DecidedOlder {
		kept, others = ms[last], ms[:last]
	}
	a := brain.Action{
		Kind: brain.ActSupersede, IDs: []string{kept.ID}, Root: kept.Root, At: now,
		Reason: "accepted in review: of a conflict the " + keep + " one is right",
	}
	next := inheriting(kept, others)
	if brain.Says(next) != brain.Says(kept) {
		next.Version++
		a.Changes = append(a.Changes, brain.Change{Before: &kept, After: &next})
	}
	supersede(&a, tl, others, now)
	var err error
	if a.Linked, a.Unlinked, err = mergedRelations(tx, a.IDs[0], a.IDs[1:]); err != nil {
		return nil, err
	}
	err = lifecycle.PutLinks(tx, a)
	if next.Version != kept.Version {
		lifecycle.Put(&err, tx.PutMemories, next)
	}
	return []brain.Action{a}, err
}

// inheriting returns a memory with the highest importance and, if its own type says
// nothing, with the type of the first of others that has one. It does not take over types
// that depend on a source.
func inheriting(kept brain.Memory, others []brain.Memory) brain.Memory {
	for i := range others {
		o := &others[i]
		kept.Importance = most(importances(), kept.Importance, o.Importance)
		if kept.MemoryType == "note" && o.MemoryType != "reminder" && o.MemoryType != "activity" {
			kept.MemoryType = cmp.Or(o.MemoryType, kept.MemoryType)
		}
	}
	return kept
}

// keepApart keeps the memories of an item.
func keepApart(root string, item brain.ReviewItem, reason string, now time.Time) []brain.Action {
	return []brain.Action{{Kind: brain.ActKeep, IDs: item.Memories, Root: root, Reason: reason, At: now}}
}
