package similar

import (
	"cmp"
	"maps"
	"slices"
)

// Together returns the similarity of two texts, by number, and whether they may be
// in one cluster. It is symmetric and deterministic.
type Together func(a, b int) (similarity float64, ok bool)

// Clusters returns clusters of two to most texts of which together allows each pair of members.
// It joins the texts, and then the clusters, of each of the pairs, the most similar one first,
// unless two of their members may not be together. Members are ascending, clusters in the order
// of their first member; the order of the pairs does not matter.
func Clusters(pairs []Pair, most int, together Together) [][]int {
	type link struct {
		Pair
		similarity float64
	}
	links := make([]link, len(pairs))
	clusterOf := map[int][]int{}
	for i, p := range pairs {
		similarity, _ := together(p.A, p.B)
		links[i] = link{p, similarity}
		clusterOf[p.A], clusterOf[p.B] = []int{p.A}, []int{p.B}
	}
	slices.SortFunc(links, func(p, q link) int {
		return cmp.Or(cmp.Compare(q.similarity, p.similarity), cmp.Compare(p.A, q.A), cmp.Compare(p.B, q.B))
	})
	mayJoin := func(some, others []int) bool {
		for _, a := range some {
			for _, b := range others {
				if _, ok := together(a, b); !ok {
					return false
				}
			}
		}
		return true
	}
	for _, l := range links {
		some, others := clusterOf[l.A], clusterOf[l.B]
		if some[0] == others[0] || len(some)+len(others) > most || !mayJoin(some, others) {
			continue
		}
		whole := slices.Sorted(slices.Values(slices.Concat(some, others)))
		for _, n := range whole {
			clusterOf[n] = whole
		}
	}
	var all [][]int
	for n, c := range clusterOf {
		if len(c) > 1 && c[0] == n {
			all = append(all, c)
		}
	}
	slices.SortFunc(all, slices.Compare)
	return all
}

// Components returns the texts that are connected by pairs, directly or over
// others: each component ascending, in the order of their first members.
func Components(pairs []Pair) [][]int {
	parent := make(map[int]int)
	root := func(n int) int {
		for p, ok := parent[n]; ok && p != n; p, ok = parent[n] {
			parent[n] = parent[p]
			n = p
		}
		return n
	}
	for _, p := range pairs {
		a, b := root(p.A), root(p.B)
		parent[max(a, b)], parent[min(a, b)] = min(a, b), min(a, b)
	}
	members := make(map[int][]int)
	for n := range parent {
		members[root(n)] = append(members[root(n)], n)
	}
	all := slices.Collect(maps.Values(members))
	for _, c := range all {
		slices.Sort(c)
	}
	slices.SortFunc(all, slices.Compare)
	return all
}
