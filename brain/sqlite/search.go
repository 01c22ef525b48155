package sqlite

import (
	"cmp"
	"math"
	"slices"

	"github.com/brainbridge/brainbridge/brain"
)

// Search finds the best hits.
//
// FTS5's own ranking is not used because it takes 2 µs a doc. The lists of all finding words
// are read, which takes 20 ns a doc; they say all that BM25 needs. Then the best docs are
// looked up and filtered until Limit is reached.
func (t *tx) Search(q brain.SearchQuery) ([]brain.Hit, error) {
	if q.Words.Empty() || q.Limit <= 0 {
		return nil, nil
	}
	s, err := t.scopeOf(q)
	if err != nil {
		return nil, err
	}
	terms, err := s.terms(q.Words, q.Reranked)
	if err != nil {
		return nil, err
	}
	all, err := s.withPhrases(s.score(terms, q.Share), q.Words.Phrases)
	if err != nil {
		return nil, err
	}
	docs := brain.Map(all, func(m match) scoredDoc {
		doc, section := docOf(m.row)
		return scoredDoc{doc, section, m.score}
	})
	return t.resolve(docs, q)
}

type scoredDoc struct {
	doc     int64
	section bool
	score   float64
}

// resolve looks up the nodes of docs, best first, and keeps those that match the filters,
// until there are Limit of them.
func (t *tx) resolve(docs []scoredDoc, q brain.SearchQuery) ([]brain.Hit, error) {
	all := lookups(q)
	var hits []brain.Hit
	for size := q.Limit + q.Limit/8 + 2; len(docs) > 0 && len(hits) < q.Limit; size *= 4 {
		var best []scoredDoc
		best, docs = split(docs, size)
		some, err := t.hits(best, all)
		if err != nil {
			return nil, err
		}
		hits = append(hits, some...)
	}
	return hits[:min(len(hits), q.Limit)], nil
}

// split moves the n best docs to the front, and with them others that have the score of the
// last: docs with the same score are ordered by the id of their node.
func split(docs []scoredDoc, n int) (best, rest []scoredDoc) {
	if n >= len(docs) {
		return docs, nil
	}
	least, front := leastScore(docs, n), 0
	for i, d := range docs {
		if d.score >= least {
			docs[i], docs[front] = docs[front], d
			front++
		}
	}
	return docs[:front], docs[front:]
}

func leastScore(docs []scoredDoc, n int) float64 {
	top := make([]float64, 0, n+1) // ascending
	for _, d := range docs {
		if len(top) == n && d.score <= top[0] {
			continue
		}
		at, _ := slices.BinarySearch(top, d.score)
		top = slices.Insert(top, at, d.score)
		if len(top) > n {
			top = slices.Delete(top, 0, 1)
		}
	}
	return top[0]
}

// lookup is a query for the memories, or the sections, of docs, and for their passages if
// these are wanted.
type lookup struct {
	section, passages bool
	query             string
	args              []any
}

// lookups returns the queries for the nodes that pass the filter of a search.
func lookups(q brain.SearchQuery) []lookup {
	const short = "m.id, m.project FROM "
	memory, section := short, short
	if q.Reranked {
		memory, section = memoryPassage, sectionPassage
	}
	m := memoryConditions(q)
	all := []lookup{{
		passages: q.Reranked, args: m.args,
		query: "SELECT j.value, m.memory_type, " + memory + "json_each(?) j CROSS JOIN memory m ON m.doc = j.value WHERE " + m.String(),
	}}
	if s, some := sectionConditions(q); some {
		all = append(all, lookup{
			section: true, passages: q.Reranked, args: s.args,
			query: "SELECT j.value, '', " + section + "json_each(?) j CROSS JOIN section m ON m.doc = j.value WHERE " + s.String(),
		})
	}
	return all
}

type foundRow struct {
	doc  int64
	kind string
	text passageRow
}

func (l lookup) dest(r *foundRow) []any {
	if l.passages {
		return append([]any{&r.doc, &r.kind}, r.text.dest()...)
	}
	return []any{&r.doc, &r.kind, &r.text.memory.ID, &r.text.memory.Project}
}

func (l lookup) hit(r *foundRow, score float64) brain.Hit {
	h := brain.Hit{ID: r.text.memory.ID, Section: l.section, MemoryType: r.kind, Project: r.text.memory.Project, Score: score}
	if l.passages {
		h.Passage = r.text.passage()
	}
	return h
}

// hits looks up docs. No score of theirs may be that of a later doc.
func (t *tx) hits(docs []scoredDoc, all []lookup) (hits []brain.Hit, err error) {
	for _, l := range all {
		scores := map[int64]float64{}
		var ids []int64
		for _, d := range docs {
			if d.section == l.section {
				scores[d.doc] = d.score
				ids = append(ids, d.doc)
			}
		}
		if len(ids) == 0 {
			continue
		}
		args := append([]any{distinctJSON(ids)}, l.args...)
		err := scan(brief(t.ctx), t, l.dest, l.query, args, func(r foundRow) error {
			hits = append(hits, l.hit(&r, scores[r.doc]))
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	slices.SortFunc(hits, func(a, b brain.Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.ID, b.ID))
	})
	return hits, nil
}

// memoryConditions returns the filter of a search for memories. The unary plus
// keeps SQLite from using an index on the column: rows are found by doc alone.
func memoryConditions(q brain.SearchQuery) (c conditions) {
	if q.AsOf.IsZero() {
		c.add("+" + isCurrent)
	} else {
		at := q.AsOf.UnixMilli()
		c.add("(m.valid_from IS NULL OR m.valid_from <= ?)", at)
		c.add("(m.valid_to IS NULL OR m.valid_to > ? OR +m.tier = 'expired')", at)
	}
	if !q.ActiveOnly.IsZero() {
		c.add("+m.tier <> 'expired' AND (m.expires_at IS NULL OR m.expires_at > ?)", q.ActiveOnly.UnixMilli())
	}
	c.addIf(len(q.Types) > 0, "m.memory_type IN (SELECT value FROM json_each(?))", asJSON(q.Types))
	c.addIf(len(q.Tiers) > 0, "+m.tier IN (SELECT value FROM json_each(?))", asJSON(q.Tiers))
	c.addIf(len(q.Tags) > 0, `NOT EXISTS (SELECT 1 FROM json_each(?) w
		WHERE w.value NOT IN (SELECT g.value FROM json_each(m.tags) g))`, asJSON(q.Tags))
	c.ofProject(q.Project)
	c.addIf(!q.Since.IsZero(), "m.created >= ?", millis(q.Since))
	c.addIf(!q.Until.IsZero(), "m.created < ?", millis(q.Until))
	return c
}

// sectionConditions returns the filter for sections, which have neither tier nor tags
// and do not expire; some is false if no section can pass.
func sectionConditions(q brain.SearchQuery) (c conditions, some bool) {
	otherType := len(q.Types) > 0 && !slices.Contains(q.Types, brain.SectionType)
	none := q.NoSections && !q.Transcripts || otherType || len(q.Tiers) > 0 || len(q.Tags) > 0
	c.add("m.transcript = ?", q.Transcripts)
	c.ofProject(q.Project)
	c.addIf(!q.Since.IsZero(), "m.modified >= ?", millis(q.Since))
	c.addIf(!q.Until.IsZero(), "m.modified < ?", millis(q.Until))
	return c, !none
}

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
