package duplicates

import (
	"cmp"
	"slices"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/pairs"
	"github.com/brainbridge/brainbridge/brain/similar"
)

// question is a pair that a person may be asked about.
type question struct {
	item       brain.ReviewItem
	similarity float64
	newest     time.Time // of the two
}

// questions returns the pairs of a batch that a person has to decide after the merges,
// without those that are in the queue already.
func (r rules) questions(b batch, keepers map[int]int, q queue) []question {
	var all []question
	for _, p := range r.worthAsking(b, r.undecided(b, keepers)) {
		if next := newQuestion(b, p); !q.alreadyAsked(next.item) {
			all = append(all, next)
		}
	}
	return all
}

// undecided returns the pairs that the merges left undecided, each once.
func (r rules) undecided(b batch, keepers map[int]int) []judgedPair {
	var left []judgedPair
	seen := map[similar.Pair]bool{}
	for _, p := range b.pairs {
		now := pairs.Ordered(keeperOf(keepers, p.A), keeperOf(keepers, p.B))
		if now.A == now.B || seen[now] {
			continue
		}
		seen[now] = true
		if now != p.Pair {
			p = r.judge(b, now)
		}
		switch p.verdict {
		case similar.Held, similar.Conflict:
			left = append(left, p)
		case similar.Review:
			if !r.model || !leftToModel(b, p) {
				left = append(left, p)
			}
		}
	}
	return left
}

// leftToModel reports whether the model tier decides: not about entities or different
// things.
func leftToModel(b batch, p judgedPair) bool {
	x, y := b.members[p.A], b.members[p.B]
	return !x.Entity && !y.Entity && similar.Renamed(x.text, y.text) == ""
}

// newQuestion returns the question about a pair, with the newer memory first.
func newQuestion(b batch, p judgedPair) question {
	x, y := b.members[p.A].Memory, b.members[p.B].Memory
	if y.Created.After(x.Created) {
		x, y = y, x
	}
	item := brain.ReviewItem{
		Kind: brain.ReviewMerge, Reason: p.reason, Memories: []string{x.ID, y.ID},
		Fingerprint: brain.Fingerprint([]brain.Memory{x, y}), Texts: []string{x.ContentHash, y.ContentHash},
	}
	if p.verdict == similar.Conflict {
		item.Kind = brain.ReviewConflict
	}
	return question{item: item, similarity: p.similarity, newest: x.Created}
}

const (
	// maxFamily is the maximum number of texts with the same common words for two of them
	// to be worth a question.
	maxFamily = 6
	// minSeries is the minimum number of texts in a series, which differ only in numbers,
	// ids and dates. Two such texts are not a series, because they may contradict each other.
	minSeries = 3
)

// worthAsking returns the pairs that a person can decide about. It leaves out
//   - entries of a series or of a template, and texts that are named after different
//     things unless they are very similar;
//   - texts that differ in wording, unless they have the same name or share more with each
//     other than with any other similar text;
//   - all but one pair of a family, that is of texts with the same common words, and all
//     pairs of a large family.
func (r rules) worthAsking(b batch, open []judgedPair) []judgedPair {
	n := r.neighbours(b, open)
	slices.SortFunc(open, b.newestFirst)
	families := map[int][]int{} // indexes of the pairs that are asked about, by member of the family
	var worth []judgedPair
	for i, p := range open {
		x, y := b.members[p.A].text, b.members[p.B].text
		switch {
		case n.inSeries(p), n.fromTemplate(p), p.similarity <= r.SameWords && similar.NamedApart(x, y):
			continue
		case p.verdict == similar.Review:
			if named := x.Subject() != "" && x.Subject() == y.Subject(); !named && !n.shareDistinctive(p) {
				continue
			}
		default:
			family := n.family(p)
			inBoth := func(f int) bool { return slices.Contains(families[p.B], f) }
			if len(family) > maxFamily || slices.ContainsFunc(families[p.A], inBoth) {
				continue
			}
			for _, member := range family {
				families[member] = append(families[member], i)
			}
		}
		worth = append(worth, p)
	}
	return worth
}

// newestFirst orders pairs by their newer memory, then by their older one.
func (b batch) newestFirst(p, q judgedPair) int {
	ages := func(p judgedPair) (newer, older int64) {
		x, y := b.members[p.A].Created.UnixMilli(), b.members[p.B].Created.UnixMilli()
		return max(x, y), min(x, y)
	}
	pNewer, pOlder := ages(p)
	qNewer, qOlder := ages(q)
	return cmp.Or(cmp.Compare(qNewer, pNewer), cmp.Compare(qOlder, pOlder), cmp.Compare(p.A, q.A), cmp.Compare(p.B, q.B))
}
