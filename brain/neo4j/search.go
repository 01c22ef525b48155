package neo4j

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/tiers"
)

const (
	// maxWords is the maximum number of words in a query of the index, each of one
	// or two clauses; Lucene takes 1,024.
	maxWords = 300
	// maxQueries is the maximum number of queries for one search.
	maxQueries = 20
	// firstFetch is the minimum number of hits that the index is asked for, before
	// the filter, if the choice among hits of equal score matters.
	firstFetch = 100
	// maxTies limits the search for hits of equal score.
	maxTies = 5000
)

// searchCypher asks the index for words.
const searchCypher = `UNWIND $queries AS query
CALL db.index.fulltext.queryNodes($index, query, {limit: $fetch}) YIELD node, score
WITH node AS n, sum(score) AS score` + filterHits

// filterHits filters the hits of an index. It also returns the scores of the other hits,
// because the lowest one shows how far the search has come.
const filterHits = `
WITH n, score, n.brain = $brain AND ($sections OR NOT n:Section)
  AND ($since IS NULL OR coalesce(n.modified, n.created) >= $since)
  AND ($until IS NULL OR coalesce(n.modified, n.created) < $until)
  AND ($project IS NULL OR coalesce(n.project, '') = $project)
  AND ($types IS NULL OR n.memoryType IN $types OR n:Section AND $sectionType IN $types)
  AND ($tiers IS NULL OR n.tier IN $tiers)
  AND ($tags IS NULL OR all(tag IN $tags WHERE tag IN n.tags))
  AND (n:Section OR $active IS NULL OR n.tier <> 'expired' AND (n.expiresAt IS NULL OR n.expiresAt > $active))
  AND (n:Section OR $asOf IS NULL OR (n.validFrom IS NULL OR n.validFrom <= $asOf)
       AND (n.validTo IS NULL OR n.tier = 'expired' OR n.validTo > $asOf)) AS passes
RETURN n.id AS id, n:Section AS section, score, passes, n.memoryType AS memoryType, n.project AS project,
  CASE WHEN $passages AND passes THEN n.packed END AS packed`

// Search asks the index for the best hits, and for more if the filter leaves too
// few of them.
func (t *tx) Search(q brain.SearchQuery) ([]brain.Hit, error) {
	queries := t.store.vocabulary.lucene(q)
	if len(queries) == 0 || q.Limit <= 0 {
		return nil, nil
	}
	limit := q.Limit
	if q.Reranked { // Lucene rounds the lengths of texts
		limit *= 2
	}
	fetch := 2 * q.Limit
	if q.Share == 0 { // hits that tie with the last one are needed too
		fetch = max(fetch, firstFetch)
	}
	for ; ; fetch *= 8 {
		params := searchParams(q)
		params["queries"], params["fetch"] = queries, fetch
		rows, hits, err := t.hits(searchCypher, params)
		if err != nil {
			return nil, err
		}
		if len(rows) < fetch || len(hits) >= limit && (q.Share > 0 || q.Reranked || enough(hits, rows, limit)) {
			return hits[:min(len(hits), limit)], nil
		}
	}
}

// sharingCypher asks the index for the texts with each term, one more than it may have to be
// rare.
const sharingCypher = `CALL () { ` + readTexts + ` }
WITH CASE WHEN texts / 20 > 3 THEN texts / 20 ELSE 3 END AS most
UNWIND $queries AS query CALL (query, most) {
  CALL db.index.fulltext.queryNodes($index, query, {limit: most + 1}) YIELD node, score
  RETURN collect({node: node, score: score}) AS hits
}
WITH hits, most WHERE size(hits) <= most UNWIND hits AS hit
WITH hit.node AS n, sum(hit.score) AS score
WHERE n:Memory AND n.brain = $brain AND coalesce(n.project, '') IN ['', $project] AND n.tier IN $current
RETURN n.packed, score ORDER BY score DESC, n.id LIMIT $limit`

const readTexts = `MATCH (t:Tally) USING INDEX SEEK t:Tally(brain, id) WHERE t.brain = $brain AND t.id STARTS WITH 'words' RETURN sum(t.records) AS texts`

// SharingWords asks the index in one query.
func (t *tx) SharingWords(project string, limit int, terms ...string) ([]brain.Scored, error) {
	if len(terms) == 0 || limit <= 0 {
		return nil, nil
	}
	v := t.store.vocabulary
	params := map[string]any{
		"index": wordsIndex, "project": project, "current": tierNames(tiers.Tier.Current), "limit": limit,
		"queries": brain.Map(terms, func(term string) string { return v.current + ":" + v.quoted(term) }),
	}
	rows, err := fetchRows(t, memories(), sharingCypher, params, memories().anyRow)
	return brain.Map(rows, func(r found[brain.Memory]) brain.Scored {
		score, _ := r.row[0].(float64)
		return brain.Scored{Memory: r.value, Score: score}
	}), err
}

func searchParams(q brain.SearchQuery) map[string]any {
	index := wordsIndex
	if q.Transcripts {
		index = talkIndex
	}
	return map[string]any{
		"index": index, "sectionType": brain.SectionType,
		"types": listParam(q.Types), "tiers": listParam(q.Tiers), "tags": listParam(q.Tags), "project": projectParam(q.Project),
		"since": instant(q.Since), "until": instant(q.Until),
		"active": instant(q.ActiveOnly), "asOf": instant(q.AsOf), "sections": !q.NoSections || q.Transcripts, "passages": q.Reranked,
	}
}

// listParam returns a list as a parameter, nil for an empty one.
func listParam[T ~string](values []T) any {
	if len(values) == 0 {
		return nil
	}
	return brain.Map(values, func(v T) string { return string(v) })
}

// hits runs a query that ends with filterHits. It returns its rows, and the hits that pass,
// best first, ties by id.
func (t *tx) hits(cypher string, params map[string]any) (rows []*driver.Record, hits []brain.Hit, err error) {
	rows, err = t.read(cypher, params, func(rows []*driver.Record) (whole bool, err error) {
		if hits, whole, err = t.filtered(rows, params["passages"] == true); err != nil || !whole {
			return false, err
		}
		return named(0)(rows)
	})
	slices.SortFunc(hits, func(a, b brain.Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.ID, b.ID))
	})
	return rows, hits, err
}

// filtered returns the rows that pass as hits, and whether all have the passages that are
// wanted.
func (t *tx) filtered(rows []*driver.Record, passages bool) (hits []brain.Hit, whole bool, err error) {
	whole = true
	for _, r := range rows {
		if !value[bool](r, 3) {
			continue
		}
		h := brain.Hit{
			ID: value[string](r, 0), Section: value[bool](r, 1), Score: score(r),
			MemoryType: value[string](r, 4), Project: value[string](r, 5),
		}
		if passages {
			packed, ok := r.Values[6].([]byte)
			if !ok {
				whole = false
				continue
			}
			if h.Passage, err = t.passage(packed, h.Section); err != nil {
				return hits, false, err
			}
		}
		hits = append(hits, h)
	}
	return hits, whole, nil
}

func score(r *driver.Record) float64 { return value[float64](r, 2) }

// enough reports whether the first limit hits are the best: hits that the index has
// not returned yet could have the same score as the last of them, and a lower id.
func enough(hits []brain.Hit, rows []*driver.Record, limit int) bool {
	least := slices.MinFunc(rows, func(a, b *driver.Record) int { return cmp.Compare(score(a), score(b)) })
	return len(rows) >= maxTies || hits[limit-1].Score > score(least)
}

// lucene returns the queries of Lucene for a search, none if there is nothing to
// find. A very long one becomes several whose scores are added up, because BM25 is
// a sum over the words.
func (v vocabulary) lucene(q brain.SearchQuery) []string {
	var required strings.Builder
	room := maxWords
	for _, p := range q.Words.Phrases {
		p = p[:min(len(p), room-maxWords/2)] // half of the query is for single words
		if room -= len(p); len(p) > 0 {
			required.WriteString(" +(" + v.anywhere(q, strings.Join(p, " "), 1) + ")")
		}
	}
	terms := slices.DeleteFunc(slices.Clone(q.Words.Terms), func(term string) bool { return term == "" })
	if len(terms) == 0 && required.Len() > 0 {
		return []string{required.String()}
	}
	var queries []string
	for part := range slices.Chunk(terms[:min(len(terms), maxQueries*maxWords)], room) {
		var clauses strings.Builder
		for _, term := range part {
			clauses.WriteString(v.anywhere(q, term, q.Words.Weight(term)))
		}
		queries = append(queries, required.String()+" +("+clauses.String()+")")
	}
	return queries
}

// anywhere returns clauses with a weight for a term or a phrase in each field that the
// search covers.
func (v vocabulary) anywhere(q brain.SearchQuery, terms string, weight float64) string {
	matched := v.quoted(terms)
	if weight != 1 {
		matched += "^" + strconv.FormatFloat(weight, 'f', 4, 64)
	}
	switch {
	case q.Transcripts:
		return " " + v.talk + ":" + matched
	case q.AsOf.IsZero():
		return " " + v.current + ":" + matched
	}
	return " " + v.current + ":" + matched + " " + v.past + ":" + matched
}

// quoted returns a term or a phrase as Lucene reads it. Terms have no character with a
// meaning to Lucene, and are quoted anyway.
func (v vocabulary) quoted(terms string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(prefixed(v.prefix, terms)) + `"`
}

const (
	passagesCypher = `UNWIND $ids AS id MATCH (n:Memory {brain: $brain, id: id}) USING INDEX SEEK n:Memory(brain, id)` + asPassages + `
UNION ALL UNWIND $ids AS id MATCH (n:Section {brain: $brain, id: id}) USING INDEX SEEK n:Section(brain, id)` + asPassages
	asPassages = ` RETURN n.packed, n:Section`
)

// neighboursCypher finds some nodes on each side of places in groups.
func neighboursCypher() string {
	near := func(label, condition, side, order string) string {
		return `MATCH (n:` + label + `) WHERE n.brain = $brain AND n.groupKey = p.group AND n.position ` + side + `= p.position` + condition +
			` AND (n.position ` + side + ` p.position OR n.id ` + side + ` p.id)
  RETURN n ORDER BY n.position ` + order + `, n.id ` + order + ` LIMIT $reach`
	}
	const current = " AND n.tier IN $current"
	return `UNWIND $places AS p CALL (p) {
  ` + near(memoryLabel, current, "<", "DESC") + `
  UNION ALL ` + near(memoryLabel, current, ">", "") + `
  UNION ALL ` + near(sectionLabel, "", "<", "DESC") + `
  UNION ALL ` + near(sectionLabel, "", ">", "") + `
} WITH DISTINCT n` + asPassages
}

// Passages reads nodes of both labels by id.
func (t *tx) Passages(ids ...string) ([]brain.Passage, error) {
	return t.passages(passagesCypher, map[string]any{"ids": brain.Unique(ids)})
}

// Neighbours reads the indexes over groups.
func (t *tx) Neighbours(reach int, of ...brain.Passage) ([]brain.Passage, error) {
	known := map[string]bool{}
	var places []any
	for _, p := range of {
		known[p.ID] = true
		if p.Group != "" {
			places = append(places, map[string]any{"group": hashKey(p.Group), "position": p.Position, "id": p.ID})
		}
	}
	if len(places) == 0 {
		return nil, nil
	}
	params := map[string]any{"places": places, "current": tierNames(tiers.Tier.Current), "reach": reach}
	found, err := t.passages(neighboursCypher(), params)
	return slices.DeleteFunc(found, func(p brain.Passage) bool { return known[p.ID] }), err
}

// passages runs a query that returns memories and sections.
func (t *tx) passages(cypher string, params map[string]any) (found []brain.Passage, err error) {
	_, err = t.read(cypher, params, func(rows []*driver.Record) (bool, error) {
		found = nil
		for _, r := range rows {
			packed, ok := r.Values[0].([]byte)
			if !ok {
				continue
			}
			p, err := t.passage(packed, value[bool](r, 1))
			if err != nil {
				return false, err
			}
			found = append(found, p)
		}
		return len(found) == len(rows), nil
	})
	return found, err
}

// passage returns that of a packed node.
func (t *tx) passage(packed []byte, section bool) (brain.Passage, error) {
	if section {
		var s brain.Section
		err := t.unpacker.unpack(packed, s.Fields())
		return s.Passage(), err
	}
	var m brain.Memory
	err := t.unpacker.unpack(packed, m.Fields())
	return m.Passage(), err
}
