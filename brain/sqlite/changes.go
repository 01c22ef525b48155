package sqlite

import (
	"slices"

	"github.com/brainbridge/brainbridge/brain"
)

// changes tracks the memories that an Update reads and writes, and what is due at its end.
type changes struct {
	failed   error           // of the first statement that failed
	known    map[string]bool // ids that were looked up or written: whether a node has them
	memories map[string]stored
	docs     map[int64]bool    // that lost a memory, or whose memories may be past or current now
	tally    map[string][2]int // differences of the numbers and sizes in the table tally
	recount  bool              // a damaged memory may be replaced or removed, whose tier is not known
}

func newChanges() *changes {
	return &changes{
		known: map[string]bool{}, memories: map[string]stored{}, docs: map[int64]bool{},
		tally: map[string][2]int{},
	}
}

// stored is a memory as it is in the database, and the doc with its text.
type stored struct {
	brain.Memory
	doc int64
}

// remember stores a copy of a memory that was read or written, because the caller may
// change its tags in place.
func (c *changes) remember(m brain.Memory, doc int64) {
	m.Tags = slices.Clone(m.Tags)
	c.known[m.ID] = true
	c.memories[m.ID] = stored{m, doc}
}

// replace records that a memory is inserted or replaced.
func (c *changes) replace(m brain.Memory, doc int64) {
	if old, exists := c.memories[m.ID]; exists {
		c.count(string(old.Tier), -1, 0)
	}
	c.count(string(m.Tier), 1, 0)
	c.remember(m, doc)
}

func (c *changes) remove(id string) {
	if old, exists := c.memories[id]; exists {
		c.count(string(old.Tier), -1, 0)
		c.docs[old.doc] = true
		delete(c.memories, id)
		c.known[id] = false
	}
}

// count adds to what the table tally has.
func (c *changes) count(what string, number, size int) {
	n := c.tally[what]
	c.tally[what] = [2]int{n[0] + number, n[1] + size}
}

// countDoc adds a doc to the current texts, or takes it off.
func (c *changes) countDoc(d doc, sign int) {
	if !d.past {
		c.count(wordsOf(d.talk), sign, sign*d.size)
	}
}

// wordsOf is what the table tally calls the texts in a table of words.
func wordsOf(talk bool) string {
	if talk {
		return "talk"
	}
	return "notes"
}

// finishTally stores the differences.
func (t *tx) finishTally() {
	var rows [][3]any
	for what, n := range t.changes.tally {
		if n != [2]int{} {
			rows = append(rows, [3]any{what, n[0], n[1]})
		}
	}
	if len(rows) > 0 {
		t.exec(`INSERT INTO tally SELECT ?1, value ->> 0, value ->> 1, value ->> 2 FROM json_each(?2) WHERE true
			ON CONFLICT (brain, what) DO UPDATE SET number = number + excluded.number, size = size + excluded.size`, t.s.brain, distinctJSON(rows))
	}
	if t.changes.recount {
		t.exec("DELETE FROM tally WHERE brain = ? AND what NOT IN ('notes', 'talk')", t.s.brain)
		t.exec("INSERT INTO tally SELECT brain, tier, count(*), 0 FROM memory WHERE brain = ? GROUP BY tier", t.s.brain)
	}
}
