package sqlite

import (
	"cmp"
	"slices"
)

// posting is a row of a full-text table that has a word.
type posting struct {
	row   int64
	count int // how often, in the name twofold
}

// postings returns the rows of a table with a word, from low to high, ascending.
func (t *tx) postings(table, word string, low, high int64) (all []posting, err error) {
	segments, err := t.segmentsOf(table)
	if err != nil {
		return nil, err
	}
	for _, s := range segments {
		l := list{low: low, high: high, rows: all}
		if err := t.readList(table, s, word, &l); err != nil {
			return nil, err
		}
		earlier := len(all)
		all = l.rows
		if s.deleted != nil {
			live := slices.DeleteFunc(all[earlier:], func(p posting) bool { return s.deleted.has(p.row) })
			all = all[:earlier+len(live)]
		}
	}
	if !slices.IsSortedFunc(all, byRow) { // a past text is current again
		slices.SortFunc(all, byRow)
	}
	return all, nil
}

// list reads the list of a word page by page. For each row it has the number of the row or
// the difference from the one before, then twice the size of the positions in bytes, then
// these: a number for each time that the row has the word. A 1 is not a position: it
// says that those of another column follow.
type list struct {
	low, high int64
	rows      []posting // from low to high, behind those of earlier segments
	past      bool      // high is exclusive

	started bool
	row     int64
	kept    bool // row is in rows
	left    int  // bytes of its positions that follow
	column  int
	inside  bool // a number
	turn    bool // the next number is that of a column
}

// read reads the part of the list between two offsets of a page.
func (l *list) read(p page, from, to int) {
	for from < to && !l.past {
		if l.left == 0 {
			from += l.next(p[from:to], from == p.firstRow())
			continue
		}
		some := p[from:min(from+l.left, to)]
		if l.kept {
			l.rows[len(l.rows)-1].count += l.positions(some)
		}
		l.left -= len(some)
		from += len(some)
	}
}

// longestPositions is more than any text has, in bytes.
const longestPositions = 1 << 32

// minGrowth is the number of rows by which a list grows at least.
const minGrowth = 64

// next reads a row up to its positions, and returns the number of bytes.
func (l *list) next(p []byte, whole bool) int {
	number, n := varint(p)
	if whole || !l.started {
		l.row = int64(number)
	} else {
		l.row += int64(number)
	}
	size, m := varint(p[n:])
	l.started, l.left, l.column = true, int(min(size>>1, longestPositions)), 0
	l.past = l.row > l.high
	if l.kept = l.left > 0 && l.row >= l.low && !l.past; l.kept {
		if len(l.rows) == cap(l.rows) {
			l.rows = slices.Grow(l.rows, len(l.rows)+minGrowth) // append would copy a long list five times
		}
		l.rows = append(l.rows, posting{row: l.row})
	}
	return n + m
}

// positions returns the weight of the positions in p.
func (l *list) positions(p []byte) (weight int) {
	for _, b := range p {
		switch {
		case b >= 0x80:
			l.inside = true
		case l.turn:
			l.column, l.turn = min(int(b), len(fieldWeights)-1), false
		case b == 1 && !l.inside:
			l.turn = true
		default:
			l.inside = false
			weight += fieldWeights[l.column]
		}
	}
	return weight
}

func byRow(a, b posting) int { return cmp.Compare(a.row, b.row) }
