package consolidate

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/similar"
)

// The maximum number of members of the clusters that a model is asked about.
const (
	maxCluster  = 8 // of one type, or of one subject
	maxCatchAll = 6 // across types and subjects
)

// modelPhase is one part of the step.
type modelPhase struct {
	takes  func(a, b *modelLoaded) bool // the pairs that make its clusters
	most   int                          // members of a cluster
	across bool                         // two members of a cluster may be of one type
}

// phasesOf returns the phases in order: by type, then across types, unless for one type.
func phasesOf(onlyType string) []modelPhase {
	types := []string{"fact", "decision", "preference", "lesson", "event", "todo", "relationship"}
	var all []modelPhase
	for _, t := range types {
		all = append(all, modelPhase{most: maxCluster, takes: func(a, b *modelLoaded) bool { return a.MemoryType == t && b.MemoryType == t }})
	}
	others := func(a, b *modelLoaded) bool {
		return a.MemoryType == b.MemoryType && !slices.Contains(types, a.MemoryType)
	}
	all = append(all, modelPhase{most: maxCluster, takes: others})
	if onlyType != "" {
		return all
	}
	sameSubject := func(a, b *modelLoaded) bool {
		return a.MemoryType != b.MemoryType && a.text.Subject() != "" && a.text.Subject() == b.text.Subject()
	}
	catchAll := func(a, b *modelLoaded) bool { return a.MemoryType != b.MemoryType }
	return append(all, modelPhase{sameSubject, maxCluster, true}, modelPhase{catchAll, maxCatchAll, true})
}

// of returns the pairs of a phase that no earlier phase took.
func (f modelFacts) of(p modelPhase) []similar.Pair {
	var linked []similar.Pair
	for _, pair := range f.pairs {
		x, y := f.members[pair.A], f.members[pair.B]
		if x != nil && y != nil && !f.taken[pair.A] && !f.taken[pair.B] && p.takes(x, y) {
			linked = append(linked, pair)
		}
	}
	return linked
}

// modelCluster has the memories that a model is asked to merge into one.
type modelCluster struct {
	members     []brain.Memory // oldest first
	places      []int          // of the members
	least, most float64        // similarity of its pairs
}

// why returns the similarities of the cluster, for people.
func (c modelCluster) why() string {
	if c.most-c.least < 0.005 {
		return fmt.Sprintf("similarity %.2f", c.least)
	}
	return fmt.Sprintf("similarity %.2f to %.2f", c.least, c.most)
}

// clusters returns the undecided clusters of a phase that differ only in wording and order.
func (r modelRules) clusters(p modelPhase, f modelFacts) []modelCluster {
	together := func(a, b int) (float64, bool) {
		x, y := f.members[a], f.members[b]
		if f.queue[brain.Fingerprint([]brain.Memory{x.Memory, y.Memory})].KeepsApart() || !p.across && !p.takes(x, y) {
			return 0, false
		}
		similarity := x.text.Similarity(y.text)
		return similarity, similarity >= r.Alike-r.tolerance && similar.Guard(x.text, y.text)&^similar.Order == 0 &&
			similar.Renamed(x.text, y.text) == ""
	}
	linked := slices.DeleteFunc(f.of(p), func(pair similar.Pair) bool {
		similarity, ok := together(pair.A, pair.B)
		return !ok || similarity < r.Alike || r.planned && r.mergesByRule(f.members[pair.A], f.members[pair.B])
	})
	most := p.most
	if r.maxCluster > 0 {
		most = min(r.maxCluster, most)
	}
	var all []modelCluster
	for _, places := range similar.Clusters(linked, most, together) {
		if c := newCluster(places, f, together); len(places) >= r.minCluster && !f.decided(c) {
			all = append(all, c)
		}
	}
	return all
}

func newCluster(places []int, f modelFacts, together similar.Together) modelCluster {
	c := modelCluster{places: places, least: 1}
	for i, n := range places {
		c.members = append(c.members, f.members[n].Memory)
		for _, before := range places[:i] {
			similarity, _ := together(before, n)
			c.least, c.most = min(c.least, similarity), max(c.most, similarity)
		}
	}
	slices.SortFunc(c.members, func(a, b brain.Memory) int {
		return cmp.Or(a.Created.Compare(b.Created), cmp.Compare(a.ID, b.ID))
	})
	return c
}

// decided reports whether a cluster was decided, or waits for a verdict with a proposed text.
func (f modelFacts) decided(c modelCluster) bool {
	item := f.queue[brain.Fingerprint(c.members)]
	return item.State == brain.ReviewDecided || item.State == brain.ReviewPending && item.Proposed != nil
}

// mergesByRule reports whether the rules merge two memories before a model is asked.
func (r modelRules) mergesByRule(x, y *modelLoaded) bool {
	verdict, _ := r.Judge(x.text, y.text)
	return verdict == similar.Merge && x.MemoryType == y.MemoryType
}
