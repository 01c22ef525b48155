package sqlite

import (
	"cmp"
	"slices"

	"github.com/brainbridge/brainbridge/brain/words"
)

// maxTerms limits a query to its rarest words. The mask of a posting has two bits
// for each.
const maxTerms = 32

// term is a word of the query with its docs in the index.
type term struct {
	word   string
	hash   uint32
	factor float64   // on its weight, 1 except for stand-ins
	df     float64   // number of docs with it; estimated for a frequent one
	lists  [][]int64 // its newest docs in each table
	whole  bool      // lists has all of them
}

// findingTerms returns the words that find docs: those of the query, or if it has
// phrases only, the words of these.
func findingTerms(q words.Query) []string {
	terms := q.Terms
	if len(terms) == 0 {
		terms = slices.Concat(q.Phrases...)
	}
	return slices.Compact(slices.Sorted(slices.Values(terms)))
}

// terms returns those of the words that are in the index, rarest first. All words
// inside phrases are in the same docs, those with the phrases, so only the first of
// them is read.
func (s scope) terms(finding []string, q words.Query) ([]term, error) {
	inside := map[string]bool{}
	for _, w := range slices.Concat(q.Phrases...) {
		inside[w] = true
	}
	var all []term
	var shared *term // the first word of a phrase
	for _, w := range finding {
		if inside[w] && shared != nil {
			same := *shared
			same.word, same.hash = w, hash(w)
			all = append(all, same)
			continue
		}
		n, err := s.probe(w)
		if err != nil {
			return nil, err
		}
		n.factor = q.Weight(w)
		if n.df > 0 {
			all = append(all, n)
		}
		if inside[w] && n.df == 0 {
			return nil, nil // no doc has the phrases
		}
		if inside[w] {
			shared = &n
		}
	}
	slices.SortStableFunc(all, func(a, b term) int { return cmp.Compare(a.df, b.df) })
	return all[:min(len(all), maxTerms)], nil
}

// probe reads the newest docs of a word, or all docs of a rare one.
func (s scope) probe(word string) (n term, err error) {
	n = term{word: word, hash: hash(word)}
	n.lists, n.whole, err = s.read(quoted(word), s.e.first)
	for _, docs := range n.lists {
		if len(docs) < s.e.first {
			n.df += float64(len(docs))
		} else {
			n.df += s.estimate(docs)
		}
	}
	return n, err
}

// estimate estimates the frequency of a word from the density of its newest docs.
func (s scope) estimate(newest []int64) float64 {
	span := float64(s.next - newest[len(newest)-1])
	whole := float64(s.next - s.low)
	return min(max(float64(len(newest))*whole/span, float64(len(newest))), max(s.docs, float64(len(newest))))
}
