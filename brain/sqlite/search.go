package sqlite

import (
	"cmp"
	"slices"

	"github.com/brainbridge/brainbridge/brain"
)

// Search ranks by FTS5's BM25.
func (t *tx) Search(q brain.SearchQuery) ([]brain.Hit, error) {
	if q.Words.Empty() || q.Limit <= 0 {
		return nil, nil
	}
	expression, err := t.expression(q)
	if err != nil || expression == "" {
		return nil, err
	}
	most := q.Limit
	if q.Reranked { // by other parameters than those of FTS5
		most *= 2
	}
	return t.resolve(q, most, func(n int) ([]scoredDoc, error) { return t.best(q.Transcripts, expression, n) })
}

// resolve returns the nodes of the best docs that pass the filters of a search, at least its
// limit if there are so many. best returns the n best docs; more are asked for while too few
// pass, or while others have the score of the last hit, because those are ordered by the id of
// their node.
func (t *tx) resolve(q brain.SearchQuery, most int, best func(n int) ([]scoredDoc, error)) ([]brain.Hit, error) {
	n := 2 * q.Limit
	if q.Reranked {
		n = most
	}
	for ; ; n *= 8 {
		docs, err := best(n)
		if err != nil {
			return nil, err
		}
		hits, err := t.hits(docs, q)
		if err != nil {
			return nil, err
		}
		full := len(hits) >= q.Limit && (q.Reranked || q.Rare || q.Share > 0 || hits[q.Limit-1].Score > docs[len(docs)-1].score)
		if full || len(docs) < n {
			return hits[:min(len(hits), most)], nil
		}
	}
}

// lookup is a query for the passages and types of docs.
type lookup struct {
	query string
	args  []any // after the docs
}

// lookups returns the queries for the nodes that pass the filter of a search.
func lookups(brainNo int64, q brain.SearchQuery) []lookup {
	m := memoryConditions(q)
	all := []lookup{{
		"SELECT m.memory_type, " + memoryPassage + "json_each(?) j CROSS JOIN memory m ON m.brain = ? AND m.doc = j.value WHERE " + m.String(),
		append([]any{brainNo}, m.args...),
	}}
	if s, some := sectionConditions(q); some {
		all = append(all, lookup{"SELECT '', " + sectionPassage + "json_each(?) j CROSS JOIN section m ON m.doc = j.value WHERE " + s.String(), s.args})
	}
	return all
}

// hits looks up docs.
func (t *tx) hits(docs []scoredDoc, q brain.SearchQuery) (hits []brain.Hit, err error) {
	scores := map[int64]float64{}
	for _, d := range docs {
		scores[d.doc] = d.score
	}
	ids := distinctJSON(brain.Map(docs, func(d scoredDoc) int64 { return d.doc }))
	type row struct {
		kind string
		text passageRow
	}
	dest := func(r *row) []any { return append([]any{&r.kind}, r.text.dest()...) }
	for _, l := range lookups(t.s.brain, q) {
		found, err := collect(t, dest, l.query, append([]any{ids}, l.args...)...)
		if err != nil {
			return nil, err
		}
		for _, r := range found {
			p := r.text.passage()
			h := brain.Hit{ID: p.ID, Section: p.Section, MemoryType: r.kind, Project: p.Project, Score: scores[r.text.doc]}
			if q.Reranked {
				h.Passage = p
			}
			hits = append(hits, h)
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
		WHERE w.value NOT IN (SELECT g.value FROM json_each(`+soundTags+`) g))`, asJSON(q.Tags))
	c.ofProject(q.Project, q.Shared)
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
	c.ofProject(q.Project, q.Shared)
	c.addIf(!q.Since.IsZero(), "m.modified >= ?", millis(q.Since))
	c.addIf(!q.Until.IsZero(), "m.modified < ?", millis(q.Until))
	return c, !none
}
