package sqlite

import (
	"fmt"

	"github.com/brainbridge/brainbridge/brain"
)

// writtenQuery reads the memories of a part of the index by doc and seq. A new text gets
// the next doc number, which is never used again. A promoted copy has the doc of its
// original and a new seq.
func writtenQuery() string {
	return `SELECT ` + memories().selected + `, m.doc, m.seq FROM memory m INDEXED BY memory_doc
		WHERE m.doc >= ?1 AND m.doc < ?2 AND (m.doc > ?1 OR m.seq > ?3) ORDER BY m.doc, m.seq LIMIT +?4`
}

// Written returns memories in the order of their texts. A mark has the token of the file,
// and the doc and the seq of the memory that it is after.
func (t *tx) Written(after string, limit int) ([]brain.Memory, string, error) {
	var doc, seq int64
	part, mark := t.partOf(false), t.s.token+".%d.%d"
	if n, _ := fmt.Sscanf(after, mark, &doc, &seq); n < 2 || doc>>partBits != part {
		doc, seq = part<<partBits, 0
	}
	dest := func(m *brain.Memory) []any { return append(memories().dest(m), &doc, &seq) }
	ms, err := collect(t, dest, writtenQuery(), doc, (part+1)<<partBits, seq, max(limit, 0))
	if err != nil {
		return nil, "", err
	}
	return ms, fmt.Sprintf(mark, doc, seq), nil
}
