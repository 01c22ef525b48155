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
	// maxWords is the maximum number of words in a query of the index; Lucene takes 1,024
	// clauses.
	maxWords = 500
	// firstFetch is the minimum number of hits that the index is asked for, before
	// the filter, if the choice among hits of equal score matters.
	firstFetch = 100
	// maxTies limits the search for hits of equal score.
	maxTies = 5000
)

// searchCypher asks the index for words.
//
// It filters the hits of the index, and also returns the scores of the other hits, because the
// lowest one shows how far the search has come.
const searchCypher = `CALL db.index.fulltext.queryNodes($index, $query, {limit: $fetch}) YIELD node, score
WITH node AS n, score
WITH n, score, ` + passes + ` AS passes
` + returnHits

const (
	// passes is the filter of a search.
	passes = `n.brain = $brain AND ($sections OR NOT n:Section)
  AND ($since IS NULL OR coalesce(n.modified, n.created) >= $since)
  AND ($until IS NULL OR coalesce(n.modified, n.created) < $until)
  AND ($projects IS NULL OR coalesce(n.project, '') IN $projects)
  AND ($types IS NULL OR n.memoryType IN $types OR n:Section AND $sectionType IN $types)
  AND ($tiers IS NULL OR n.tier IN $tiers)
  AND ($tags IS NULL OR all(tag IN $tags WHERE tag IN n.tags)) AND ($model IS NULL OR n.vectorModel = $model)
  AND (n:Section OR $active IS NULL OR n.tier <> 'expired' AND (n.expiresAt IS NULL OR n.expiresAt > $active))
  AND (n:Section OR $asOf IS NULL OR (n.validFrom IS NULL OR n.validFrom <= $asOf)
       AND (n.validTo IS NULL OR n.tier = 'expired' OR n.validTo > $asOf))`

	returnHits = `RETURN n.id AS id, n:Section AS section, score, passes, n.memoryType AS memoryType, n.project AS project,
  CASE WHEN $passages AND passes THEN ` + node + ` END AS node`
)

// Search asks the index for the best hits, and for more if the filter leaves too
// few of them.
func (t *tx) Search(q brain.SearchQuery) ([]brain.Hit, error) {
	if q.Rare {
		stats, err := t.Statistics(q.Transcripts, q.Words.Terms...)
		if err != nil {
			return nil, err
		}
		q.Words.Terms = stats.Rare(q.Words.Terms)
	}
	query := t.store.lucene(q)
	if query == "" || q.Limit <= 0 {
		return nil, nil
	}
	limit := q.Limit
	if q.Reranked { // Lucene rounds the lengths of texts
		limit *= 2
	}
	fetch := 2 * q.Limit
	if q.Share == 0 && !q.Rare { // hits that tie with the last one are needed too
		fetch = max(fetch, firstFetch)
	}
	for ; ; fetch *= 8 {
		params := searchParams(q)
		params["query"], params["fetch"] = query, fetch
		rows, hits, err := t.hits(searchCypher, params)
		if err != nil {
			return nil, err
		}
		if len(rows) < fetch || len(hits) >= limit && (q.Share > 0 || q.Rare || q.Reranked || enough(hits, rows, limit)) {
			return hits[:min(len(hits), limit)], nil
		}
	}
}

func searchParams(q brain.SearchQuery) map[string]any {
	index := wordsIndex
	if q.Transcripts {
		index = talkIndex
	}
	var projects any // nil: all
	if q.Project != nil && q.Shared {
		projects = []string{*q.Project, ""}
	} else if q.Project != nil {
		projects = []string{*q.Project}
	}
	return map[string]any{
		"index": index, "model": nil, "sectionType": brain.SectionType,
		"types": listParam(q.Types), "tiers": listParam(q.Tiers), "tags": listParam(q.Tags), "projects": projects,
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

// hits runs a query that ends with returnHits. It returns its rows, and the hits that pass,
// best first, ties by id.
func (t *tx) hits(cypher string, params map[string]any) (rows []*driver.Record, hits []brain.Hit, err error) {
	rows, err = t.query(cypher, params)
	for _, r := range rows {
		h := brain.Hit{
			ID: value[string](r, 0), Section: value[bool](r, 1), Score: score(r),
			MemoryType: value[string](r, 4), Project: value[string](r, 5),
		}
		readable := true
		if p := value[props](r, 6); p != nil {
			h.Passage, readable = passage(p, h.Section)
		}
		if value[bool](r, 3) && readable && h.ID != "" {
			hits = append(hits, h)
		}
	}
	slices.SortFunc(hits, func(a, b brain.Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.ID, b.ID))
	})
	return rows, hits, err
}

func score(r *driver.Record) float64 { return value[float64](r, 2) }

// enough reports whether the first limit hits are the best: hits that the index has
// not returned yet could have the same score as the last of them, and a lower id.
func enough(hits []brain.Hit, rows []*driver.Record, limit int) bool {
	least := slices.MinFunc(rows, func(a, b *driver.Record) int { return cmp.Compare(score(a), score(b)) })
	return len(rows) >= maxTies || hits[limit-1].Score > score(least)
}

// lucene returns the query of Lucene for a search, "" if there is nothing to find.
func (s *Store) lucene(q brain.SearchQuery) string {
	field := wordsKey
	if q.Transcripts {
		field = talkKey
	}
	query := s.clause(q)
	for _, p := range q.Words.Phrases {
		query += " +" + quoted(field, strings.Join(p, " "))
	}
	var clauses []string
	for _, term := range q.Words.Terms[:min(len(q.Words.Terms), maxWords)] {
		clause := quoted(field, term)
		if weight := q.Words.Weight(term); weight != 1 {
			clause += "^" + strconv.FormatFloat(weight, 'f', 4, 64)
		}
		clauses = append(clauses, clause)
	}
	switch {
	case len(clauses) > 0:
		return query + " +(" + strings.Join(clauses, " ") + ")"
	case len(q.Words.Phrases) > 0:
		return query
	}
	return ""
}

// clause returns the clause that every text must match that a search covers: the brain and,
// unless the search is of the past, that it is current. It adds nothing to the score.
func (s *Store) clause(q brain.SearchQuery) string {
	switch {
	case q.Transcripts:
		return "+" + quoted(talkScopeKey, s.scope(true)) + "^0"
	case q.AsOf.IsZero():
		return "+" + quoted(scopeKey, s.scope(true)) + "^0"
	}
	return "+(" + quoted(scopeKey, s.scope(true)) + " " + quoted(scopeKey, s.scope(false)) + ")^0"
}

// quoted returns the clause for a term or a phrase in a field. Terms have no character with a
// meaning to Lucene, and are quoted anyway.
func quoted(field, terms string) string {
	return field + `:"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(terms) + `"`
}

const asPassages = ` RETURN ` + node + `, n:Section`

// neighboursCypher finds some nodes on each side of places in groups.
func neighboursCypher() string {
	near := func(label, condition, side, order string) string {
		return `MATCH (n:` + label + `) WHERE n.brain = $brain AND n.group = p.group AND n.position ` + side + `= p.position` + condition +
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

// Neighbours reads the indexes over groups.
func (t *tx) Neighbours(reach int, of ...brain.Passage) ([]brain.Passage, error) {
	known := map[string]bool{}
	var places []any
	for _, p := range of {
		known[p.ID] = true
		if p.Group != "" {
			places = append(places, map[string]any{"group": p.Group, "position": p.Position, "id": p.ID})
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
func (t *tx) passages(cypher string, params map[string]any) (all []brain.Passage, err error) {
	rows, err := t.query(cypher, params)
	for _, r := range rows {
		if p, readable := passage(value[props](r, 0), value[bool](r, 1)); readable && p.ID != "" {
			all = append(all, p)
		}
	}
	return all, err
}

// passage returns that of a node.
func passage(p props, section bool) (_ brain.Passage, readable bool) {
	if section {
		var s brain.Section
		err := decode(p, s.Fields())
		return s.Passage(), err == nil
	}
	var m brain.Memory
	err := decode(p, m.Fields())
	return m.Passage(), err == nil
}
