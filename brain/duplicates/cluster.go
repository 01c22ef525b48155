package duplicates

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/brainbridge/brainbridge/brain/pairs"
	"github.com/brainbridge/brainbridge/brain/review"
	"github.com/brainbridge/brainbridge/brain/similar"
)

// cluster is a group of members of a batch that become one memory.
type cluster struct {
	keeper  int // the member that keeps its id and text
	sources []int
	reason  string
}

// merger decides on the clusters of a batch.
type merger struct {
	rules
	members   []member    // as they would be after the merges so far
	keepers   map[int]int // the keeper of each source
	keptApart decisions
}

// clusters returns the clusters to merge, in order: those of the batch, then those of the
// resulting keepers, until none is left. With at most twelve to a cluster, thirty equal
// texts become three keepers (of 12, 12 and 6), and these become one.
func (r rules) clusters(b batch, apart decisions) []cluster {
	m := merger{r, slices.Clone(b.members), map[int]int{}, apart}
	var all []cluster
	for {
		before := len(all)
		for _, members := range similar.Clusters(m.pairs(b), r.maxCluster, m.mayJoin) {
			if len(members) >= r.minCluster {
				all = append(all, m.merge(members))
			}
		}
		if len(all) == before {
			return all
		}
	}
}

// pairs returns the pairs of the current keepers that are still to merge, each once.
func (m merger) pairs(b batch) []similar.Pair {
	seen := map[similar.Pair]bool{}
	var open []similar.Pair
	for _, p := range b.pairs {
		current := pairs.Ordered(keeperOf(m.keepers, p.A), keeperOf(m.keepers, p.B))
		if current.A == current.B || seen[current] {
			continue
		}
		seen[current] = true
		if current == p || m.rules.merges(b.members, current) {
			open = append(open, current)
		}
	}
	return open
}

// keeperOf returns the member that member n was merged into, or n itself.
func keeperOf(keepers map[int]int, n int) int {
	for next, ok := keepers[n]; ok; next, ok = keepers[n] {
		n = next
	}
	return n
}

// mayJoin reports whether two members may be in one cluster: each text of one must merge with
// each text of the other at thresholds lowered by the tolerance. Otherwise a chain of merges
// could join texts that contradict each other.
func (m merger) mayJoin(x, y int) (similarity float64, ok bool) {
	a, b := m.members[x], m.members[y]
	similarity = a.text.Similarity(b.text)
	if m.keptApart.separate(a.texts, b.texts) {
		return similarity, false
	}
	lower := m.Less(m.tolerance)
	for _, mine := range a.texts {
		for _, other := range b.texts {
			if verdict, _ := lower.Judge(mine.Text, other.Text); verdict != similar.Merge {
				return similarity, false
			}
		}
	}
	return similarity, true
}

// merge makes a cluster of members, and gives the keeper the texts of all of them.
func (m merger) merge(members []int) cluster {
	c := cluster{keeper: slices.MinFunc(members, m.compareKeepers), reason: m.reason(members)}
	keeper := &m.members[c.keeper]
	keeper.texts = slices.Clone(keeper.texts)
	for _, n := range members {
		if n == c.keeper {
			continue
		}
		source := m.members[n]
		c.sources = append(c.sources, n)
		m.keepers[n] = c.keeper
		keeper.texts = append(keeper.texts, source.texts...)
		keeper.Confirmations += source.Confirmations
		keeper.RecallCount += source.RecallCount
	}
	return c
}

// compareKeepers orders the members of a cluster, best keeper first. Entities come before
// other memories, because their names must stay taken.
func (m merger) compareKeepers(x, y int) int {
	a, b := &m.members[x].Memory, &m.members[y].Memory
	switch {
	case a.Entity && !b.Entity:
		return -1
	case b.Entity && !a.Entity:
		return 1
	}
	return cmp.Or(review.CompareKeepers(a, b), cmp.Compare(x, y))
}

// reason says why members are merged.
func (m merger) reason(members []int) string {
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
		return fmt.Sprintf("the same text %d times", len(members))
	}
	return fmt.Sprintf("%d duplicates, similarity %.2f to %.2f", len(members), low, high)
}
