package sqlite

import (
	"database/sql"
	"strings"

	"github.com/brainbridge/brainbridge/brain"
)

// scope is the part of the index that a search reads.
type scope struct {
	t         *tx
	e         effort
	tables    []string
	phrases   string // " AND ..." for the match
	low, high int64  // rowids of this part
	next      int64  // first unused rowid
	docs      float64
	average   float64 // terms in a doc
}

func (t *tx) scopeOf(q brain.SearchQuery, times int) (scope, error) {
	no := t.partOf(q.Transcripts)
	s := scope{t: t, tables: []string{"current_fts"}, low: no << partBits, high: (no+1)<<partBits - 1}
	switch {
	case q.Transcripts:
		s.tables = []string{"talk_fts"}
	case !q.AsOf.IsZero():
		s.tables = append(s.tables, "past_fts")
	}
	for _, p := range q.Words.Phrases {
		s.phrases += " AND " + quoted(strings.Join(p, " "))
	}
	var count int64
	err := t.one(brief(t.ctx), `SELECT ifnull(max(next), 1), ifnull(max(docs), 0), ifnull(max(terms), 0) FROM part WHERE part = ?`,
		[]any{no}, &count, &s.docs, &s.average)
	s.next = s.low + count
	s.docs = max(s.docs, 1)
	s.average = max(s.average/s.docs, 1)
	s.e = effortFor(s.docs, times, q.Share)
	return s, err
}

// quoted returns a phrase of FTS5, in which no character is an operator.
func quoted(s string) string { return `"` + strings.ReplaceAll(s, `"`, `""`) + `"` }

// matchQuery aggregates the newest rowids of a match into one row, which takes a
// tenth of the time of a row each; short numbers take half the time of long ones.
func matchQuery(table string) string {
	return `SELECT group_concat(n) FROM (SELECT rowid - ?2 AS n FROM ` + table + `
		WHERE ` + table + ` MATCH ?1 AND rowid BETWEEN ?2 AND ?3 ORDER BY rowid DESC LIMIT +?4)`
}

// read returns the newest docs of a match with the phrases in each table, at most
// limit; whole reports whether these are all.
func (s scope) read(match string, limit int) (lists [][]int64, whole bool, err error) {
	match += s.phrases
	ctx := s.t.ctx
	if !s.e.long && !strings.Contains(match, " ") { // one word: it ends at the limit
		ctx = brief(ctx)
	}
	dest := func(joined *sql.RawBytes) []any { return []any{joined} }
	whole = true
	for _, table := range s.tables {
		of := reading{table, match, s.low, limit}
		docs, known := s.t.read[of]
		if !known {
			err := scan(ctx, s.t, dest, matchQuery(table), []any{match, s.low, s.high, limit}, func(joined sql.RawBytes) error {
				docs = numbers(joined, s.low)
				return nil
			})
			if err != nil {
				return nil, false, err
			}
		}
		if s.t.read != nil {
			s.t.read[of] = docs
		}
		lists = append(lists, docs)
		whole = whole && len(docs) < limit
	}
	return lists, whole, nil
}

// reading is what was read of the index: the newest docs of a match, at most limit.
type reading struct {
	table, match string
	low          int64
	limit        int
}

// numbers parses the result of group_concat and adds base to each number.
func numbers(joined []byte, base int64) []int64 {
	if len(joined) == 0 {
		return nil
	}
	out := make([]int64, 0, len(joined)/5+1)
	var n int64
	for _, c := range joined {
		if c == ',' {
			out = append(out, base+n)
			n = 0
			continue
		}
		n = n*10 + int64(c-'0')
	}
	return append(out, base+n)
}

// posting is a list of docs, highest number first, that contain the terms of mask:
// bit i for term i anywhere, bit maxTerms+i for term i in the name.
type posting struct {
	docs []int64
	mask uint64
}

// candidates are the docs that may be among the best.
type candidates struct {
	lists     []posting
	finding   int  // how many of the terms find docs; the others only score
	truncated bool // some list was not read completely
}

func (c *candidates) add(lists [][]int64, mask uint64) (docs int) {
	for _, list := range lists {
		c.lists = append(c.lists, posting{list, mask})
		docs += len(list)
	}
	return docs
}

// candidates reads the docs of the words that find docs: all words but the frequent
// ones. If fewer than two are left, frequent words are used too, each with its
// newest docs and those that have it in the name or together with other words.
func (s scope) candidates(terms []term, share float64) (c candidates, err error) {
	total := 0
	for i, n := range terms {
		frequent := n.df > float64(s.e.postings) || total > s.e.total
		if frequent && i >= 2 {
			break
		}
		if !n.whole && !frequent {
			if n.lists, n.whole, err = s.read(quoted(n.word), s.e.postings); err != nil {
				return c, err
			}
		}
		c.truncated = c.truncated || !n.whole
		total += c.add(n.lists, 1<<i)
		c.finding++
	}
	if c.truncated || share == 0 && total > s.e.candidates {
		err = s.addSpecial(&c, terms)
	}
	return c, err
}

// addSpecial adds the docs that are probably the best when not all can be read
// and scored: those with a word in the name, and those with several frequent words.
func (s scope) addSpecial(c *candidates, terms []term) error {
	matches := map[string]uint64{}
	for i, n := range terms[:min(c.finding, 3)] {
		matches["name : "+quoted(n.word)] = 1<<i | 1<<(maxTerms+i)
	}
	if c.truncated && len(terms) > 1 {
		matches[together(terms[:2])] = 3
		matches[together(terms)] = 1<<len(terms) - 1
	}
	for match, mask := range matches {
		lists, _, err := s.read(match, s.e.candidates)
		if err != nil {
			return err
		}
		c.add(lists, mask)
	}
	return nil
}

// together returns the match for docs with all of these words.
func together(terms []term) string {
	every := make([]string, len(terms))
	for i, n := range terms {
		every[i] = quoted(n.word)
	}
	return strings.Join(every, " AND ")
}
