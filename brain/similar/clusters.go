package similar

import (
	"cmp"
	"maps"
	"slices"
)

// Together says how alike two texts are, by number, and whether they may be in
// one cluster at all. It is symmetric, and gives the same answer each time.
type Together func(a, b int) (similarity float64, ok bool)

// component is how many texts are made clusters of at a time: of more, which
// only texts of one template come to, the rest are left in clusters of their own.
const component = 256

// Clusters makes clusters of two to most texts from pairs that belong together:
// what hangs together by pairs, and of that only what together allows for each
// two members, not just for neighbours of a chain. From more than most, those
// with the highest mean similarity stay; then, of the worst pair that may not be
// together, the one that is less like the others goes, until every pair may
// be. What went is clustered again. Members are ascending, clusters in the order
// of their first member; the order of the pairs does not matter.
func Clusters(pairs []Pair, most int, together Together) [][]int {
	var all [][]int
	queue := bounded(Components(pairs))
	for len(queue) > 0 {
		some := queue[0]
		queue = queue[1:]
		kept, dropped := narrowed(some, most, together)
		if len(kept) > 1 {
			all = append(all, kept)
		}
		if len(dropped) > 1 {
			queue = append(queue, bounded(Components(between(pairs, dropped)))...)
		}
	}
	slices.SortFunc(all, slices.Compare)
	return all
}

// Components returns what hangs together by pairs, directly or over others: each
// ascending, in the order of their first members.
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

// bounded cuts components to a size that can be looked at as a whole.
func bounded(components [][]int) [][]int {
	var all [][]int
	for _, c := range components {
		all = append(all, slices.Collect(slices.Chunk(c, component))...)
	}
	return all
}

// between are the pairs of which both are among some (ascending).
func between(pairs []Pair, some []int) []Pair {
	return slices.Collect(func(yield func(Pair) bool) {
		for _, p := range pairs {
			if among(some, p.A) && among(some, p.B) && !yield(p) {
				return
			}
		}
	})
}

func among(sorted []int, n int) bool {
	_, ok := slices.BinarySearch(sorted, n)
	return ok
}

// narrowed is what of a component may be together, and the rest.
func narrowed(some []int, most int, together Together) (kept, dropped []int) {
	m := measured(some, together)
	for len(m.in) > most {
		m.drop(m.weakest())
	}
	for {
		a, b, bad := m.worst()
		if !bad {
			break
		}
		m.drop(m.weaker(a, b))
	}
	for i, n := range some {
		if slices.Contains(m.in, i) {
			kept = append(kept, n)
		} else {
			dropped = append(dropped, n)
		}
	}
	return kept, dropped
}

// matrix holds how alike the texts of a component are, by their places in it.
// Of those that may not be together the similarity is taken less 2, so that it
// is below 0 and the least alike of them are still the worst pair.
type matrix struct {
	alike [][]float64
	in    []int     // places that are left, ascending
	sum   []float64 // how alike each is to all that are left
}

func measured(some []int, together Together) *matrix {
	m := &matrix{alike: make([][]float64, len(some)), in: make([]int, len(some)), sum: make([]float64, len(some))}
	for i := range some {
		m.alike[i], m.in[i] = make([]float64, len(some)), i
		for j := range i {
			similarity, ok := together(some[j], some[i])
			if !ok {
				similarity -= 2
			}
			m.alike[i][j], m.alike[j][i] = similarity, similarity
			m.sum[i], m.sum[j] = m.sum[i]+similarity, m.sum[j]+similarity
		}
	}
	return m
}

// weakest is the member with the least support, the last of equals.
func (m *matrix) weakest() int {
	return slices.MinFunc(m.in, func(a, b int) int {
		return cmp.Or(cmp.Compare(m.sum[a], m.sum[b]), cmp.Compare(b, a))
	})
}

// weaker is the one of two with less support, the last of equals.
func (m *matrix) weaker(a, b int) int {
	if m.sum[a] < m.sum[b] {
		return a
	}
	return b
}

// worst is the least alike pair of those that may not be together, the first of
// equals.
func (m *matrix) worst() (a, b int, bad bool) {
	least := 0.0
	for k, i := range m.in {
		for _, j := range m.in[k+1:] {
			if m.alike[i][j] < least {
				a, b, bad, least = i, j, true, m.alike[i][j]
			}
		}
	}
	return a, b, bad
}

func (m *matrix) drop(i int) {
	m.in = slices.DeleteFunc(m.in, func(j int) bool { return j == i })
	for _, j := range m.in {
		m.sum[j] -= m.alike[i][j]
	}
}
