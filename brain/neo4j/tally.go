package neo4j

import (
	"math"

	"github.com/brainbridge/brainbridge/brain"
)

// The number and the lengths of all texts, which ranking needs, are counted by every
// write. One counter would make all writers wait for each other, so there are some, each
// for a share of the transactions; the sum of them is right.
const (
	tallyLabel = "Tally"
	tallies    = 64
)

// Parts of queries that change texts in the index: keepLength precedes the change of n,
// tallied follows it, and tallyDeleted deletes n.
const (
	keepLength   = " WITH n, row, n.length AS before"
	tallied      = " WITH coalesce(n.transcript, false) AS talk, sum(coalesce(n.length, 0) - coalesce(before, 0)) AS length, count(n.length) - count(before) AS records" + addTally
	tallyDeleted = " WITH n, n.length AS before, coalesce(n.transcript, false) AS talk DETACH DELETE n WITH talk, -sum(coalesce(before, 0)) AS length, -count(before) AS records" + addTally

	addTally = " MERGE (t:Tally {brain: $brain, id: CASE WHEN talk THEN 'talk' ELSE 'words' END + $tally}) " +
		"SET t.records = coalesce(t.records, 0) + records, t.length = coalesce(t.length, 0) + length"
)

// searched reports whether nodes with this label are in the full-text indexes.
func searched(label string) bool { return label == memoryLabel || label == sectionLabel }

const (
	readTally = `MATCH (t:Tally) USING INDEX SEEK t:Tally(brain, id) WHERE t.brain = $brain AND t.id STARTS WITH $kind RETURN sum(t.records), sum(t.length)`
	countWith = `UNWIND range(0, size($queries) - 1) AS i CALL (i) {
  CALL db.index.fulltext.queryNodes($index, $queries[i], {limit: $limit}) YIELD node, score
  RETURN count(*) AS texts, collect(score)[0] AS score, collect(node)[0] AS first
} RETURN texts, score, first.length, size([term IN split(first[$field], ' ') WHERE term = $terms[i]])`
)

// Statistics reads the tallies and counts the texts with each term.
func (t *tx) Statistics(transcripts bool, terms ...string) (brain.Statistics, error) {
	stats := brain.Statistics{With: make(map[string]int, len(terms))}
	v := t.store.vocabulary
	index, field, kind := wordsIndex, v.current, "words"
	if transcripts {
		index, field, kind = talkIndex, v.talk, "talk"
	}
	rows, err := t.query(readTally, map[string]any{"kind": kind})
	if err != nil || len(rows) == 0 {
		return stats, err
	}
	stats.Records, stats.Length = int(value[int64](rows[0], 0)), int(value[int64](rows[0], 1))
	queries := brain.Map(terms, func(term string) string { return field + ":" + v.quoted(term) })
	indexed := brain.Map(terms, func(term string) string { return v.prefix + term })
	params := map[string]any{"index": index, "field": field, "queries": queries, "terms": indexed, "limit": brain.MaxCounted}
	rows, err = t.query(countWith, params)
	for i, r := range rows {
		with := int(value[int64](r, 0))
		if with == brain.MaxCounted {
			with = max(with, estimated(stats, value[float64](r, 1), float64(value[int64](r, 2)), float64(value[int64](r, 3))))
		}
		stats.With[terms[i]] = with
	}
	return stats, err
}

// estimated returns the number of texts with a term, by solving Lucene's BM25 for it:
// score is that of a text for the term alone, which occurs in it count times.
func estimated(stats brain.Statistics, score, length, count float64) int {
	const k, b = 1.2, 0.75 // Lucene's
	records := float64(stats.Records)
	mean := max(1, float64(stats.Length)/max(1, records))
	idf := score * (count + k*(1-b+b*length/mean)) / max(1, count)
	return int(math.Round(min(records, (records+1)/math.Exp(idf)-0.5)))
}
