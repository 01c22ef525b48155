package sqlite

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/brainbridge/brainbridge/brain"
)

// writtenQuery reads the memories of a part of the index by doc and seq. A new text gets
// the next doc number, which is never used again. A promoted copy has the doc of its
// original and a new seq.
func writtenQuery() string {
	return `SELECT ` + memories().selected + `, m.doc, m.seq FROM memory m INDEXED BY memory_doc
		WHERE m.doc >= ?1 AND m.doc < ?2 AND (m.doc > ?1 OR m.seq > ?3) ORDER BY m.doc, m.seq LIMIT +?4`
}

// mark is a place in the order of texts: after the memory with this seq.
type mark struct{ doc, seq int64 }

// Written returns memories in the order of their texts.
func (t *tx) Written(after string, limit int) ([]brain.Memory, string, error) {
	part := t.partOf(false)
	at := t.parseMark(after, part)
	dest := func(m *brain.Memory) []any { return append(memories().dest(m), &at.doc, &at.seq) }
	ms, err := collect(t, dest, writtenQuery(), at.doc, (part+1)<<partBits, at.seq, max(limit, 0))
	if err != nil {
		return nil, "", err
	}
	return ms, fmt.Sprintf("%s.%d.%d", t.s.token, at.doc, at.seq), nil
}

// parseMark returns the place of a mark, or the beginning of the part if the mark
// is not from this brain.
func (t *tx) parseMark(s string, part int64) mark {
	fields := strings.Split(s, ".")
	if len(fields) == 3 && fields[0] == t.s.token {
		doc, err1 := strconv.ParseInt(fields[1], 10, 64)
		seq, err2 := strconv.ParseInt(fields[2], 10, 64)
		if err1 == nil && err2 == nil && doc>>partBits == part {
			return mark{doc, seq}
		}
	}
	return mark{doc: part << partBits}
}
