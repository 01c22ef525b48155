package neo4j

import (
	"strings"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/words"
)

// The full-text indexes. Transcripts have a separate one because they are far larger than
// notes. The analyzer splits only at spaces: the terms are computed in Go, the same for
// every store. All brains of a server share the indexes, so each text has a scope there, which
// every query requires.
const (
	wordsIndex    = "brainbridge_words"
	talkIndex     = "brainbridge_talk"
	wordsAnalyzer = "whitespace"

	wordsKey, scopeKey    = "words", "scope"
	talkKey, talkScopeKey = "talk", "talkScope"
)

func fulltext(name string, fields []string, labels ...string) definition {
	return definition{name: name, kind: "FULLTEXT", labels: labels, properties: fields, config: map[string]any{
		"fulltext.analyzer": wordsAnalyzer, "fulltext.eventually_consistent": false,
	}}
}

// scope returns the term of the texts of this brain that are current, or past: only searches
// as of an instant find archived and superseded memories.
func (s *Store) scope(current bool) string {
	name := hashKey(strings.TrimSuffix(s.brain, loadingSuffix)) // which a loaded brain gets
	if current {
		return name + "-current"
	}
	return name + "-past"
}

// joint separates the fields in the index. The package words makes no such term, so
// no phrase continues from one field into the next.
const joint = " | "

// indexedWords returns the terms of a text in the index, as one field: with several fields,
// each with frequencies and lengths of its own, a common word in a short name would
// outweigh every rare one in the content. The name comes twice, which is its weight
// of 2.
func indexedWords(x brain.IndexedText) string {
	name := words.Index(x.Name)
	return strings.Join([]string{name, name, words.Index(x.Content), words.Index(x.Rest)}, joint)
}

// indexed returns the properties of a text beside its words: its scope, its length in words
// and that it has no vector. Past texts have neither.
func (s *Store) indexed(scopeKey, lengthKey string, current bool, x brain.IndexedText) props {
	p := props{scopeKey: s.scope(current), lengthKey: nil, vectorModel: nil}
	if current {
		p[lengthKey], p[vectorModel] = x.Length(), noVector
	}
	return p
}

const (
	// Both are read from an index.
	lengthsCypher = `CALL () {
  MATCH (n:Memory) USING INDEX SEEK n:Memory(brain, length) WHERE n.brain = $brain AND n.length >= 0 RETURN count(*) AS texts, sum(n.length) AS length
  UNION ALL
  MATCH (n:Section) USING INDEX SEEK n:Section(brain, length) WHERE n.brain = $brain AND n.length >= 0 RETURN count(*) AS texts, sum(n.length) AS length
} RETURN sum(texts), sum(length)`
	talkLengthsCypher = `MATCH (n:Section) USING INDEX SEEK n:Section(brain, talkLength) WHERE n.brain = $brain AND n.talkLength >= 0
RETURN count(*), sum(n.talkLength)`
	countWith = `UNWIND $queries AS query CALL (query) {
  CALL db.index.fulltext.queryNodes($index, query) YIELD node RETURN count(*) AS texts
} RETURN texts`
	// standInsCypher returns whole texts: a row for each term would take ten times as long to
	// receive.
	standInsCypher = `CALL db.index.fulltext.queryNodes($index, $query, {limit: $limit}) YIELD node
RETURN node.words`
)

// lengths returns the number and the lengths of all texts that a search covers.
func (t *tx) lengths(transcripts bool) (texts, length int, err error) {
	cypher := lengthsCypher
	if transcripts {
		cypher = talkLengthsCypher
	}
	rows, err := t.query(cypher, nil)
	if err != nil || len(rows) == 0 {
		return 0, 0, err
	}
	return int(value[int64](rows[0], 0)), int(value[int64](rows[0], 1)), nil
}

// Statistics counts the texts with each term in the index.
func (t *tx) Statistics(transcripts bool, terms ...string) (brain.Statistics, error) {
	stats := brain.Statistics{With: make(map[string]int, len(terms))}
	var err error
	if stats.Records, stats.Length, err = t.lengths(transcripts); err != nil || len(terms) == 0 {
		return stats, err
	}
	index, field := wordsIndex, wordsKey
	if transcripts {
		index, field = talkIndex, talkKey
	}
	required := t.store.clause(brain.SearchQuery{Transcripts: transcripts})
	queries := brain.Map(terms, func(term string) string { return required + " +" + quoted(field, term) })
	rows, err := t.query(countWith, map[string]any{"index": index, "queries": queries})
	for i, r := range rows {
		stats.With[terms[i]] = int(value[int64](r, 0))
	}
	return stats, err
}

// standInTexts is the number of texts whose terms may stand in for one.
const standInTexts = 200

// StandIns asks the index for texts with terms like an unknown word, which takes some tens
// of milliseconds in a large brain.
func (t *tx) StandIns(unknown ...string) (all []words.StandIn, err error) {
	for _, word := range unknown {
		query := t.store.clause(brain.SearchQuery{}) + " +(" + like(word) + ")"
		rows, err := t.query(standInsCypher, map[string]any{"index": wordsIndex, "query": query, "limit": standInTexts})
		if err != nil {
			return nil, err
		}
		found := words.StandIns(word, termsOf(rows))
		all = append(all, found[:min(len(found), words.MaxStandIns)]...)
	}
	return all, nil
}

// termsOf returns those of the terms of texts that can be stand-ins.
func termsOf(rows []*driver.Record) (terms []string) {
	seen := map[string]bool{}
	for _, text := range column[string](rows, 0) {
		for term := range strings.FieldsSeq(text) {
			if !seen[term] && words.IsStandIn(term) {
				seen[term] = true
				terms = append(terms, term)
			}
		}
	}
	return terms
}

// like returns the query for texts with terms like a word of the letters a to z: best those
// with its other spellings, compounds and parts, then those that share four letters in a row.
func like(word string) string {
	term := words.Index(word)
	var clauses, runs []string
	for spelling := range words.Respelled(word) {
		clauses = append(clauses, quoted(wordsKey, spelling)+"^9")
	}
	for i := words.RunLength; i <= len(term); i++ {
		clauses = append(clauses, quoted(wordsKey, term[:i]), quoted(wordsKey, term[i-words.RunLength:]))
		runs = append(runs, term[i-words.RunLength:i])
	}
	if len(runs) > 0 {
		clauses = append(clauses, wordsKey+":"+term+"*^9", wordsKey+":*"+term+"^9", wordsKey+":/[a-z]*("+strings.Join(runs, "|")+")[a-z]*/")
	}
	return strings.Join(clauses, " ")
}
