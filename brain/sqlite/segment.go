package sqlite

import (
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
)

// FTS5 returns the rows with a word one by one, at a third of a microsecond each, and
// without the text it does not say how often a row has the word. A search reads ten
// thousand rows of a word. So it reads the lists of rows as FTS5 stores them. The format
// is part of that of SQLite files; it is described at the top of fts5_index.c, and
// TestPostingsAreThoseOfFTS5 compares what is read here with what FTS5 finds.
//
// An index is a set of segments, which are never changed once they are written. A segment
// is a run of pages, numbered in the order of their words. Deleted rows stay in their
// segment until it is merged with others; its tombstones name them.
const (
	structureBlock  = 10 // the row of the table *_data that lists the segments
	segmentShift    = 37 // the row of a page is segment << 37 | number
	tombstoneOffset = 1 << 16
	mainIndex       = "0" // before each word; other characters are for prefix indexes
	structureV2     = "\xff\x00\x00\x01"
)

// segment is one of an index. Its id is unique as long as it exists.
type segment struct {
	id          int64
	first, last int64 // pages
	tombstones  int64 // number of their pages
	deleted     tombstones
}

// segmentsOf returns the segments of a full-text table, the oldest first.
func (t *tx) segmentsOf(table string) (all []segment, err error) {
	if known, ok := t.segments[table]; ok {
		return known, nil
	}
	if err := t.flush(table); err != nil {
		return nil, err
	}
	err = t.blocks(table, structureBlock, structureBlock, func(block []byte) error {
		all = decodeStructure(block)
		return nil
	})
	for i, s := range all {
		if err != nil || s.tombstones == 0 {
			continue
		}
		first := (s.id + tombstoneOffset) << segmentShift
		err = t.blocks(table, first, first+s.tombstones-1, func(block []byte) error {
			all[i].deleted = append(all[i].deleted, slices.Clone(block))
			return nil
		})
	}
	if t.segments != nil {
		t.segments[table] = all
	}
	return all, err
}

// flush makes FTS5 write the rows that this Update gave it.
func (t *tx) flush(table string) error {
	if t.changes == nil || len(t.changes.parts) == 0 {
		return nil
	}
	t.exec(`INSERT INTO ` + table + ` (` + table + `) VALUES ('flush')`)
	return t.changes.failed
}

func blocksQuery(table string) string {
	return `SELECT block FROM ` + table + `_data WHERE id BETWEEN ?1 AND ?2`
}

// blocks calls each with blocks, which are valid until it returns.
func (t *tx) blocks(table string, first, last int64, each func([]byte) error) error {
	dest := func(block *sql.RawBytes) []any { return []any{block} }
	return scan(brief(t.ctx), t, dest, blocksQuery(table), []any{first, last}, func(block sql.RawBytes) error { return each(block) })
}

// pagesQuery reads the pages of a segment from the one that has a word, if any does, to the
// last.
func pagesQuery(table string) string {
	return `SELECT block FROM ` + table + `_data WHERE id BETWEEN (?1 << ` + strconv.Itoa(segmentShift) + `) + max(?3,
			ifnull((SELECT pgno >> 1 FROM ` + table + `_idx WHERE segid = ?1 AND term <= ?2 ORDER BY term DESC LIMIT 1), 0))
		AND (?1 << ` + strconv.Itoa(segmentShift) + `) + ?4`
}

// errRead ends the reading of a list.
var errRead = errors.New("the list was read")

func (t *tx) readList(table string, s segment, word string, into *list) error {
	word = mainIndex + word
	started := false
	dest := func(block *sql.RawBytes) []any { return []any{block} }
	args := []any{s.id, []byte(word), s.first, s.last}
	err := scan(brief(t.ctx), t, dest, pagesQuery(table), args, func(block sql.RawBytes) error {
		p := page(block)
		if !p.valid() {
			return t.fail(fmt.Errorf("a page of %s is malformed", table))
		}
		from, to, last := pageHeader, p.firstWord(), p.firstWord() < p.end()
		if !started {
			var found bool
			if from, to, found = p.list(word); !found {
				return errRead
			}
			last = to < p.end()
		}
		started = true
		into.read(p, from, to)
		if last || into.past {
			return errRead
		}
		return nil
	})
	if errors.Is(err, errRead) {
		return nil
	}
	return err
}

// decodeStructure reads the list of segments. In the file, the newest level is the first,
// and in a level the oldest segment.
func decodeStructure(block []byte) (all []segment) {
	const cookie = 4
	v := varints(block[min(len(block), cookie):])
	counted := len(v) >= len(structureV2) && string(v[:len(structureV2)]) == structureV2
	if counted {
		v = v[len(structureV2):]
	}
	levels := int64(v.next())
	v.next() // number of segments
	v.next() // number of writes
	for ; levels > 0 && len(v) > 0; levels-- {
		v.next() // segments being merged
		var level []segment
		for n := v.next(); n > 0 && len(v) > 0; n-- {
			s := segment{id: int64(v.next()), first: int64(v.next()), last: int64(v.next())}
			if counted {
				v.next() // the first write in it
				v.next() // the last
				s.tombstones = int64(v.next())
				v.next() // number of tombstones
				v.next() // number of rows
			}
			level = append(level, s)
		}
		all = append(level, all...)
	}
	return all
}

// page is a page of a segment: two offsets, then words with their lists, then the offsets
// of the words. The list of the last word may continue on the next page.
type page []byte

const pageHeader = 4

// valid reports whether the offsets are inside the page.
func (p page) valid() bool { return len(p) >= pageHeader && p.end() >= pageHeader && p.end() <= len(p) }

// firstRow is the offset of the first row, which is stored as a number and not as a
// difference; 0 for none.
func (p page) firstRow() int { return int(binary.BigEndian.Uint16(p)) }

// end is the offset after the lists.
func (p page) end() int { return int(binary.BigEndian.Uint16(p[2:])) }

// firstWord is the offset of the first word, that of the end for none.
func (p page) firstWord() int {
	if footer := varints(p[p.end():]); len(footer) > 0 {
		return min(footer.offset(), p.end())
	}
	return p.end()
}

// list returns the offsets of the list of a word.
func (p page) list(word string) (from, to int, found bool) {
	footer := varints(p[p.end():])
	var known []byte
	at := 0
	for first := true; len(footer) > 0; first = false {
		at = min(at+footer.offset(), p.end())
		v := varints(p[at:p.end()])
		shared := 0 // with the word before
		if !first {
			shared = v.offset()
		}
		own := min(v.offset(), len(v))
		known = append(known[:min(shared, len(known))], v[:own]...)
		if string(known) != word {
			continue
		}
		to = p.end()
		if len(footer) > 0 {
			to = min(at+footer.offset(), to)
		}
		return p.end() - len(v) + own, to, true
	}
	return 0, 0, false
}

// tombstones are the pages of hash tables of deleted rows.
type tombstones [][]byte

func (t tombstones) has(row int64) bool {
	if len(t) == 0 {
		return false
	}
	const header = 8
	table := t[uint64(row)%uint64(len(t))]
	if len(table) < header {
		return false
	}
	width := 8
	if table[0] == 4 {
		width = 4
	}
	slots := uint64(len(table)-header) / uint64(width)
	for i := range slots {
		at := header + int((uint64(row)/uint64(len(t))+i)%slots)*width
		var known int64
		if width == 4 {
			known = int64(binary.BigEndian.Uint32(table[at:]))
		} else {
			known = int64(binary.BigEndian.Uint64(table[at:]))
		}
		if known == row || known == 0 {
			return known == row
		}
	}
	return false
}

// varints are numbers of 1 to 9 bytes, one after the other. Behind the last, all are 0.
type varints []byte

func (v *varints) next() uint64 {
	n, size := varint(*v)
	*v = (*v)[size:]
	return n
}

// offset returns the next number as an offset or a size in a page. One in a damaged page may
// be too large for an int.
func (v *varints) offset() int { return int(min(v.next(), math.MaxInt32)) }

// varint returns the number at the start of p and its size in bytes. Of nine bytes, the last
// counts whole.
func varint(p []byte) (n uint64, size int) {
	for i, b := range p {
		if i == 8 {
			return n<<8 | uint64(b), 9
		}
		n = n<<7 | uint64(b&0x7f)
		if b < 0x80 {
			return n, i + 1
		}
	}
	return 0, len(p)
}
