// Package rank orders the candidates of a search by how well they answer a query. It does
// not access a store, so the same candidates always have the same order.
//
// The formula was found by experiment on sets of long conversations and checked on notes
// and paraphrases; docs/recall.md explains it with an example.
package rank

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/words"
)

const (
	saturation = 0.9  // frequency at which a word has half of its weight
	lengthPart = 0.75 // part of the frequency of a word that depends on the length of the text

	// Candidates is the number of texts that are ranked, without their neighbours.
	Candidates = 50
	// Reach is the number of neighbours on each side of a text that add to its score.
	Reach = 2
)

// Formula has the weights of the parts of a score. A weight of 0 switches a part off.
type Formula struct {
	Before, After [Reach]float64 // of the words of neighbours, the nearest first
	Near          float64        // of words that stand near each other
	Group         float64        // of the best text of the same group
	Name          float64        // if the query names the speaker
	Answer        float64        // of the question that a text answers
	Vector        float64        // of the cosine, in standard deviations
}

// Default returns the formula that recall uses.
func Default() Formula {
	return Formula{Before: [Reach]float64{0.25, 0.15}, After: [Reach]float64{0.12, 0.08}, Near: 0.5, Group: 0.4, Name: 0.2, Answer: 0.2, Vector: 0.5}
}

// Terms has the parts of a score. Words is between 0 and 1, the others are what they add.
type Terms struct {
	Words  float64 `json:"words"` // with those of its neighbours
	Near   float64 `json:"near,omitempty"`
	Group  float64 `json:"group,omitempty"`
	Name   float64 `json:"name,omitempty"`
	Answer float64 `json:"answer,omitempty"` // below 0 for a question that the next text answers
	Vector float64 `json:"vector,omitempty"` // 0 for a text whose cosine is below the mean
}

// Score returns the sum of the parts.
func (t Terms) Score() float64 { return t.Words + t.Near + t.Group + t.Name + t.Answer + t.Vector }

// Ranked is a text with its score.
type Ranked struct {
	brain.Passage

	Why     Terms
	Matches bool // whether it has a word of the query itself, or its vector is near that of the query
}

// Answers reports whether a text can be an answer. A text without a match can be one only
// if it is a turn of a conversation, because its topic may be in the turn before.
func (r Ranked) Answers() bool { return r.Matches || r.Speaker != "" }

// Query is what a text is compared with: terms with their weights.
type Query struct {
	terms   []string
	finder  *words.Finder
	weights []float64 // inverse document frequency, lower for stand-ins
	asked   float64   // number of terms without stand-ins
	mean    float64   // length of a text
	cosines map[string]float64
	spread  brain.Spread // of cosines
}

// alike is the minimum cosine for a match without a word of the query, as a fraction of the
// way from the mean to 1. With a model of 384 dimensions, nine in ten of 90 paraphrased
// questions had their text above 0.19. The nearest text to a question without an answer is
// often above it too.
const alike = 0.2

// Compare adds the cosines of texts by id, and their spread. Others count as average.
func (q *Query) Compare(cosines map[string]float64, spread brain.Spread) {
	q.cosines, q.spread = cosines, spread
}

// compared returns a cosine in standard deviations, and whether it is a match by itself.
func (q *Query) compared(id string) (deviations float64, matches bool) {
	cosine, known := q.cosines[id]
	if !known || q.spread.Deviation == 0 {
		return 0, false
	}
	above := cosine - q.spread.Mean
	return above / q.spread.Deviation, above >= alike*(1-q.spread.Mean)
}

// NewQuery returns a query with the weights that its terms have in a collection of texts.
func NewQuery(q words.Query, stats brain.Statistics) Query {
	out := Query{terms: q.Terms, finder: words.NewFinder(q.Terms), asked: float64(max(1, len(q.Terms)-len(q.Weights)))}
	records := float64(max(1, stats.Records))
	out.mean = max(1, float64(stats.Length)/records)
	for _, t := range q.Terms {
		with := min(float64(stats.With[t]), records)
		out.weights = append(out.weights, q.Weight(t)*math.Log(1+(records-with+0.5)/(with+0.5)))
	}
	return out
}

// Text is a passage with the words of a query that it has.
type Text struct {
	passage brain.Passage
	counts  []float64 // of each term, relative to the length of the text
	own     float64   // score of its own words
	near    float64
}

// Read returns a passage with the words of the query that it has.
func (q *Query) Read(p brain.Passage) Text {
	t := Text{passage: p, counts: make([]float64, len(q.terms))}
	places := make([][]int, len(q.terms))
	length := 0
	for i, field := range []string{p.Text.Name, p.Text.Content, p.Text.Rest} {
		before := length
		length += q.finder.Find(field, func(term, place int) {
			t.counts[term]++
			if i == 0 {
				t.counts[term]++ // a word in the name counts twice
			}
			places[term] = append(places[term], before+place)
		})
	}
	norm := 1 - lengthPart + lengthPart*float64(length)/q.mean
	for i := range t.counts {
		t.counts[i] /= norm
	}
	t.own = q.saturated(t.counts)
	t.near = nearness(places) / q.asked
	return t
}

// ReadAll is Read for several passages.
func (q *Query) ReadAll(passages []brain.Passage) []Text { return brain.Map(passages, q.Read) }

// Passages returns the passages of texts.
func Passages(texts []Text) []brain.Passage {
	return brain.Map(texts, func(t Text) brain.Passage { return t.passage })
}

// saturated returns the weight of counts. Each further occurrence adds less.
func (q *Query) saturated(counts []float64) (sum float64) {
	for i, c := range counts {
		sum += q.weights[i] * c / (c + saturation)
	}
	return sum
}

// nearness returns the sum of 1/gap² over the pairs of terms, with the smallest gap of each.
func nearness(places [][]int) (sum float64) {
	for i, a := range places {
		for _, b := range places[i+1:] {
			if gap := smallestGap(a, b); gap > 0 {
				sum += 1 / float64(gap*gap)
			}
		}
	}
	return sum
}

// smallestGap returns the smallest distance between two ascending lists, 0 if one is empty.
func smallestGap(a, b []int) int {
	gap := 0
	for len(a) > 0 && len(b) > 0 {
		if d := max(a[0]-b[0], b[0]-a[0]); gap == 0 || d < gap {
			gap = d
		}
		if a[0] < b[0] {
			a = a[1:]
		} else {
			b = b[1:]
		}
	}
	return gap
}

// Best returns the n texts whose own words match best. Ties are broken by id.
func Best(texts []Text, n int) []Text {
	best := slices.SortedFunc(slices.Values(texts), func(a, b Text) int {
		return cmp.Or(cmp.Compare(b.own, a.own), cmp.Compare(a.passage.ID, b.passage.ID))
	})
	return best[:min(len(best), n)]
}

// Rank returns candidates and their neighbours, best first, ties by id.
func (f Formula) Rank(q *Query, candidates, neighbours []Text) []Ranked {
	all := newSequence(candidates, neighbours)
	scores, best, bestOwn := make([]float64, len(all.texts)), 0.0, 0.0
	for i, t := range all.texts {
		scores[i] = q.saturated(f.withNeighbours(all, i))
		best, bestOwn = max(best, scores[i]), max(bestOwn, t.own)
	}
	if best == 0 && len(q.cosines) == 0 {
		return nil
	}
	best = cmp.Or(best, 1)
	groups := map[string]float64{}
	for i, t := range all.texts {
		scores[i] /= best
		groups[t.passage.Group] = max(groups[t.passage.Group], scores[i])
	}
	ranked := make([]Ranked, len(all.texts))
	for i, t := range all.texts {
		why := Terms{Words: scores[i], Near: f.Near * t.near, Group: f.Group * scores[i]}
		if t.passage.Group != "" {
			why.Group = f.Group * groups[t.passage.Group]
		}
		if q.names(t.passage.Speaker) {
			why.Name = f.Name
		}
		if bestOwn > 0 {
			why.Answer = f.Answer * all.answers(i) / bestOwn
		}
		deviations, matches := q.compared(t.passage.ID)
		why.Vector = f.Vector * max(0, deviations)
		ranked[i] = Ranked{Passage: t.passage, Why: why, Matches: t.own > 0 || matches}
	}
	slices.SortFunc(ranked, func(a, b Ranked) int {
		return cmp.Or(cmp.Compare(b.Why.Score(), a.Why.Score()), cmp.Compare(a.ID, b.ID))
	})
	return ranked
}

// withNeighbours returns the counts of a text with the shares of its neighbours.
func (f Formula) withNeighbours(all sequence, i int) []float64 {
	counts := slices.Clone(all.texts[i].counts)
	add := func(at int, weight float64) {
		for n, c := range all.texts[at].counts {
			counts[n] += weight * c
		}
	}
	for before, d := all.before[i], 0; before >= 0 && d < Reach; before, d = all.before[before], d+1 {
		add(before, f.Before[d])
	}
	for after, d := all.after[i], 0; after >= 0 && d < Reach; after, d = all.after[after], d+1 {
		add(after, f.After[d])
	}
	return counts
}

// names reports whether a word of the query is the name of a speaker.
func (q *Query) names(speaker string) bool {
	return slices.ContainsFunc(words.ContentTerms(speaker), func(name string) bool {
		return !role(name) && slices.Contains(q.terms, name)
	})
}

// role reports whether the name of a speaker is a role.
func role(speaker string) bool {
	switch strings.ToLower(speaker) {
	case "user", "assist", "assistant", "system", "tool":
		return true
	}
	return false
}
