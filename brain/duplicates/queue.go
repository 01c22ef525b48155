package duplicates

import (
	"cmp"
	"context"
	"slices"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/similar"
)

// queue is the review queue at the start of a run, by fingerprint.
type queue map[string]brain.ReviewItem

// pending returns the number of duplicates and conflicts that wait for a decision.
func (q queue) pending() (n int) {
	for _, item := range q {
		if item.State == brain.ReviewPending && item.Kind != brain.ReviewCore {
			n++
		}
	}
	return n
}

// alreadyAsked reports whether an item was decided, or is pending with the same texts.
func (q queue) alreadyAsked(item brain.ReviewItem) bool {
	old, ok := q[item.Fingerprint]
	return ok && (old.State.Decided() ||
		slices.Equal(slices.Sorted(slices.Values(old.Texts)), slices.Sorted(slices.Values(item.Texts))))
}

// decisions maps the root of a memory to the numbers of the decisions that keep it apart
// from others. Two memories with a common number are never merged, not even through a third.
type decisions map[string][]int

// readDecisions reads the decisions to keep memories apart.
func (s *Step) readDecisions(ctx context.Context, q queue) (decisions, error) {
	var items []brain.ReviewItem
	var ids []string
	for _, item := range q {
		if item.KeepsApart() {
			items, ids = append(items, item), append(ids, item.Memories...)
		}
	}
	ms, err := s.base.Memories(ctx, ids...)
	roots := make(map[string]string, len(ms))
	for i := range ms {
		roots[ms[i].ID] = ms[i].Root
	}
	return newDecisions(items, roots), err
}

// newDecisions numbers decisions. Items that one run made about the same memory get one
// number, because the run had merged them together.
func newDecisions(items []brain.ReviewItem, roots map[string]string) decisions {
	type runRoot struct{ run, root string }
	previous := map[runRoot]int{} // the latest item about a root in a run
	number := make([]int, len(items))
	var joined []similar.Pair
	for i, item := range items {
		number[i] = i
		for _, id := range item.Memories {
			key := runRoot{item.RunID, roots[id]}
			if key.run == "" || key.root == "" {
				continue
			}
			if before, ok := previous[key]; ok {
				joined = append(joined, similar.Pair{A: before, B: i})
			}
			previous[key] = i
		}
	}
	for _, component := range similar.Components(joined) {
		for _, i := range component {
			number[i] = component[0]
		}
	}
	d := decisions{}
	for i, item := range items {
		for _, id := range item.Memories {
			if root, ok := roots[id]; ok {
				d[root] = append(d[root], number[i])
			}
		}
	}
	return d
}

// separate reports whether any memory of xs must stay apart from any of ys.
func (d decisions) separate(xs, ys []memberText) bool {
	for _, x := range xs {
		for _, number := range d[x.root] {
			if slices.ContainsFunc(ys, func(y memberText) bool { return slices.Contains(d[y.root], number) }) {
				return true
			}
		}
	}
	return false
}

const (
	// maxPerMemory is the maximum number of questions about one memory in a run, including
	// those that wait for a later run.
	maxPerMemory = 3
	// maxAsked is the maximum number of questions that a run asks about new memories. A
	// run of all memories asks only until this many are pending.
	maxAsked = 20
)

// compareQuestions orders questions: first conflicts, the newest first; then the others, the
// most similar first.
func compareQuestions(p, q question) int {
	byKind := cmp.Compare(p.item.Rank(), q.item.Rank())
	byAge := cmp.Or(q.newest.Compare(p.newest), slices.Compare(p.item.Memories, q.item.Memories))
	if p.item.Kind == brain.ReviewConflict {
		return cmp.Or(byKind, byAge)
	}
	return cmp.Or(byKind, cmp.Compare(q.similarity, p.similarity), byAge)
}

// choose returns at most limit questions to ask, and the number of those that wait. It
// drops questions beyond maxPerMemory.
func choose(all []question, limit int) (ask []brain.ReviewItem, waiting int) {
	slices.SortFunc(all, compareQuestions)
	perMemory := map[string]int{}
	for _, q := range all {
		x, y := q.item.Memories[0], q.item.Memories[1]
		if perMemory[x] >= maxPerMemory || perMemory[y] >= maxPerMemory {
			continue
		}
		perMemory[x]++
		perMemory[y]++
		if len(ask) < limit {
			ask = append(ask, q.item)
		} else {
			waiting++
		}
	}
	return ask, waiting
}
