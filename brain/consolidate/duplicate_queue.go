package consolidate

import (
	"cmp"
	"slices"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/similar"
)

// queue is the review queue at the start of a run, by fingerprint.
type queue map[string]brain.ReviewItem

// pending returns the number of proposed merges that wait for a decision.
func (q queue) pending() (n int) {
	for _, item := range q {
		if item.State == brain.ReviewPending && item.Kind == brain.ReviewMerge {
			n++
		}
	}
	return n
}

// alreadyAsked reports whether an item was decided, or is pending with the same texts.
func (q queue) alreadyAsked(item brain.ReviewItem) bool {
	old, ok := q[item.Fingerprint]
	return ok && (old.State == brain.ReviewDecided ||
		slices.Equal(slices.Sorted(slices.Values(old.TextHashes)), slices.Sorted(slices.Values(item.TextHashes))))
}

// decisions maps the id of a memory to the numbers of the decisions that keep it apart from
// others. Two memories with a common number are never merged, not even through a third.
type decisions map[string][]int

// decisions returns the decisions to keep memories apart.
func (q queue) decisions() decisions {
	var items []brain.ReviewItem
	for _, item := range q {
		if item.KeepsApart() {
			items = append(items, item)
		}
	}
	return newDecisions(items)
}

// newDecisions numbers decisions. Items that one run made about the same memory get one
// number, because the run had merged them together.
func newDecisions(items []brain.ReviewItem) decisions {
	type subject struct{ run, id string }
	previous := map[subject]int{} // the latest item about a memory in a run
	number := make([]int, len(items))
	var joined []similar.Pair
	for i, item := range items {
		number[i] = i
		for _, id := range item.Memories {
			key := subject{item.RunID, id}
			if key.run == "" {
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
			d[id] = append(d[id], number[i])
		}
	}
	return d
}

// separate reports whether any memory of xs must stay apart from any of ys.
func (d decisions) separate(xs, ys []memberText) bool {
	for _, x := range xs {
		for _, number := range d[x.id] {
			if slices.ContainsFunc(ys, func(y memberText) bool { return slices.Contains(d[y.id], number) }) {
				return true
			}
		}
	}
	return false
}

// maxAsked is the maximum number of merges that a run proposes. A run that compared all memories
// finds again what earlier ones left waiting, so it proposes only until this many are pending.
const maxAsked = 20

// choose returns the proposals to make now, of those that were not made before, the most similar
// first, and the number of those that wait.
func (q queue) choose(all []mergeProposal, comparedAll bool) (ask []brain.ReviewItem, waiting int) {
	limit := maxAsked
	if comparedAll {
		limit = max(0, maxAsked-q.pending())
	}
	all = slices.DeleteFunc(all, func(p mergeProposal) bool { return q.alreadyAsked(p.item) })
	slices.SortFunc(all, func(x, y mergeProposal) int {
		return cmp.Or(cmp.Compare(y.similarity, x.similarity), slices.Compare(x.item.Memories, y.item.Memories))
	})
	limit = min(limit, len(all))
	return brain.Map(all[:limit], func(p mergeProposal) brain.ReviewItem { return p.item }), len(all) - limit
}
