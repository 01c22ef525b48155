package neo4j

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/words"
	"github.com/brainbridge/brainbridge/tiers"
)

// slots is the number of fields in the full-text index for current texts, and again
// for past ones. BM25 depends on the number and length of the texts in a field and on
// how many of them contain a term. So the brains of a server do not share a field but
// take the slots in turn. After the last slot they do share; then every term begins
// with the number of its brain, so that at least its frequency is not shared.
const slots = 32

// vocabulary describes the words of a brain in the full-text indexes.
type vocabulary struct {
	number        int    // of the brain on its server
	current, past string // properties of nodes, fields of the index
	talk          string // of transcripts: a field of their own index
	prefix        string // of all terms
	// vector is the property of nodes with their vectors. It has indexes of its own, so that
	// the nearest of one brain are not hidden behind those of another.
	vector string
}

func newVocabulary(number int) vocabulary {
	field := fmt.Sprintf("words%02d", number%slots)
	v := vocabulary{number: number, current: field, past: field + "Past", talk: field + "Talk", vector: fmt.Sprintf("vector%d", number)}
	if number >= slots {
		v.prefix = strconv.FormatInt(int64(number), 36) + ":"
	}
	return v
}

// allFields returns all fields of the index of transcripts and of the other one.
func allFields() (talk, words []string) {
	for slot := range slots {
		v := newVocabulary(slot)
		talk, words = append(talk, v.talk), append(words, v.current, v.past)
	}
	return talk, words
}

// The full-text indexes. Transcripts have a separate one because they are far larger than
// notes. The analyzer splits only at spaces: the terms are computed in Go, the same for
// every store.
const (
	wordsIndex    = "brainbridge_words"
	talkIndex     = "brainbridge_talk"
	wordsAnalyzer = "whitespace"
)

func fulltext(name string, fields []string, labels ...string) definition {
	return definition{name: name, kind: "FULLTEXT", labels: labels, properties: fields, config: map[string]any{
		"fulltext.analyzer": wordsAnalyzer, "fulltext.eventually_consistent": false,
	}}
}

// field returns the field for memories of a tier: only searches as of an instant find
// archived and superseded ones.
func (v vocabulary) field(t tiers.Tier) string {
	if t.Current() {
		return v.current
	}
	return v.past
}

// joint separates the fields in the index. The package words makes no such term, so
// no phrase continues from one field into the next.
const joint = " | "

// terms returns the terms of a node in the index, as one field: with several fields,
// each with frequencies and lengths of its own, a common word in a short name would
// outweigh every rare one in the content. The name comes twice, which is its weight
// of 2.
func (v vocabulary) terms(x brain.IndexedText) string {
	name := prefixed(v.prefix, words.Index(x.Name))
	return strings.Join([]string{name, name, prefixed(v.prefix, words.Index(x.Content)), prefixed(v.prefix, words.Index(x.Rest))}, joint)
}

// index sets the properties of a text in the indexes.
func (v vocabulary) index(p props, field string, x brain.IndexedText) {
	p[field] = v.terms(x)
	p[vectorModel], p[v.vector] = nil, nil
	if field == v.current {
		p[vectorModel] = noVector
	}
	if field != v.past {
		p["length"] = x.Length()
	}
}

// prefixed puts a prefix before each term.
func prefixed(prefix, terms string) string {
	var b strings.Builder
	for term := range strings.FieldsSeq(terms) {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(prefix + term)
	}
	return b.String()
}

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
