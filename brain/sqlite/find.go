package sqlite

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/words"
)

// Statistics reads the counts of the brain, and those of FTS5.
func (t *tx) Statistics(transcripts bool, terms ...string) (brain.Statistics, error) {
	return t.statistics(transcripts, wordMark(t.s.brain, false), terms)
}

// statistics counts the texts with some terms after a mark.
func (t *tx) statistics(talk bool, mark string, terms []string) (stats brain.Statistics, err error) {
	type row struct {
		term                    string
		texts, records, lengths int
	}
	dest := func(r *row) []any { return []any{&r.term, &r.texts, &r.records, &r.lengths} }
	stats.With = make(map[string]int, len(terms))
	asked := append([]string{""}, terms...) // the first one has a row without terms, too
	rows, err := byKeys(t, dest, statisticsQuery(talk), asked, mark, wordsOf(talk))
	for _, r := range rows {
		stats.Records, stats.Length = r.records, r.lengths
		if r.term != "" {
			stats.With[r.term] = r.texts
		}
	}
	return stats, err
}

// statisticsQuery reads, for each term, how many texts have it after a mark, and the tally.
func statisticsQuery(talk bool) string {
	return `SELECT j.value, ifnull(c.doc, 0), ifnull(y.number, 0), ifnull(y.size, 0) FROM json_each(?1) j
		LEFT JOIN ` + wordsTable(talk) + `_count c ON c.term = ?3 || j.value LEFT JOIN tally y ON y.brain = ?2 AND y.what = ?4`
}

// vocabularyQuery reads the terms of the current texts of a brain, in order.
const vocabularyQuery = `SELECT substr(term, ?3) FROM words_count WHERE term >= ?1 AND term < ?2`

// StandIns reads the whole vocabulary.
func (t *tx) StandIns(unknown ...string) (all []words.StandIn, err error) {
	mark := wordMark(t.s.brain, false)
	vocabulary, err := collect(t, text, vocabularyQuery, mark, mark+"\U0010FFFF", utf8.RuneCountInString(mark)+1)
	vocabulary = slices.DeleteFunc(vocabulary, func(term string) bool { return !words.IsStandIn(term) })
	for _, word := range unknown {
		found := words.StandIns(word, vocabulary)
		all = append(all, found[:min(len(found), words.MaxStandIns)]...)
	}
	return all, err
}

const (
	// maxTerms limits a search to its rarest words.
	maxTerms = 32
	// commonPart is the part of all texts above which a word finds none, if two rarer ones do.
	commonPart = 5
)

// expression returns the query of FTS5 for the words of a search, "" if no text has one.
func (t *tx) expression(q brain.SearchQuery) (string, error) {
	stats, err := t.Statistics(q.Transcripts, q.Words.Terms...)
	if err != nil {
		return "", err
	}
	marks := []string{wordMark(t.s.brain, false)}
	if !q.AsOf.IsZero() && !q.Transcripts {
		past := wordMark(t.s.brain, true)
		marks = append(marks, past)
		then, err := t.statistics(false, past, q.Words.Terms)
		if err != nil {
			return "", err
		}
		for term, n := range then.With {
			stats.With[term] += n
		}
	}
	if q.Rare {
		q.Words.Terms = stats.Rare(q.Words.Terms)
	}
	terms := slices.DeleteFunc(slices.Clone(q.Words.Terms), func(term string) bool { return stats.With[term] == 0 })
	slices.SortStableFunc(terms, func(a, b string) int { return cmp.Compare(stats.With[a], stats.With[b]) })
	terms = terms[:min(len(terms), maxTerms)]
	if common := slices.IndexFunc(terms, func(term string) bool { return stats.With[term] > stats.Records/commonPart }); common >= 2 && !q.Rare {
		terms = terms[:common]
	}
	if len(terms) == 0 {
		return "", nil
	}
	all := []string{anyOf(marks, terms)}
	for _, phrase := range q.Words.Phrases {
		all = append(all, anyPhrase(marks, phrase))
	}
	return strings.Join(all, " AND "), nil
}

// anyOf returns the expression for texts with any of the terms after any of the marks.
func anyOf(marks, terms []string) string {
	var all []string
	for _, mark := range marks {
		for _, term := range terms {
			all = append(all, quoted(mark+term))
		}
	}
	return "(" + strings.Join(all, " OR ") + ")"
}

// anyPhrase returns the expression for texts with a phrase after any of the marks.
func anyPhrase(marks, phrase []string) string {
	all := brain.Map(marks, func(mark string) string { return quoted(mark + strings.Join(phrase, " "+mark)) })
	return "(" + strings.Join(all, " OR ") + ")"
}

// quoted returns a phrase of FTS5, in which no character is an operator.
func quoted(s string) string { return `"` + strings.ReplaceAll(s, `"`, `""`) + `"` }

// rankQuery reads the docs that best match an expression. The weights are those of the search
// contract: name, content, rest.
func rankQuery(talk bool) string {
	table := wordsTable(talk)
	return `SELECT rowid, -bm25(` + table + `, 2, 1, 1) AS score FROM ` + table + ` WHERE ` + table + ` MATCH ? ORDER BY score DESC LIMIT +?`
}

// scoredDoc is a doc with its score.
type scoredDoc struct {
	doc   int64
	score float64
}

// best returns the n docs that best match an expression.
func (t *tx) best(talk bool, expression string, n int) ([]scoredDoc, error) {
	return collect(t, func(d *scoredDoc) []any { return []any{&d.doc, &d.score} }, rankQuery(talk), expression, n)
}
