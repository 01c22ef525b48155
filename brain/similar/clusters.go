package similar

import (
	"cmp"
	"maps"
	"slices"
)

// Together returns the similarity of two texts, by number, and whether they may be
// in one cluster. It is symmetric and deterministic.
type Together func(a, b int) (similarity float64, ok bool)

// maxComponent is how many connected texts are clustered at a time. Only texts
// made from one template are more.
const maxComponent = 128

// Clusters returns clusters of two to most texts that are connected by pairs and
// of which together allows each pair of members. Of more than most, those with
// the highest mean similarity stay. Then, of the worst pair that may not be
// together, the one that is less like the others is dropped, until every pair
// may be. What was dropped is clustered again. Members are ascending, clusters in
// the order of their first member; the order of the pairs does not matter.
func Clusters(pairs []Pair, most int, together Together) [][]int {
	var all [][]int
	for _, whole := range connected(pairs) {
		known := map[Pair]float64{} // of the component
		for queue := []component{whole}; len(queue) > 0; {
			next := queue[len(queue)-1]
			queue = queue[:len(queue)-1]
			kept, dropped := narrow(next.members, most, together, known)
			if len(kept) > 1 {
				all = append(all, kept)
			}
			if len(dropped) > 1 {
				rest := slices.DeleteFunc(next.pairs, func(p Pair) bool {
					return !contains(dropped, p.A) || !contains(dropped, p.B)
				})
				queue = append(queue, connected(rest)...)
			}
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

// component is connected texts with the pairs among them.
type component struct {
	members []int
	pairs   []Pair
}

// connected returns the components of pairs, cut to at most maxComponent members.
func connected(pairs []Pair) []component {
	var all []component
	of := map[int]int{} // the component of a text
	for _, c := range Components(pairs) {
		for members := range slices.Chunk(c, maxComponent) {
			for _, n := range members {
				of[n] = len(all)
			}
			all = append(all, component{members: members})
		}
	}
	for _, p := range pairs {
		if c := &all[of[p.A]]; of[p.A] == of[p.B] {
			c.pairs = append(c.pairs, p)
		}
	}
	return all
}

func contains(sorted []int, n int) bool {
	_, ok := slices.BinarySearch(sorted, n)
	return ok
}

// narrow splits a component into those that may be in one cluster, and the rest.
func narrow(members []int, most int, together Together, known map[Pair]float64) (kept, dropped []int) {
	alike := similarities(members, together, known)
	in := make([]int, len(members)) // places in members
	for i := range in {
		in[i] = i
	}
	support := func(i int) (sum float64) {
		for _, j := range in {
			sum += alike[i][j]
		}
		return sum
	}
	dropWeakest := func(of ...int) {
		weakest := slices.MinFunc(of, func(a, b int) int { return cmp.Or(cmp.Compare(support(a), support(b)), cmp.Compare(b, a)) })
		in = slices.DeleteFunc(in, func(i int) bool { return i == weakest })
		dropped = append(dropped, members[weakest])
	}
	for len(in) > most {
		dropWeakest(in...)
	}
	for a, b := worst(in, alike); a != b; a, b = worst(in, alike) {
		dropWeakest(a, b)
	}
	for _, i := range in {
		kept = append(kept, members[i])
	}
	slices.Sort(dropped)
	return kept, dropped
}

// similarities returns how alike each two members are, by their places. Those
// that may not be together get 2 less, which is below 0 and keeps their order. known
// has those of earlier calls.
func similarities(members []int, together Together, known map[Pair]float64) [][]float64 {
	alike := make([][]float64, len(members))
	for i := range members {
		alike[i] = make([]float64, len(members))
		for j := range i {
			pair := Pair{members[j], members[i]}
			similarity, ok := known[pair]
			if !ok {
				if similarity, ok = together(pair.A, pair.B); !ok {
					similarity -= 2
				}
				known[pair] = similarity
			}
			alike[i][j], alike[j][i] = similarity, similarity
		}
	}
	return alike
}

// worst returns the least alike two of those that may not be together, the first
// of equals; twice the same if there are none.
func worst(in []int, alike [][]float64) (a, b int) {
	least := 0.0
	for k, i := range in {
		for _, j := range in[k+1:] {
			if alike[i][j] < least {
				a, b, least = i, j, alike[i][j]
			}
		}
	}
	return a, b
}
