package duplicates

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/brainbridge/brainbridge/brain/pairs"
	"github.com/brainbridge/brainbridge/brain/review"
	"github.com/brainbridge/brainbridge/brain/similar"
)

// cluster are members of a batch that become one memory.
type cluster struct {
	keeper  int // keeps its id and text
	sources []int
	reason  string
}

// merging is the state of a batch while its clusters are decided.
type merging struct {
	rules
	members []member    // keepers with what they would have after the merges
	into    map[int]int // sources, and their keepers
	apart   decisions
}

// clusters returns the clusters to merge, in their order: those of the batch, then those of
// the resulting keepers, until there are none left. Of thirty equal texts, twelve, twelve
// and six become three, and these one.
func (r rules) clusters(b batch, apart decisions) []cluster {
	m := merging{r, slices.Clone(b.members), map[int]int{}, apart}
	var all []cluster
	for {
		before := len(all)
		for _, members := range similar.Clusters(m.pairs(b), r.maxCluster, m.together) {
			if len(members) >= r.minCluster {
				all = append(all, m.merge(members))
			}
		}
		if len(all) == before {
			return all
		}
	}
}

// pairs returns the remaining pairs to merge, each once.
func (m merging) pairs(b batch) []similar.Pair {
	seen := map[similar.Pair]bool{}
	var open []similar.Pair
	for _, p := range b.pairs {
		now := pairs.Ordered(keeperOf(m.into, p.A), keeperOf(m.into, p.B))
		if p.verdict != similar.Merge || now.A == now.B || seen[now] {
			continue
		}
		seen[now] = true
		if now == p.Pair || m.judge(b, now).verdict == similar.Merge {
			open = append(open, now)
		}
	}
	return open
}

// keeperOf returns the member that one was merged into, or itself.
func keeperOf(into map[int]int, n int) int {
	for next, ok := into[n]; ok; next, ok = into[n] {
		n = next
	}
	return n
}

// together reports whether two members may be in one cluster: all texts that they stand for
// would be merged if the thresholds were lower by the tolerance, so that no two of them
// contradict each other. Otherwise a chain of merges could join texts that contradict each
// other.
func (m merging) together(x, y int) (similarity float64, ok bool) {
	a, b := m.members[x], m.members[y]
	similarity = a.text.Similarity(b.text)
	if m.apart.separate(a.holds, b.holds) {
		return similarity, false
	}
	lower := m.Less(m.tolerance)
	for _, mine := range a.holds {
		for _, other := range b.holds {
			if verdict, _ := lower.Judge(mine.Text, other.Text); verdict != similar.Merge {
				return similarity, false
			}
		}
	}
	return similarity, true
}

// merge makes a cluster of members, and has the keeper stand for all of them.
func (m merging) merge(members []int) cluster {
	c := cluster{keeper: slices.MinFunc(members, m.compareKeepers), reason: m.reason(members)}
	keeper := &m.members[c.keeper]
	keeper.holds = slices.Clone(keeper.holds)
	for _, n := range members {
		if n == c.keeper {
			continue
		}
		source := m.members[n]
		c.sources = append(c.sources, n)
		m.into[n] = c.keeper
		keeper.holds = append(keeper.holds, source.holds...)
		keeper.Confirmations += source.Confirmations
		keeper.RecallCount += source.RecallCount
	}
	return c
}

// compareKeepers orders the members of a cluster, the keeper first. An entity
// comes before other memories, because its name must stay taken.
func (m merging) compareKeepers(x, y int) int {
	a, b := &m.members[x].Memory, &m.members[y].Memory
	switch {
	case a.Entity && !b.Entity:
		return -1
	case b.Entity && !a.Entity:
		return 1
	}
	return cmp.Or(review.CompareKeepers(a, b), cmp.Compare(x, y))
}

// reason returns why members are merged.
func (m merging) reason(members []int) string {
	if len(members) == 2 {
		_, reason := m.Less(m.tolerance).Judge(m.members[members[0]].text, m.members[members[1]].text)
		return reason
	}
	low, high, same := 1.0, 0.0, true
	for i, x := range members {
		for _, y := range members[i+1:] {
			a, b := m.members[x].text, m.members[y].text
			s := a.Similarity(b)
			low, high = min(low, s), max(high, s)
			same = same && a.Normalised() == b.Normalised()
		}
	}
	if same {
		return fmt.Sprintf("%d times the same text", len(members))
	}
	return fmt.Sprintf("%d duplicates, similarity %.2f to %.2f", len(members), low, high)
}
