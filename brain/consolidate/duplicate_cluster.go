package consolidate

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/review"
	"github.com/brainbridge/brainbridge/brain/similar"
)

// duplicateCluster is a group of members of a batch that become one memory.
type duplicateCluster struct {
	keeper  int // the member that keeps its id and text
	sources []int
	reason  string
	// similarity of the two members that are least alike
	similarity float64
}

// ruleMerger decides on the clusters of a batch.
type ruleMerger struct {
	duplicateRules
	members   []*member   // as they would be after the merges so far
	keepers   map[int]int // the keeper of each source
	keptApart decisions
}

// clusters returns the clusters to merge, in order: those of the batch, then those of the
// resulting keepers, until none is left. With at most twelve to a cluster, thirty equal
// texts become three keepers (of 12, 12 and 6), and these become one.
//
// alike are the groups that somebody must decide on: of similar words, or of near vectors.
func (r duplicateRules) clusters(b duplicateBatch, apart decisions) (merges []duplicateCluster, alike []mergeProposal) {
	m := ruleMerger{r, slices.Clone(b.members), map[int]int{}, apart}
	for {
		before := len(merges)
		for _, members := range similar.Clusters(m.pairs(b, similar.Merge), r.maxCluster, m.mayJoin) {
			if len(members) >= r.minCluster {
				merges = append(merges, m.merge(members))
			}
		}
		if len(merges) == before {
			break
		}
	}
	for _, members := range similar.Clusters(m.pairs(b, similar.Review), maxAlike, m.isAlike) {
		if len(members) >= r.minCluster {
			alike = append(alike, m.proposal(members))
		}
	}
	for _, p := range b.pairs {
		if p.near && p.verdict == similar.Different && m.isReworded(p.A, p.B) {
			next := m.proposal([]int{p.A, p.B})
			next.item.Reason = "they are near in meaning"
			alike = append(alike, next)
		}
	}
	return merges, alike
}

// isReworded reports whether two members with near vectors may be one statement in other words:
// [similar.Guard] finds no difference but the order of words.
func (m ruleMerger) isReworded(x, y int) bool {
	a, b := m.members[x], m.members[y]
	_, mergedX := m.keepers[x]
	_, mergedY := m.keepers[y]
	differs := similar.Guard(a.text, b.text)
	return !mergedX && !mergedY && (differs == 0 || differs == similar.Order) &&
		similar.Renamed(a.text, b.text) == "" && !m.keptApart.separate(a.texts, b.texts)
}

// pairs returns the pairs of the current keepers that have a verdict, each once.
func (m ruleMerger) pairs(b duplicateBatch, verdict similar.Verdict) []similar.Pair {
	var open []similar.Pair
	for _, p := range b.pairs {
		current := orderedPair(keeperOf(m.keepers, p.A), keeperOf(m.keepers, p.B))
		if p.verdict == verdict && current.A != current.B && (current == p.Pair || m.judge(b, current) == verdict) {
			open = append(open, current)
		}
	}
	return distinctPairs(open)
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
func (m ruleMerger) mayJoin(x, y int) (similarity float64, ok bool) {
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

// isAlike reports whether two members may be in one proposal: at thresholds lowered by the
// tolerance they would be merged or proposed, and neither names another subject.
func (m ruleMerger) isAlike(x, y int) (similarity float64, ok bool) {
	a, b := m.members[x], m.members[y]
	similarity = a.text.Similarity(b.text)
	verdict, _ := m.Less(m.tolerance).Judge(a.text, b.text)
	return similarity, (verdict == similar.Review || verdict == similar.Merge) &&
		similar.Renamed(a.text, b.text) == "" && !m.keptApart.separate(a.texts, b.texts)
}

// maxAlike is the maximum number of members of a proposal, as for a model.
const maxAlike = 8

// mergeProposal is a merge that an agent or a person may decide on.
type mergeProposal struct {
	item       brain.ReviewItem
	similarity float64 // of the two members that are least alike
}

// proposal returns the proposal to merge members, the oldest first.
func (m ruleMerger) proposal(members []int) mergeProposal {
	reason := fmt.Sprintf("%d memories say much the same", len(members))
	if len(members) == 2 {
		_, reason = m.Judge(m.members[members[0]].text, m.members[members[1]].text)
	}
	ms := brain.Map(members, func(n int) brain.Memory { return m.members[n].Memory })
	slices.SortFunc(ms, func(a, b brain.Memory) int { return brain.CompareAge(&a, &b) })
	return mergeProposal{
		similarity: m.leastSimilarity(members),
		item: brain.ReviewItem{
			Kind: brain.ReviewMerge, Reason: reason,
			Memories: brain.IDs(ms), Fingerprint: brain.Fingerprint(ms), TextHashes: brain.Map(ms, func(m brain.Memory) string { return m.ContentHash }),
		},
	}
}

// merge makes a cluster of members, and gives the keeper the texts of all of them.
func (m ruleMerger) merge(members []int) duplicateCluster {
	c := duplicateCluster{keeper: slices.MinFunc(members, m.compareKeepers), reason: m.reason(members), similarity: m.leastSimilarity(members)}
	kept := *m.members[c.keeper]
	keeper := &kept
	m.members[c.keeper] = keeper
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
func (m ruleMerger) compareKeepers(x, y int) int {
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
func (m ruleMerger) reason(members []int) string {
	if len(members) == 2 {
		_, reason := m.Less(m.tolerance).Judge(m.members[members[0]].text, m.members[members[1]].text)
		return reason
	}
	return fmt.Sprintf("%d duplicates, similarity %.2f or more", len(members), m.leastSimilarity(members))
}

// leastSimilarity returns the similarity of the two members that are least alike.
func (m ruleMerger) leastSimilarity(members []int) float64 {
	least := 1.0
	for i, x := range members {
		for _, y := range members[:i] {
			least = min(least, m.members[x].text.Similarity(m.members[y].text))
		}
	}
	return least
}
