package sqlite

import (
	"cmp"
	"database/sql"
	"slices"
	"strconv"
	"strings"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/words"
)

// scope is the part of the index that a search reads.
type scope struct {
	t         *tx
	tables    []string
	low, high int64 // rows of this part
	docs      float64
	average   float64 // terms in a doc
}

func (t *tx) scopeOf(q brain.SearchQuery) (scope, error) {
	no := t.partOf(q.Transcripts)
	s := scope{t: t, tables: []string{"current_fts"}, low: no << partBits, high: (no+1)<<partBits - 1}
	switch {
	case q.Transcripts:
		s.tables = []string{"talk_fts"}
	case !q.AsOf.IsZero():
		s.tables = append(s.tables, "past_fts")
	}
	err := t.one(brief(t.ctx), `SELECT ifnull(max(docs), 0), ifnull(max(terms), 0) FROM part WHERE part = ?`,
		[]any{no}, &s.docs, &s.average)
	s.docs = max(s.docs, 1)
	s.average = max(s.average/s.docs, 1)
	return s, err
}

// maxTerms limits a search to its rarest words.
const maxTerms = 32

// term is a word of the query with the rows that have it.
type term struct {
	factor float64 // on its weight, 1 except for stand-ins
	list   []posting
}

func (n term) df() float64 { return float64(len(n.list)) }

// terms returns the words that find docs, rarest first: those of the query or, if it only
// has phrases, those of the phrases. If they will be ranked, the View keeps their lists,
// because ranking reads them again.
func (s scope) terms(q words.Query, ranked bool) ([]term, error) {
	finding := q.Terms
	if len(finding) == 0 {
		finding = slices.Concat(q.Phrases...)
	}
	finding = slices.Compact(slices.Sorted(slices.Values(finding)))
	var all []term
	for _, w := range finding {
		list, err := s.list(w, ranked && len(finding) <= maxTerms)
		if err != nil {
			return nil, err
		}
		if len(list) > 0 {
			all = append(all, term{q.Weight(w), list})
			slices.SortStableFunc(all, func(a, b term) int { return cmp.Compare(len(a.list), len(b.list)) })
			all = all[:min(len(all), maxTerms)]
		}
	}
	return all, nil
}

// reading names a list of the index.
type reading struct{ table, word string }

// list returns the rows with a word in all tables, ascending. If keep is set, a View
// remembers them.
func (s scope) list(word string, keep bool) (all []posting, err error) {
	for _, table := range s.tables {
		of := reading{table, word}
		some, known := s.t.lists[of]
		if !known {
			if some, err = s.t.postings(table, word, s.low, s.high); err != nil {
				return nil, err
			}
		}
		if keep && s.t.lists != nil {
			s.t.lists[of] = some
		}
		if all == nil {
			all = some
		} else {
			all = slices.SortedFunc(slices.Values(slices.Concat(all, some)), byRow)
		}
	}
	return all, nil
}

// phrasesQuery aggregates rows into one, which takes a third of the time of a row each.
func phrasesQuery(table string) string {
	return `SELECT group_concat(rowid - ?2) FROM ` + table + ` WHERE ` + table + ` MATCH ?1 AND rowid BETWEEN ?2 AND ?3`
}

func (s scope) withPhrases(all []match, phrases [][]string) ([]match, error) {
	if len(phrases) == 0 {
		return all, nil
	}
	every := brain.Map(phrases, func(p []string) string { return quoted(strings.Join(p, " ")) })
	having := map[int64]bool{}
	dest := func(joined *sql.RawBytes) []any { return []any{joined} }
	for _, table := range s.tables {
		args := []any{strings.Join(every, " AND "), s.low, s.high}
		err := scan(s.t.ctx, s.t, dest, phrasesQuery(table), args, func(joined sql.RawBytes) error {
			for row := range strings.SplitSeq(string(joined), ",") {
				n, _ := strconv.ParseInt(row, 10, 64) // none for no rows
				having[s.low+n] = row != ""
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return slices.DeleteFunc(all, func(m match) bool { return !having[m.row] }), nil
}

// quoted returns a phrase of FTS5, in which no character is an operator.
func quoted(s string) string { return `"` + strings.ReplaceAll(s, `"`, `""`) + `"` }
