package sqlite

import (
	"maps"
	"slices"
	"strings"
)

// partBits is how many docs one part of the index can ever have (2^40).
const partBits = 40

// changes is what an Update keeps in mind until its end.
type changes struct {
	failed  error
	touched map[int64]struct{} // docs whose memories changed
	parts   map[int64]*part
}

// part counts what an Update does to one part of the index.
type part struct {
	next        int64
	docs, terms int // differences
}

// touch notes that a doc may have to move, or to go.
func (c *changes) touch(doc int64) {
	if c.touched == nil {
		c.touched = map[int64]struct{}{}
	}
	c.touched[doc] = struct{}{}
}

// partOf is the part of a brain's tests or of the rest.
func (t *tx) partOf(test bool) int64 {
	p := t.s.brain * 2
	if test {
		p++
	}
	return p
}

func (t *tx) part(no int64) (*part, error) {
	if p := t.changes.parts[no]; p != nil {
		return p, nil
	}
	p := &part{}
	const query = `SELECT ifnull((SELECT next FROM part WHERE part = ?), 1)`
	if err := t.c.one(t.ctx, query, []any{no}, &p.next); err != nil {
		return nil, err
	}
	if t.changes.parts == nil {
		t.changes.parts = map[int64]*part{}
	}
	t.changes.parts[no] = p
	return p, nil
}

// addDoc indexes a text as a new doc.
func (t *tx) addDoc(x indexed, test, past, section bool) (docState, error) {
	no := t.partOf(test)
	p, err := t.part(no)
	if err != nil {
		return docState{}, err
	}
	terms := x.terms()
	d := docState{doc: no<<partBits | p.next, past: past, size: len(terms[0]) + len(terms[1]) + len(terms[2])}
	p.next++
	err = t.exec(`INSERT INTO doc (doc, past, section, size, counts) VALUES (?, ?, ?, ?, ?)`,
		d.doc, past, section, d.size, encodeCounts(terms, fieldWeights))
	if err != nil {
		return d, err
	}
	return d, t.addWords(d, terms)
}

// addWords writes the row of the full-text table.
func (t *tx) addWords(d docState, terms [3][]string) error {
	query := `INSERT INTO past_fts (rowid, name, content, tags) VALUES (?, ?, ?, ?)`
	if !d.past {
		query = `INSERT INTO current_fts (rowid, name, content, tags) VALUES (?, ?, ?, ?)`
		if err := t.tally(d.doc, 1, d.size); err != nil {
			return err
		}
	}
	return t.exec(query, d.doc, strings.Join(terms[0], " "), strings.Join(terms[1], " "), strings.Join(terms[2], " "))
}

// dropWords removes the row of the full-text table.
func (t *tx) dropWords(d docState) error {
	if d.past {
		return t.exec(`DELETE FROM past_fts WHERE rowid = ?`, d.doc)
	}
	if err := t.tally(d.doc, -1, -d.size); err != nil {
		return err
	}
	return t.exec(`DELETE FROM current_fts WHERE rowid = ?`, d.doc)
}

func (t *tx) dropDoc(d docState) error {
	if err := t.dropWords(d); err != nil {
		return err
	}
	return t.exec(`DELETE FROM doc WHERE doc = ?`, d.doc)
}

// tally counts docs and terms of current_fts.
func (t *tx) tally(doc int64, docs, terms int) error {
	p, err := t.part(doc >> partBits)
	if err != nil {
		return err
	}
	p.docs += docs
	p.terms += terms
	return nil
}

// docState is a touched doc: where it is, and what its memories are now.
type docState struct {
	doc      int64
	past     bool
	size     int
	memories int
	current  bool
}

// flushIndex moves, drops and counts what this Update changed.
func (t *tx) flushIndex() error {
	touched := slices.Sorted(maps.Keys(t.changes.touched))
	if len(touched) > 0 {
		if err := t.settleDocs(touched); err != nil {
			return err
		}
	}
	for _, no := range slices.Sorted(maps.Keys(t.changes.parts)) {
		p := t.changes.parts[no]
		err := t.exec(`INSERT INTO part (part, next, docs, terms) VALUES (?, ?, ?, ?)
			ON CONFLICT (part) DO UPDATE SET next = excluded.next, docs = docs + excluded.docs, terms = terms + excluded.terms`,
			no, p.next, p.docs, p.terms)
		if err != nil {
			return err
		}
	}
	return nil
}

const docStateQuery = `SELECT d.doc, d.past, d.size, count(m.seq),
		ifnull(max(m.tier IN ` + currentTiers + `), 0)
	FROM json_each(?) j CROSS JOIN doc d ON d.doc = j.value
	LEFT JOIN memory m ON m.doc = d.doc GROUP BY j.key`

func (t *tx) settleDocs(docs []int64) error {
	dest := func(d *docState) []any { return []any{&d.doc, &d.past, &d.size, &d.memories, &d.current} }
	states, err := collect(t, dest, docStateQuery, asJSON(docs))
	if err != nil {
		return err
	}
	for _, d := range states {
		switch {
		case d.memories == 0:
			err = t.dropDoc(d)
		case d.current == d.past:
			err = t.moveDoc(d)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// moveDoc moves a doc between the table of what is current and that of the
// past. The tables keep no text, so its words are made again.
func (t *tx) moveDoc(d docState) error {
	if err := t.dropWords(d); err != nil {
		return err
	}
	var x indexed
	err := t.c.one(t.ctx, `SELECT name, content, tags FROM memory WHERE doc = ? LIMIT 1`,
		[]any{d.doc}, &x.name, &x.content, list{&x.tags})
	if err != nil {
		return err
	}
	d.past = !d.past
	if err := t.exec(`UPDATE doc SET past = ? WHERE doc = ?`, d.past, d.doc); err != nil {
		return err
	}
	return t.addWords(d, x.terms())
}
