package consolidate

import (
	"context"
	"errors"
	"slices"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/similar"
)

const (
	// flagsEach is in how many items of a run a memory is, those that it is most
	// like: a person does not decide about each two of a hundred builds.
	flagsEach = 3
	// flagsAll is how many items a run makes. The next one goes on.
	flagsAll = 500
	// flagsOnce is how many items are stored in one transaction.
	flagsOnce = 100
)

// flag puts before a person what is alike and was not merged.
func (b *batch) flag(ctx context.Context) error {
	items, err := b.unknown(ctx, b.items())
	if err != nil {
		return err
	}
	if room := flagsAll - b.out.Flagged; len(items) > room {
		b.out.Remaining += len(items) - room
		items = items[:room]
	}
	for some := range slices.Chunk(items, flagsOnce) {
		made, err := b.flagSome(ctx, some)
		if err != nil {
			return err
		}
		b.out.Flagged += made
	}
	return nil
}

func (b *batch) flagSome(ctx context.Context, items []brain.ReviewItem) (made int, err error) {
	if b.dry {
		return len(items), nil
	}
	made, err = b.brain.Flag(ctx, items...)
	if !errors.Is(err, brain.ErrNotFound) || len(items) == 1 {
		return made, err
	}
	for _, item := range items { // a memory of one was forgotten meanwhile
		n, err := b.brain.Flag(ctx, item)
		if errors.Is(err, brain.ErrNotFound) {
			b.out.Skipped++
			continue
		}
		if made += n; err != nil {
			return made, err
		}
	}
	return made, nil
}

// items are what of the batch a person is to decide about, the most alike first.
func (b *batch) items() []brain.ReviewItem {
	var items []brain.ReviewItem
	seen := map[similar.Pair]bool{}
	for _, p := range b.pairs {
		p, ok := b.left(p)
		if !ok || seen[p.Pair] {
			continue
		}
		seen[p.Pair] = true
		x, y := &b.ms[p.A], &b.ms[p.B]
		if b.flagged[x.ID] >= flagsEach || b.flagged[y.ID] >= flagsEach {
			continue
		}
		b.flagged[x.ID]++
		b.flagged[y.ID]++
		items = append(items, b.item(p))
	}
	return items
}

// left is a pair as it is after the merges, and whether a person is to decide
// about it.
func (b *batch) left(p judged) (judged, bool) {
	x, y := b.now(p.A), b.now(p.B)
	if x == y {
		return p, false
	}
	if now := ordered(x, y); now != p.Pair {
		p = b.judged(now)
	}
	switch p.verdict {
	case similar.Review: // of entities no model is asked
		return p, !b.o.Model || b.ms[p.A].Entity || b.ms[p.B].Entity
	case similar.Held, similar.Conflict:
		return p, true
	}
	return p, false
}

func (b *batch) item(p judged) brain.ReviewItem {
	x, y := b.ms[p.A], b.ms[p.B]
	item := brain.ReviewItem{
		Kind: brain.ReviewMerge, Reason: p.reason, Memories: []string{x.ID, y.ID}, Created: b.scope.Now,
		Fingerprint: brain.Fingerprint([]brain.Memory{x, y}),
	}
	if p.verdict == similar.Conflict {
		item.Kind = brain.ReviewConflict
	}
	return item
}

// unknown leaves out the items that the queue has: those that were decided, and
// those that wait with the same texts.
func (b *batch) unknown(ctx context.Context, items []brain.ReviewItem) ([]brain.ReviewItem, error) {
	if len(items) == 0 {
		return nil, nil
	}
	if b.queue == nil {
		held, err := b.brain.Reviews(ctx, "")
		if err != nil {
			return nil, err
		}
		b.queue = make(map[string]brain.ReviewItem, len(held))
		for _, item := range held {
			b.queue[item.Fingerprint] = item
		}
	}
	hash := make(map[string]string, len(b.ms))
	for i := range b.ms {
		hash[b.ms[i].ID] = b.ms[i].ContentHash
	}
	return slices.DeleteFunc(items, func(item brain.ReviewItem) bool {
		held, known := b.queue[item.Fingerprint]
		texts := []string{hash[item.Memories[0]], hash[item.Memories[1]]}
		return known && (held.State != brain.ReviewPending || slices.Equal(held.Texts, texts))
	}), nil
}
