package recall

import (
	"cmp"
	"math"
	"slices"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/words"
)

const (
	saturation = 0.9  // frequency at which a word has half of its weight
	lengthPart = 0.75 // part of the frequency of a word that depends on the length of the text

	// enough is the share of the weight of a query that makes its words believed: then a text
	// that is only near in meaning is no answer.
	enough = 0.75

	// Candidates is the number of texts that are ranked, without their neighbours.
	Candidates = 50
	// Reach is the number of neighbours on each side of a text that add to its score.
	Reach = 2
)

// Formula has the weights of the parts of a score. A weight of 0 switches a part off.
type Formula struct {
	Before, After [Reach]float64 // of the words of neighbours, the nearest first
	Vector        float64        // of the cosine, in standard deviations, for a query without a word that a text has
}

// DefaultFormula returns the formula that recall uses.
func DefaultFormula() Formula {
	return Formula{Before: [Reach]float64{0.25, 0.15}, After: [Reach]float64{0.12, 0.08}, Vector: 1.5}
}

// Terms has the parts of a score. Words is between 0 and 1, Vector is what it adds.
type Terms struct {
	Words  float64 `json:"words"`            // with those of its neighbours
	Vector float64 `json:"vector,omitempty"` // 0 for a text whose cosine is below the mean
}

// Score returns the sum of the parts.
func (t Terms) Score() float64 { return t.Words + t.Vector }

// Ranked is a text with its score.
type Ranked struct {
	brain.Passage

	Why Terms
	// HasWord says that it has a word of the query itself, Near that its vector is near that of
	// the query. A text without either is no answer.
	HasWord, Near bool
}

// Ranking is what a text is compared with: terms with their weights.
type Ranking struct {
	terms   []string
	finder  *words.Finder
	weights []float64 // inverse document frequency, lower for stand-ins
	standIn []bool    // whether the term replaces one that no text has
	mean    float64   // length of a text
	cosines map[string]float64
	spread  brain.Spread // of cosines
	alike   float64      // see [Ranking.Compare]
}

// Compare adds the cosines of texts by id, and their spread. Others count as average. alike is
// the cosine from which a text without a word of the query is an answer, as a fraction of the
// way from the mean to 1.
func (q *Ranking) Compare(cosines map[string]float64, spread brain.Spread, alike float64) {
	q.cosines, q.spread, q.alike = cosines, spread, alike
}

// compared returns a cosine in standard deviations, and whether it is near by itself.
func (q *Ranking) compared(id string) (deviations float64, near bool) {
	cosine, known := q.cosines[id]
	if !known || q.spread.Deviation == 0 {
		return 0, false
	}
	above := cosine - q.spread.Mean
	return above / q.spread.Deviation, above >= q.alike*(1-q.spread.Mean)
}

// covered returns the largest share of the weight of the query that the words of one text have,
// between 0 and 1. A stand-in counts in the place of its word.
func (q *Ranking) covered(texts []Text) (most float64) {
	all := 0.0
	for i, w := range q.weights {
		if !q.standIn[i] {
			all += w
		}
	}
	for _, t := range texts {
		has := 0.0
		for i, c := range t.counts {
			if c > 0 {
				has += q.weights[i]
			}
		}
		most = max(most, has/cmp.Or(all, 1))
	}
	return min(most, 1)
}

// NewRanking returns a query with the weights that its terms have in a collection of texts.
func NewRanking(q words.Query, stats brain.Statistics) Ranking {
	out := Ranking{terms: q.Terms, finder: words.NewFinder(q.Terms)}
	records := float64(max(1, stats.Records))
	out.mean = max(1, float64(stats.Length)/records)
	for _, t := range q.Terms {
		_, standIn := q.Weights[t]
		out.standIn = append(out.standIn, standIn)
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
}

// Read returns a passage with the words of the query that it has.
func (q *Ranking) Read(p brain.Passage) Text {
	t := Text{passage: p, counts: make([]float64, len(q.terms))}
	length := 0
	for i, field := range []string{p.Text.Name, p.Text.Content, p.Text.Rest} {
		length += q.finder.Find(field, func(term int) {
			t.counts[term]++
			if i == 0 {
				t.counts[term]++ // a word in the name counts twice
			}
		})
	}
	norm := 1 - lengthPart + lengthPart*float64(length)/q.mean
	for i := range t.counts {
		t.counts[i] /= norm
	}
	t.own = q.saturated(t.counts)
	return t
}

// ReadAll is Read for several passages.
func (q *Ranking) ReadAll(passages []brain.Passage) []Text { return brain.Map(passages, q.Read) }

// passagesOfTexts returns the passages of texts.
func passagesOfTexts(texts []Text) []brain.Passage {
	return brain.Map(texts, func(t Text) brain.Passage { return t.passage })
}

// saturated returns the weight of counts. Each further occurrence adds less.
func (q *Ranking) saturated(counts []float64) (sum float64) {
	for i, c := range counts {
		sum += q.weights[i] * c / (c + saturation)
	}
	return sum
}

// bestOf returns the n texts whose own words match best. Ties are broken by id.
func bestOf(texts []Text, n int) []Text {
	best := slices.SortedFunc(slices.Values(texts), func(a, b Text) int {
		return cmp.Or(cmp.Compare(b.own, a.own), cmp.Compare(a.passage.ID, b.passage.ID))
	})
	return best[:min(len(best), n)]
}

// Rank returns candidates and their neighbours, best first, ties by id.
func (f Formula) Rank(q *Ranking, candidates, neighbours []Text) []Ranked {
	all := newSequence(candidates, neighbours)
	scores, best := make([]float64, len(all.texts)), 0.0
	for i := range all.texts {
		scores[i] = q.saturated(f.withNeighbours(all, i))
		best = max(best, scores[i])
	}
	if best == 0 && len(q.cosines) == 0 {
		return nil
	}
	best = cmp.Or(best, 1)
	covered := q.covered(candidates)
	ranked := make([]Ranked, len(all.texts))
	for i, t := range all.texts {
		deviations, near := q.compared(t.passage.ID)
		why := Terms{Words: scores[i] / best, Vector: f.Vector * (1 - covered) * (1 - covered) * max(0, deviations)}
		ranked[i] = Ranked{Passage: t.passage, Why: why, HasWord: t.own > 0, Near: near && covered < enough}
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
