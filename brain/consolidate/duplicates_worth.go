package consolidate

import (
	"cmp"
	"math"
	"slices"

	"github.com/brainbridge/brainbridge/brain/similar"
)

const (
	// seriesFrom is from how many texts on, that differ in numbers, ids and dates
	// alone, they are a series: two may contradict each other.
	seriesFrom = 3
	// familyMost is how many texts may have all in common that two have for these
	// to be worth a question.
	familyMost = 6
	// familyFrom is how many texts have to be alike for their words to be weighed.
	familyFrom = 4
	// ownShare is the least share of what sets a text apart from all that it is
	// like, that another one has to have too.
	ownShare = 0.5
)

// kin is what is known of the pairs of a batch together: two texts of one
// template are alike, and have nothing to do with each other.
type kin struct {
	*batch
	words  map[int][]string // that say something
	near   map[int][]int    // what each is like
	weight map[int]map[string]float64
	series map[string]int // texts by pattern
}

// worthwhile are those pairs that a person can decide about: of a series none,
// nor of what says the same of three things and more, nor of what is named after
// different things and only somewhat alike, of what claims something of one
// subject the two newest, of texts that have the same in common with each other
// one pair at most, or none where they are many.
func (b *batch) worthwhile(pairs []judged) []judged {
	k := b.kin(pairs)
	slices.SortFunc(pairs, b.newestFirst)
	claimed := map[string]bool{}
	var families []similar.Pair
	crowded := map[similar.Pair]bool{}
	var kept []judged
	for _, p := range pairs {
		x, y := b.texts[p.A], b.texts[p.B]
		subject := group(&b.ms[p.A]) + "\x00" + x.Claim()
		switch {
		case similar.Disagree(x, y):
			if claimed[subject] {
				continue
			}
			claimed[subject] = true
		case k.ofSeries(p), k.ofTemplate(p), p.similarity <= b.rules.SameWords && similar.NamedApart(x, y):
			continue
		case p.verdict == similar.Review:
			if named := x.Subject() != "" && x.Subject() == y.Subject(); !named && !k.distinct(p) {
				continue
			}
		default:
			family := k.family(p)
			if len(family)+1 > familyMost {
				continue
			}
			crowded[p.Pair] = len(family) > 1
			families = append(families, family...)
		}
		kept = append(kept, p)
	}
	return oneEach(kept, crowded, families)
}

// family joins a pair with the others that have in common what the two have, by
// pairs: one fewer than there are members, none where the two are alone.
func (k *kin) family(p judged) (pairs []similar.Pair) {
	for _, n := range k.crowd(p) {
		pairs = append(pairs, ordered(p.A, n))
	}
	if len(pairs) > 0 {
		pairs = append(pairs, p.Pair)
	}
	return pairs
}

// oneEach leaves of the crowded pairs the first of each family, and none of a
// large one.
func oneEach(pairs []judged, crowded map[similar.Pair]bool, families []similar.Pair) []judged {
	of := map[int]int{}
	size := map[int]int{}
	for i, members := range similar.Components(families) {
		size[i] = len(members)
		for _, n := range members {
			of[n] = i
		}
	}
	asked := map[int]bool{}
	return slices.DeleteFunc(pairs, func(p judged) bool {
		if !crowded[p.Pair] {
			return false
		}
		family := of[p.A]
		again := asked[family] || size[family] > familyMost
		asked[family] = true
		return again
	})
}

// newestFirst orders pairs by the newer one, then by the older one.
func (b *batch) newestFirst(p, q judged) int {
	age := func(p judged) (newer, older int64) {
		x, y := b.ms[p.A].Created.UnixMilli(), b.ms[p.B].Created.UnixMilli()
		return max(x, y), min(x, y)
	}
	pNewer, pOlder := age(p)
	qNewer, qOlder := age(q)
	return cmp.Or(cmp.Compare(qNewer, pNewer), cmp.Compare(qOlder, pOlder), cmp.Compare(p.A, q.A), cmp.Compare(p.B, q.B))
}

func (b *batch) kin(pairs []judged) *kin {
	k := &kin{batch: b, words: map[int][]string{}, near: map[int][]int{}, weight: map[int]map[string]float64{}, series: map[string]int{}}
	for _, p := range pairs {
		if p.similarity >= b.rules.Alike {
			k.near[p.A] = append(k.near[p.A], p.B)
			k.near[p.B] = append(k.near[p.B], p.A)
		}
	}
	for n := range k.near {
		k.words[n] = b.texts[n].Words()
		if pattern := k.pattern(n); pattern != "" {
			k.series[pattern]++
		}
	}
	return k
}

// pattern is that of a text in its group; "" where it has none.
func (k *kin) pattern(n int) string {
	if p := k.texts[n].Pattern(); p != "" {
		return group(&k.ms[n]) + "\x00" + p
	}
	return ""
}

// ofSeries tells whether two are lines of a series.
func (k *kin) ofSeries(p judged) bool {
	pattern := k.pattern(p.A)
	return pattern != "" && pattern == k.pattern(p.B) && k.series[pattern] >= seriesFrom
}

// ofTemplate tells whether two say the same of different things, and one of them
// does so with another text too.
func (k *kin) ofTemplate(p judged) bool {
	about := func(a, b int) bool { return similar.Renamed(k.texts[a], k.texts[b]) != "" }
	if !about(p.A, p.B) {
		return false
	}
	another := func(of, but int) bool {
		return slices.ContainsFunc(k.near[of], func(n int) bool { return n != but && about(of, n) && about(but, n) })
	}
	return another(p.A, p.B) || another(p.B, p.A)
}

// crowd are others that have all the words that two have in common, as many as
// make a family too large at most.
func (k *kin) crowd(p judged) (others []int) {
	shared := common(k.words[p.A], k.words[p.B])
	for _, n := range slices.Concat(k.near[p.A], k.near[p.B]) {
		if n != p.A && n != p.B && !slices.Contains(others, n) && len(common(shared, k.words[n])) == len(shared) {
			if others = append(others, n); len(others)+2 > familyMost {
				break
			}
		}
	}
	return others
}

func common(a, b []string) []string {
	return slices.DeleteFunc(slices.Clone(a), func(w string) bool { return !slices.Contains(b, w) })
}

// distinct tells whether two texts have in common more than what all have that
// they are like: by words, each of which weighs the more the fewer of those have
// it, as much as half of the one that says less.
func (k *kin) distinct(p judged) bool {
	around := p.A
	if len(k.near[p.B]) > len(k.near[p.A]) {
		around = p.B
	}
	if len(k.near[around])+1 < familyFrom {
		return true
	}
	weight := k.weights(around)
	sum := func(words []string) (total float64) {
		for _, w := range words {
			total += weight[w]
		}
		return total
	}
	least := min(sum(k.words[p.A]), sum(k.words[p.B]))
	return sum(common(k.words[p.A], k.words[p.B])) >= ownShare*least
}

// weights are those of the words of a text and of what it is like.
func (k *kin) weights(n int) map[string]float64 {
	if known, ok := k.weight[n]; ok {
		return known
	}
	weight := map[string]float64{}
	around := append([]int{n}, k.near[n]...)
	for _, i := range around {
		for _, w := range k.words[i] {
			weight[w]++
		}
	}
	for w, held := range weight {
		weight[w] = math.Log(float64(len(around)+1) / held)
	}
	k.weight[n] = weight
	return weight
}
