// Package review keeps the queue of items that an agent or a person decides, merges
// memories, lets one replace another, and manages core memory: the memories that do not
// decay and are never forgotten.
package review

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
)

// Service keeps the review queue and merges memories. It is safe for concurrent use.
type Service struct {
	base lifecycle.Base
}

// New returns the service.
func New(base lifecycle.Base) *Service { return &Service{base: base} }

// cleanProposal redacts secrets in a proposal of a model, because a model can invent
// them, and in its reason. It returns how many it redacted. m may be nil.
func (s *Service) cleanProposal(m *brain.Memory, reason string) (*brain.Memory, string, int) {
	clean := s.base.Redaction()
	reason = clean.Text(reason)
	if m != nil {
		m = new(*m)
		clean.Memory(m)
	}
	s.base.ReportRedacted(clean.Found)
	return m, reason, clean.Found
}

// Flag adds items to the review queue and returns how many it added. An item that was
// decided before is not added again. A pending item with the same id is replaced if the
// texts of its memories have changed. Flag fills in id, fingerprint, time and state. If
// a memory does not exist, it returns [brain.ErrNotFound] and stores nothing.
func (s *Service) Flag(ctx context.Context, items ...brain.ReviewItem) (made int, err error) {
	now, secrets := s.base.Now(), 0
	items = slices.Clone(items)
	for i := range items {
		var found int
		items[i].Proposed, items[i].Reason, found = s.cleanProposal(items[i].Proposed, items[i].Reason)
		secrets += found
	}
	err = s.base.Store.Update(ctx, func(tx brain.Tx) error {
		made = 0
		for _, item := range items {
			fresh, err := flag(tx, item, now)
			if err != nil {
				return err
			}
			if fresh {
				made++
			}
		}
		if made == 0 {
			return nil
		}
		return lifecycle.AddTally(tx, lifecycle.TallyRedacted, secrets, now)
	})
	if err != nil {
		return 0, fmt.Errorf("add to the review queue: %w", err)
	}
	return made, nil
}

// flag stores an item unless it was decided or is pending with the same texts, and reports
// whether it did. A proposed text is added to a pending item without one.
func flag(tx brain.Tx, item brain.ReviewItem, now time.Time) (bool, error) {
	ms, err := tx.Memories(item.Memories...)
	if err != nil {
		return false, err
	}
	if len(ms) == 0 || len(ms) < len(item.Memories) {
		return false, fmt.Errorf("a memory of %v: %w", item.Memories, brain.ErrNotFound)
	}
	item = completeItem(item, ms, now)
	old, err := brain.First(brain.Bodies[brain.ReviewItem](tx.Records(brain.ReviewRecord, item.ID)))
	same := slices.Equal(slices.Sorted(slices.Values(old.TextHashes)), slices.Sorted(slices.Values(item.TextHashes)))
	switch {
	case err != nil, old.ID != "" && old.State != brain.ReviewPending, same && (old.Proposed != nil || item.Proposed == nil):
		return false, err
	case same:
		item.Undone, item.ShownIn = old.Undone, old.ShownIn
	}
	rec, err := item.Record()
	if err != nil {
		return false, err
	}
	return true, tx.PutRecords(rec)
}

// completeItem fills in the fields of an item that follow from its memories.
func completeItem(item brain.ReviewItem, ms []brain.Memory, now time.Time) brain.ReviewItem {
	item.TextHashes = make([]string, 0, len(ms))
	for i := range ms {
		item.TextHashes = append(item.TextHashes, ms[i].ContentHash)
		item.NewestAt = brain.Later(item.NewestAt, ms[i].Created)
	}
	if p := item.Proposed; p != nil {
		item.Proposed = new(*p)
		item.Proposed.MemoryType, item.Proposed.Importance = cmp.Or(p.MemoryType, ms[0].MemoryType), cmp.Or(p.Importance, brain.Reference)
	}
	item.Fingerprint = cmp.Or(item.Fingerprint, brain.Fingerprint(ms))
	item.ID = brain.ReviewID(item.Fingerprint, ms)
	item.Created = cmp.Or(item.Created, now)
	item.State = cmp.Or(item.State, brain.ReviewPending)
	return item
}

// Reviews returns the items in a state, or all items if state is "", newest first. Items
// of the same instant are ordered by kind, pairs first, then by their newest memory,
// then by id. The memories of a pending item are the newest of their chains, of a pair or a
// merge of two the newer one first. If one of them was forgotten, edited, merged or replaced, the item is
// closed, until an undo restores that memory.
func (s *Service) Reviews(ctx context.Context, state brain.ReviewState) ([]brain.ReviewItem, error) {
	states := []string{string(brain.ReviewPending), string(brain.ReviewDecided), string(brain.ReviewClosed)}
	switch state {
	case brain.ReviewPending, brain.ReviewDecided:
		states = []string{string(state)}
	case brain.ReviewClosed:
		states = []string{string(brain.ReviewPending), string(brain.ReviewClosed)}
	}
	items, err := lifecycle.Read(ctx, s.base, func(r brain.Reader) ([]brain.ReviewItem, error) {
		items, err := brain.Bodies[brain.ReviewItem](r.ListRecords(brain.ReviewRecord, brain.RecordFilter{By: brain.ByOwner, Keys: states}))
		var ids []string
		for _, item := range items {
			if item.State == brain.ReviewPending {
				ids = append(ids, item.Memories...)
			}
		}
		var found []brain.Memory
		if err == nil {
			found, err = r.Memories(brain.Unique(ids)...)
		}
		known := map[string]brain.Memory{}
		for _, m := range found {
			known[m.ID] = m
		}
		for i := range items {
			if err == nil && items[i].State == brain.ReviewPending {
				err = update(r, &items[i], known)
			}
		}
		return items, err
	})
	if err != nil {
		return nil, fmt.Errorf("read the review queue: %w", err)
	}
	items = slices.DeleteFunc(items, func(item brain.ReviewItem) bool { return state != "" && item.State != state })
	kinds := []brain.ReviewKind{brain.ReviewPair, brain.ReviewMerge, brain.ReviewCore}
	slices.SortFunc(items, func(a, b brain.ReviewItem) int {
		return cmp.Or(b.Created.Compare(a.Created), cmp.Compare(slices.Index(kinds, a.Kind), slices.Index(kinds, b.Kind)),
			b.NewestAt.Compare(a.NewestAt), cmp.Compare(a.ID, b.ID))
	})
	return items, nil
}

// Open returns the number of open items.
func (s *Service) Open(ctx context.Context) (int, error) {
	items, err := s.Reviews(ctx, brain.ReviewPending)
	return len(items), err
}

// update replaces the memories of a pending item by the newest of their chains, or closes it.
func update(r brain.Reader, item *brain.ReviewItem, known map[string]brain.Memory) error {
	ms, err := itemMemories(r, *item, known)
	switch {
	case errors.Is(err, brain.ErrNotFound), errors.Is(err, brain.ErrConflict):
		item.State = brain.ReviewClosed
	case err != nil:
		return err
	default:
		item.Memories = brain.IDs(ms)
	}
	return nil
}

// itemMemories returns the newest memory of the chain of each memory of an item, of a pair
// or a merge of two the newer one first. It fails if one was forgotten, two are now the same memory, or a text
// has changed. known are memories that have been read.
func itemMemories(r brain.Reader, item brain.ReviewItem, known map[string]brain.Memory) (ms []brain.Memory, err error) {
	for i, id := range item.Memories {
		m := known[id]
		if !m.Current() {
			found, resolveErr := lifecycle.Resolve(r, id)
			m, err = found.Memory, resolveErr
		}
		if errors.Is(err, brain.ErrNotFound) {
			return nil, brain.Errorf(brain.ErrNotFound, listsReviews, "%s is closed, because the memory %s no longer exists", item.ID, id)
		}
		if err != nil {
			return nil, err
		}
		if !m.Current() || i < len(item.TextHashes) && m.ContentHash != item.TextHashes[i] || slices.Contains(brain.IDs(ms), m.ID) {
			return nil, brain.Errorf(brain.ErrConflict, listsReviews, "%s is closed, because %s has changed since", item.ID, id)
		}
		ms = append(ms, m)
	}
	if item.HasSides() {
		slices.SortStableFunc(ms, func(a, b brain.Memory) int { return brain.CompareAge(&b, &a) })
	}
	return ms, nil
}
