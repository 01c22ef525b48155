package recall

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/words"
)

const otherProject = 0.9 // factor on other projects, if one is preferred; it decides between about equal matches

// hit is a text that was found, with its score.
type hit struct {
	brain.Passage

	score float64
	why   Why
}

func (q Query) formula() Formula {
	if q.Formula != nil {
		return *q.Formula
	}
	return DefaultFormula()
}

// find searches notes, memories and, on request, transcripts, which come last among equal
// hits. It returns the words searched for, with their stand-ins.
func (q Query) find(r brain.Reader, at time.Time) ([]hit, words.Query, error) {
	asked, stats, err := q.withStandIns(r)
	if err != nil {
		return nil, asked, err
	}
	s := brain.SearchQuery{
		Words: asked, AsOf: q.AsOf, Types: q.Types, Tiers: q.Tiers, Tags: q.Tags, Project: q.Project, Since: q.Since, Until: q.Until,
		Limit: max(Candidates, q.Limit), Reranked: true, NoSections: !q.AsOf.IsZero(),
	}
	if q.ActiveOnly {
		s.ActiveOnly = at
	}
	all, err := q.ranked(r, s, stats)
	if err != nil || !q.Transcripts || !q.AsOf.IsZero() {
		return all, asked, err
	}
	s.Transcripts = true
	if stats, err = r.Statistics(true, asked.Terms...); err != nil {
		return nil, asked, err
	}
	said, err := q.ranked(r, s, stats)
	all = append(all, said...)
	slices.SortStableFunc(all, func(a, b hit) int { return cmp.Compare(b.score, a.score) })
	return all[:min(len(all), q.Limit)], asked, err
}

// withStandIns returns the words of a query with stand-ins as further terms for those that
// occur in no text, and the statistics of all its terms.
func (q Query) withStandIns(r brain.Reader) (words.Query, brain.Statistics, error) {
	asked := q.Words
	stats, err := r.Statistics(false, asked.Terms...)
	if err != nil {
		return asked, stats, err
	}
	asked = asked.WithoutCompounds(func(compound string) bool { return q.Transcripts || stats.With[compound] > 0 })
	if q.NoStandIns {
		return asked, stats, nil
	}
	var unknown []string
	for _, term := range asked.Terms {
		if word := asked.Typed[term]; word != "" && stats.With[term] == 0 {
			unknown = append(unknown, word)
		}
	}
	if len(unknown) == 0 {
		return asked, stats, nil
	}
	others, err := r.StandIns(unknown...)
	if err != nil || len(others) == 0 {
		return asked, stats, err
	}
	weights := map[string]float64{}
	maps.Copy(weights, asked.Weights)
	asked.Terms, asked.Weights = slices.Clone(asked.Terms), weights
	for _, other := range others {
		if !slices.Contains(asked.Terms, other.Term) {
			asked.Terms, asked.Weights[other.Term] = append(asked.Terms, other.Term), other.Weight
		}
	}
	stats, err = r.Statistics(false, asked.Terms...)
	return asked, stats, err
}

// ranked returns the best answers of a search, with scores relative to the best.
func (q Query) ranked(r brain.Reader, s brain.SearchQuery, stats brain.Statistics) ([]hit, error) {
	hits, err := r.Search(s)
	if err != nil {
		return nil, err
	}
	near, err := q.nearest(r, s)
	if err != nil {
		return nil, err
	}
	asked := NewRanking(s.Words, stats)
	candidates := q.candidates(&asked, hits, near.Hits)
	if len(candidates) == 0 {
		return nil, nil
	}
	var neighbours []Text
	if s.AsOf.IsZero() {
		others, err := r.Neighbours(Reach, passagesOfTexts(candidates)...)
		if err != nil {
			return nil, err
		}
		neighbours = asked.ReadAll(others)
	}
	if len(near.Hits) > 0 {
		texts := passagesOfTexts(slices.Concat(candidates, neighbours))
		cosines, err := r.Cosines(*q.Vector, brain.Map(texts, func(p brain.Passage) string { return p.ID })...)
		if err != nil {
			return nil, err
		}
		asked.Compare(cosines, near.Spread, q.alike())
	}
	hits = append(hits, near.Hits...)
	filtered := len(q.Types)+len(q.Tiers)+len(q.Tags) > 0 || q.ActiveOnly || !q.Since.IsZero() || !q.Until.IsZero() || q.Project != nil || !q.AsOf.IsZero() // hits passed the filters, their neighbours may not
	var all []hit
	for _, found := range q.formula().Rank(&asked, candidates, neighbours) {
		h := hit{Passage: found.Passage, score: found.Why.Score(), why: Why{Terms: found.Why}}
		q.weigh(&h)
		h.why.Meaning = found.Near && !found.HasWord
		if (found.HasWord || found.Near) && (!filtered || hasHit(hits, found.ID)) {
			all = append(all, h)
		}
	}
	slices.SortStableFunc(all, func(a, b hit) int { return cmp.Compare(b.score, a.score) })
	for i := len(all) - 1; i >= 0; i-- {
		all[i].score /= all[0].score
	}
	return all[:min(len(all), 2*q.Limit)], nil // some may fall behind, see belowStanding
}

// weigh applies the factors on the score of a hit that depend on where it is.
func (q Query) weigh(h *hit) {
	if q.Prefer != "" && q.Project == nil && h.Project != "" && h.Project != q.Prefer {
		h.why.OtherProject = otherProject
		h.score *= otherProject
	}
	if isCollected(h.Group) {
		h.why.Collected = collectedFactor
		h.score *= collectedFactor
	}
}

// alike is the least cosine of an answer without a word of the query, see [Ranking.Compare]: an
// agent can tell a bad answer from a good one. The figures are from docs/recall.md.
func (q Query) alike() float64 {
	if q.ForAgent {
		return 0.12
	}
	return 0.16
}

// nearest returns the texts with the nearest vectors. Past texts and transcripts have none.
func (q Query) nearest(r brain.Reader, s brain.SearchQuery) (brain.Nearest, error) {
	if q.Vector == nil || q.formula().Vector == 0 || s.Transcripts || !s.AsOf.IsZero() || len(s.Words.Phrases) > 0 {
		return brain.Nearest{}, nil
	}
	return r.Nearest(*q.Vector, s)
}

// candidates returns the texts to be ranked: the best by words and the nearest by vector.
func (q Query) candidates(asked *Ranking, found, near []brain.Hit) []Text {
	others := slices.DeleteFunc(slices.Clone(near), func(h brain.Hit) bool { return hasHit(found, h.ID) })
	texts := bestOf(asked.ReadAll(passagesOf(found)), max(Candidates, q.Limit))
	return append(texts, asked.ReadAll(passagesOf(others))...)
}

func passagesOf(hits []brain.Hit) []brain.Passage {
	return brain.Map(hits, func(h brain.Hit) brain.Passage { return h.Passage })
}

func hasHit(hits []brain.Hit, id string) bool {
	return slices.ContainsFunc(hits, func(h brain.Hit) bool { return h.ID == id })
}
