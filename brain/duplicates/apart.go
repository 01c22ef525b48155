package duplicates

import (
	"context"
	"slices"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/similar"
)

// decisions maps the root of a memory to the numbers of the decisions that keep it apart
// from others. Two memories with a common number are never merged, not even through a third.
type decisions map[string][]int

// readDecisions reads the decisions to keep memories apart.
func (s *Step) readDecisions(ctx context.Context) (decisions, error) {
	items, err := s.review.Reviews(ctx, "")
	if err != nil {
		return nil, err
	}
	items = slices.DeleteFunc(items, func(item brain.ReviewItem) bool { return !item.KeepsApart() })
	var ids []string
	for _, item := range items {
		ids = append(ids, item.Memories...)
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
