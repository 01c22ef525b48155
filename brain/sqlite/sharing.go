package sqlite

import (
	"cmp"
	"database/sql"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/brainbridge/brainbridge/brain"
)

// sharingQuery finds the rows of each term, one more than it may have to be rare.
const sharingQuery = `SELECT (SELECT group_concat(rowid - ?2) FROM (SELECT rowid FROM current_fts
		WHERE current_fts MATCH j.value AND rowid BETWEEN ?2 AND ?3 LIMIT +?4)) FROM json_each(?1) j`

// sharingMemories reads memories in the order of their docs, and no more than it needs.
func sharingMemories() string {
	return "SELECT " + memories().selected + ", j.value ->> 1 FROM json_each(?1) j CROSS JOIN memory m ON m.doc = j.value ->> 0" +
		" WHERE +" + isCurrent + " AND (m.project = ?2 OR m.project = '') LIMIT +?3"
}

// SharingWords asks the index for the rows of all terms with one statement, and reads the
// memories of the best ones with another.
func (t *tx) SharingWords(project string, limit int, terms ...string) ([]brain.Scored, error) {
	if len(terms) == 0 || limit <= 0 {
		return nil, nil
	}
	s, err := t.sharingScope()
	if err != nil {
		return nil, err
	}
	matches, err := s.sharing(terms)
	if err != nil {
		return nil, err
	}
	dest := func(m *brain.Scored) []any { return append(memories().dest(&m.Memory), &m.Score) }
	var all []brain.Scored
	for size := 200; len(matches) > 0 && len(all) < limit; size = len(matches) {
		var docs [][2]any
		for _, m := range matches[:min(size, len(matches))] {
			if doc, section := docOf(m.row); !section {
				docs = append(docs, [2]any{doc, m.score})
			}
		}
		matches = matches[min(size, len(matches)):]
		some, err := keyed(t, dest, sharingMemories(), distinctJSON(docs), project, limit-len(all))
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	return all, nil
}

// sharingScope is the scope of a search for memories; an Update knows it from its beginning.
func (t *tx) sharingScope() (scope, error) {
	if t.changes == nil || len(t.changes.parts) > 0 {
		return t.scopeOf(brain.SearchQuery{})
	}
	no, was := t.partOf(false), t.changes.was
	docs := max(float64(was.docs), 1)
	return scope{t: t, low: no << partBits, high: (no+1)<<partBits - 1, docs: docs, average: max(float64(was.terms)/docs, 1)}, nil
}

// sharing returns the rows that have one of the terms that are rare, by BM25 without the
// number of times that they have it, best first.
func (s scope) sharing(terms []string) ([]match, error) {
	most := brain.RareIn(int(s.docs))
	scores := map[int64]float64{}
	dest := func(joined *sql.RawBytes) []any { return []any{joined} }
	args := []any{asJSON(quotedAll(terms)), s.low, s.high, most + 1}
	err := scan(brief(s.t.ctx), s.t, dest, sharingQuery, args, func(joined sql.RawBytes) error {
		rows := strings.FieldsFunc(string(joined), func(r rune) bool { return r == ',' })
		if len(rows) > most {
			return nil
		}
		df := float64(len(rows))
		weight := math.Log(1 + (max(s.docs, df)-df+0.5)/(df+0.5))
		for _, row := range rows {
			n, err := strconv.ParseInt(row, 10, 64)
			if err != nil {
				return err
			}
			norm := bm25K * (1 - bm25B + bm25B*classSize(int(n&(sizeClasses-1)))/s.average)
			scores[s.low+n] += weight * (bm25K + 1) / (1 + norm)
		}
		return nil
	})
	matches := make([]match, 0, len(scores))
	for row, score := range scores {
		matches = append(matches, match{row: row, score: score})
	}
	slices.SortFunc(matches, func(a, b match) int {
		return cmp.Or(cmp.Compare(b.score, a.score), byRow(posting{row: a.row}, posting{row: b.row}))
	})
	return matches, err
}

func quotedAll(terms []string) []string { return brain.Map(terms, quoted) }
