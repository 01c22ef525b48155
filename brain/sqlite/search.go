package sqlite

import (
	"cmp"
	"slices"

	"github.com/brainbridge/brainbridge/brain"
)

// effort bounds what one round of a search reads. If filters leave too few hits,
// a wider round follows, until everything was read.
type effort struct {
	postings   int  // docs read of one word; a word in more of them is frequent
	total      int  // docs read of all words that find
	candidates int  // docs scored exactly
	first      int  // docs read of a word to see how frequent it is
	long       bool // a statement may take more than some milliseconds
}

// effortFor returns the effort for a part of the index with this many docs. The
// numbers were measured with 100,000 and 1,000,000 memories: reading a doc of a
// word takes about 0.15 µs, scoring one 2 µs.
func effortFor(docs float64, times int, share float64) effort {
	postings := min(max(int(docs)/50, 10_000), 50_000) * times
	e := effort{postings: postings, total: postings * 5 / 2, candidates: brain.MaxCounted * times, first: brain.MaxCounted * times, long: times > 1}
	if share > 0 {
		e.first = postings // each word is read to that number in any case
	}
	return e
}

// wider is how much more the next round of a search reads.
const wider = 8

// Search finds the best hits.
//
// FTS5's own ranking is not used because it reads every doc of every word, at 2 µs
// each. Instead, the finding words give lists of docs (one cheap aggregate each),
// the docs with the rarest words are scored by BM25 from their stored counts, and
// the best of those are looked up and filtered until Limit is reached.
func (t *tx) Search(q brain.SearchQuery) ([]brain.Hit, error) {
	finding := findingTerms(q.Words)
	if len(finding) == 0 || q.Limit <= 0 {
		return nil, nil
	}
	for times := 1; ; times *= wider {
		hits, complete, err := t.round(q, finding, times)
		if err != nil {
			return nil, err
		}
		if complete || len(hits) == q.Limit {
			return hits, nil
		}
	}
}

// round searches with a multiple of the first effort. It is complete when more
// effort cannot find more.
func (t *tx) round(q brain.SearchQuery, finding []string, times int) ([]brain.Hit, bool, error) {
	s, err := t.scopeOf(q, times)
	if err != nil {
		return nil, false, err
	}
	terms, err := s.terms(finding, q.Words)
	if err != nil {
		return nil, false, err
	}
	c, err := s.candidates(terms, q.Share)
	if err != nil {
		return nil, false, err
	}
	weights := weightsOf(terms, s.docs)
	wanted := s.e.candidates
	if c.finding == 1 { // nothing tells its docs apart before they are scored
		wanted = brain.MaxCounted * times
	}
	docs, all := best(c.lists, weights, leastWeight(weights[:len(terms)], c.finding, q.Share), wanted)
	scored, err := s.score(docs, terms, weights)
	if err != nil {
		return nil, false, err
	}
	hits, err := t.resolve(scored, q)
	return hits, all && !c.truncated, err
}

// resolve looks up the nodes of docs, best first, and keeps those that pass
// the filter, until there are Limit.
func (t *tx) resolve(docs []scoredDoc, q brain.SearchQuery) ([]brain.Hit, error) {
	all := lookups(q)
	var hits []brain.Hit
	for size := q.Limit + q.Limit/4 + 8; len(docs) > 0 && len(hits) < q.Limit; size *= 4 {
		n := endOfTies(docs, size)
		some, err := t.hits(docs[:n], all)
		if err != nil {
			return nil, err
		}
		hits = append(hits, some...)
		docs = docs[n:]
	}
	return hits[:min(len(hits), q.Limit)], nil
}

// endOfTies returns n, or the next place where a lower score begins: docs with the
// same score are ordered by the id of their node.
func endOfTies(docs []scoredDoc, n int) int {
	if n >= len(docs) {
		return len(docs)
	}
	for n < len(docs) && docs[n].score == docs[n-1].score {
		n++
	}
	return n
}

// lookup is a query for the memories, or the sections, of docs.
type lookup struct {
	section bool
	query   string
	args    []any
}

// lookups returns the queries for the nodes that pass the filter of a search.
func lookups(q brain.SearchQuery) []lookup {
	m := memoryConditions(q)
	all := []lookup{{
		query: `SELECT j.value, m.id, m.memory_type, m.project FROM json_each(?) j CROSS JOIN memory m ON m.doc = j.value` + m.where(),
		args:  m.args,
	}}
	if s, some := sectionConditions(q); some {
		all = append(all, lookup{
			section: true,
			query:   `SELECT j.value, m.id, '', m.project FROM json_each(?) j CROSS JOIN section m ON m.doc = j.value` + s.where(),
			args:    s.args,
		})
	}
	return all
}

// hits looks up docs. No score of theirs may be that of a later doc.
func (t *tx) hits(docs []scoredDoc, all []lookup) (hits []brain.Hit, err error) {
	type row struct {
		doc int64
		hit brain.Hit
	}
	dest := func(n *row) []any { return []any{&n.doc, &n.hit.ID, &n.hit.MemoryType, &n.hit.Project} }
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
		found, err := keyed(t, dest, l.query, append([]any{distinctJSON(ids)}, l.args...)...)
		if err != nil {
			return nil, err
		}
		for _, n := range found {
			n.hit.Section, n.hit.Score = l.section, scores[n.doc]
			hits = append(hits, n.hit)
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
	if q.Project != nil {
		c.add("m.project = ?", *q.Project)
	}
	c.addIf(!q.Since.IsZero(), "m.created >= ?", millis(q.Since))
	c.addIf(!q.Until.IsZero(), "m.created < ?", millis(q.Until))
	return c
}

// sectionConditions returns the filter for sections, which have neither tier nor tags
// and do not expire; some is false if no section can pass.
func sectionConditions(q brain.SearchQuery) (c conditions, some bool) {
	otherType := len(q.Types) > 0 && !slices.Contains(q.Types, brain.SectionType)
	none := q.NoSections && !q.Transcripts || otherType || len(q.Tiers) > 0 || len(q.Tags) > 0
	if q.Project != nil {
		c.add("m.project = ?", *q.Project)
	}
	c.addIf(!q.Since.IsZero(), "m.modified >= ?", millis(q.Since))
	c.addIf(!q.Until.IsZero(), "m.modified < ?", millis(q.Until))
	return c, !none
}
