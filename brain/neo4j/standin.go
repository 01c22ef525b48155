package neo4j

import (
	"fmt"
	"slices"
	"strings"

	"github.com/brainbridge/brainbridge/brain/words"
)

// standInTexts is the number of texts whose terms may stand in for one.
const standInTexts = 200

const (
	knownCypher = `UNWIND range(0, size($queries) - 1) AS i
CALL db.index.fulltext.queryNodes($index, $queries[i], {limit: 1}) YIELD node
RETURN i`
	termsCypher = `CALL db.index.fulltext.queryNodes($index, $query, {limit: $limit}) YIELD node
UNWIND split(node[$field], ' ') AS term
RETURN DISTINCT term`
)

// StandIns asks the index for texts with terms like an unknown one, which takes some tens
// of milliseconds in a large brain.
func (t *tx) StandIns(terms ...string) ([]words.StandIn, error) {
	v := t.store.vocabulary
	queries := make([]string, len(terms))
	for i, term := range terms {
		queries[i] = v.current + ":" + v.quoted(term)
	}
	rows, err := t.query(knownCypher, map[string]any{"index": wordsIndex, "queries": queries})
	if err != nil {
		return nil, err
	}
	known := column[int64](rows, 0)
	var all []words.StandIn
	for i, term := range terms {
		if slices.Contains(known, int64(i)) {
			continue
		}
		params := map[string]any{"index": wordsIndex, "query": v.like(term), "field": v.current, "limit": standInTexts}
		rows, err := t.query(termsCypher, params)
		if err != nil {
			return nil, err
		}
		found := words.StandIns(term, v.own(column[string](rows, 0)))
		all = append(all, found[:min(len(found), words.MaxStandIns)]...)
	}
	return all, nil
}

// own returns those of the terms in the index that can be stand-ins of this brain.
func (v vocabulary) own(indexed []string) (terms []string) {
	for _, term := range indexed {
		if own, ok := strings.CutPrefix(term, v.prefix); ok && words.HasStandIns(own) {
			terms = append(terms, own)
		}
	}
	return terms
}

// like returns the query for texts with terms like one of the letters a to z: best those
// with similar spellings, compounds and parts, then those that share four letters in a row.
func (v vocabulary) like(term string) string {
	prefix := strings.ReplaceAll(v.prefix, ":", `\:`)
	clauses := []string{prefix + term + "~2", prefix + term + "*^9", prefix + "*" + term + "^9"}
	var runs []string
	for i := words.RunLength; i <= len(term); i++ {
		clauses = append(clauses, v.quoted(term[:i]), v.quoted(term[i-words.RunLength:]))
		runs = append(runs, term[i-words.RunLength:i])
	}
	return fmt.Sprintf("%s:(%s /%s[a-z]*(%s)[a-z]*/)", v.current, strings.Join(clauses, " "), v.prefix, strings.Join(runs, "|"))
}
