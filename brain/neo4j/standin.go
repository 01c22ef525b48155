package neo4j

import (
	"fmt"
	"strings"

	"github.com/brainbridge/brainbridge/brain/words"
)

// standInTexts is the number of texts whose terms may stand in for one.
const standInTexts = 200

// textsCypher returns whole texts: a row for each term would take ten times as long to
// receive.
const textsCypher = `CALL db.index.fulltext.queryNodes($index, $query, {limit: $limit}) YIELD node
RETURN node[$field]`

// StandIns asks the index for texts with terms like an unknown word, which takes some tens
// of milliseconds in a large brain.
func (t *tx) StandIns(unknown ...string) (all []words.StandIn, err error) {
	v := t.store.vocabulary
	for _, word := range unknown {
		params := map[string]any{"index": wordsIndex, "query": v.like(word), "field": v.current, "limit": standInTexts}
		rows, err := t.query(textsCypher, params)
		if err != nil {
			return nil, err
		}
		found := words.StandIns(word, v.own(column[string](rows, 0)))
		all = append(all, found[:min(len(found), words.MaxStandIns)]...)
	}
	return all, nil
}

// own returns those of the terms of indexed texts that can be stand-ins of this brain.
func (v vocabulary) own(texts []string) (terms []string) {
	seen := map[string]bool{}
	for _, text := range texts {
		for term := range strings.FieldsSeq(text) {
			if own, ok := strings.CutPrefix(term, v.prefix); ok && !seen[own] && words.IsStandIn(own) {
				seen[own] = true
				terms = append(terms, own)
			}
		}
	}
	return terms
}

// like returns the query for texts with terms like a word of the letters a to z: best those
// with its other spellings, compounds and parts, then those that share four letters in a row.
func (v vocabulary) like(word string) string {
	term, prefix := words.Index(word), strings.ReplaceAll(v.prefix, ":", `\:`)
	var clauses, runs []string
	for spelling := range words.Respelled(word) {
		clauses = append(clauses, v.quoted(spelling)+"^9")
	}
	for i := words.RunLength; i <= len(term); i++ {
		clauses = append(clauses, v.quoted(term[:i]), v.quoted(term[i-words.RunLength:]))
		runs = append(runs, term[i-words.RunLength:i])
	}
	if len(runs) > 0 {
		clauses = append(clauses, prefix+term+"*^9", prefix+"*"+term+"^9",
			fmt.Sprintf("/%s[a-z]*(%s)[a-z]*/", v.prefix, strings.Join(runs, "|")))
	}
	return v.current + ":(" + strings.Join(clauses, " ") + ")"
}
