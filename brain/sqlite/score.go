package sqlite

import (
	"database/sql"
	"math"
)

// Parameters of BM25. K is the saturation of brain/rank, so that both agree on which
// texts are best.
const (
	bm25K = 0.9
	bm25B = 0.75
)

// weightsOf returns the weights of the bits of a mask: the inverse document frequency
// of each term as in Lucene's BM25, always above 0, and a third of it for a term in
// the name, about the difference that a count of 2 makes in BM25.
func weightsOf(terms []term, docs float64) []float64 {
	out := make([]float64, 2*maxTerms)
	for i, n := range terms {
		out[i] = n.factor * math.Log(1+(max(docs, n.df)-n.df+0.5)/(n.df+0.5))
		out[maxTerms+i] = out[i] / 3
	}
	return out
}

// leastWeight returns the weight that the finding terms of a wanted doc must have,
// assuming that it has all other terms.
func leastWeight(terms []float64, finding int, share float64) float64 {
	all, others := 0.0, 0.0
	for i, w := range terms {
		all += w
		if i >= finding {
			others += w
		}
	}
	return share*all - others
}

const countsQuery = `SELECT d.doc, d.section, d.size, d.counts
	FROM json_each(?) j CROSS JOIN doc d ON d.doc = j.value`

// scoredDoc is a candidate with its score.
type scoredDoc struct {
	doc     int64
	section bool
	score   float64
}

// score ranks docs by BM25 over all terms, best first, ties by highest number.
func (s scope) score(docs []int64, terms []term, weights []float64) ([]scoredDoc, error) {
	ctx := s.t.ctx
	if !s.e.long {
		ctx = brief(ctx)
	}
	type counted struct {
		scoredDoc
		size   float64
		counts sql.RawBytes
	}
	dest := func(c *counted) []any { return []any{&c.doc, &c.section, &c.size, &c.counts} }
	out := make([]scoredDoc, 0, len(docs))
	err := scan(ctx, s.t, dest, countsQuery, []any{distinctJSON(docs)}, func(c counted) error {
		norm := bm25K * (1 - bm25B + bm25B*c.size/s.average)
		for i := range terms {
			if tf := float64(count(c.counts, terms[i].hash)); tf > 0 {
				c.score += weights[i] * tf * (bm25K + 1) / (tf + norm)
			}
		}
		out = append(out, c.scoredDoc)
		return nil
	})
	return byScore(out), err
}
