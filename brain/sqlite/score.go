package sqlite

import (
	"math"
	"slices"
)

// Parameters of BM25. K is the saturation of brain/rank, so that both agree on which
// texts are best.
const (
	bm25K = 0.9
	bm25B = 0.75
)

// match is a row that has some of the words, with its score and the weight of those.
type match struct {
	row           int64
	score, weight float64
}

// score returns the rows with the words by BM25, without those whose words have less than a
// share of the weight of all.
func (s scope) score(terms []term, share float64) []match {
	var norms [sizeClasses]float64 // what is added to the count of a word, by the class of the size of a doc
	for class := range norms {
		norms[class] = bm25K * (1 - bm25B + bm25B*classSize(class)/s.average)
	}
	var all, spare []match
	whole := 0.0
	for _, n := range terms {
		// The inverse document frequency as in Lucene's BM25, always above 0.
		weight := n.factor * math.Log(1+(max(s.docs, n.df())-n.df()+0.5)/(n.df()+0.5))
		whole += weight
		all, spare = addMatches(spare[:0], all, n.list, func(p posting) match {
			count := float64(p.count)
			return match{p.row, weight * count * (bm25K + 1) / (count + norms[p.row&(sizeClasses-1)]), weight}
		}), all
	}
	return slices.DeleteFunc(all, func(m match) bool { return m.weight < share*whole })
}

// addMatches appends the matches of a list and earlier ones to a slice, those of a row added
// up. All are in the order of the rows.
func addMatches(to, earlier []match, list []posting, of func(posting) match) []match {
	to = slices.Grow(to, len(earlier)+len(list))
	for _, p := range list {
		for len(earlier) > 0 && earlier[0].row < p.row {
			to = append(to, earlier[0])
			earlier = earlier[1:]
		}
		m := of(p)
		if len(earlier) > 0 && earlier[0].row == p.row {
			m.score += earlier[0].score
			m.weight += earlier[0].weight
			earlier = earlier[1:]
		}
		to = append(to, m)
	}
	return append(to, earlier...)
}
