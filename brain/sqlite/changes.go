package sqlite

import (
	"maps"
	"slices"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/tiers"
)

// changes tracks the memories that an Update reads and writes, and the changes to the
// search index and the counts that are due at its end.
type changes struct {
	was      begun
	failed   error           // of the first statement that failed
	known    map[string]bool // ids that were looked up or written: whether a node has them
	memories map[string]stored
	moves    map[int64]move // docs whose memories changed
	parts    map[int64]*part
	stems    map[string]bool               // terms of current docs that can be stand-ins
	census   map[class]headcount           // differences
	indexed  map[brain.IndexedText]indexed // read ahead

	unembedded []int64 // docs that lost their vector
}

func newChanges(was begun) *changes {
	return &changes{
		was: was, known: map[string]bool{},
		memories: map[string]stored{}, moves: map[int64]move{},
		parts: map[int64]*part{}, stems: map[string]bool{}, census: map[class]headcount{}, indexed: map[brain.IndexedText]indexed{},
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
		c.count(&old.Memory, -1)
	}
	c.count(&m, 1)
	c.remember(m, doc)
}

func (c *changes) remove(id string) {
	old, exists := c.memories[id]
	if !exists {
		return
	}
	c.count(&old.Memory, -1)
	c.leave(old.doc)
	delete(c.memories, id)
	c.known[id] = false
}

// current returns the number of current memories after the changes.
func (c *changes) current() int {
	n := c.was.memories
	for in, h := range c.census {
		if in.tier.Current() {
			n += int(h.memories)
		}
	}
	return n
}

// move is a change of the memories of a doc.
type move struct {
	current int  // how many more of them are current
	left    bool // one of them is no longer in it
}

// turn notes that a memory of a doc became current, or ceased to be.
func (c *changes) turn(doc int64, was, is bool) {
	m := c.moves[doc]
	switch {
	case is && !was:
		m.current++
	case was && !is:
		m.current--
	}
	c.moves[doc] = m
}

// leave records that a memory is no longer in a doc.
func (c *changes) leave(doc int64) { c.moves[doc] = move{c.moves[doc].current, true} }

// moved returns the docs that may have to be moved or deleted, ascending: those that lost a
// memory or whose number of current memories changed.
func (c *changes) moved() []int64 {
	maps.DeleteFunc(c.moves, func(_ int64, m move) bool { return m == move{} })
	return slices.Sorted(maps.Keys(c.moves))
}

// class is the key by which the census counts memories.
type class struct {
	tier tiers.Tier
	kind string // memory type
}

// headcount is the number of memories of a class, how many of them have a
// created, and the sum of those in Unix seconds.
type headcount struct{ memories, dated, born int64 }

// count adds a memory to the census, or takes it off.
func (c *changes) count(m *brain.Memory, sign int64) {
	in := class{m.Tier, m.MemoryType}
	h := c.census[in]
	h.memories += sign
	if !m.Created.IsZero() {
		h.dated += sign
		h.born += sign * (m.Created.UnixMilli() / 1000)
	}
	c.census[in] = h
}

func (t *tx) finishCensus() {
	for in, h := range t.changes.census {
		if h == (headcount{}) {
			continue
		}
		t.exec(`INSERT INTO census (part, tier, memory_type, memories, dated, born) VALUES (?, ?, ?, ?, ?, ?)
			ON CONFLICT (part, tier, memory_type) DO UPDATE SET memories = memories + excluded.memories,
				dated = dated + excluded.dated, born = born + excluded.born`,
			t.partOf(false), string(in.tier), in.kind, h.memories, h.dated, h.born)
	}
}

type counted struct {
	class
	headcount
}

const censusQuery = `SELECT tier, memory_type, memories, dated, born FROM census WHERE part = ?1 AND memories > 0`

func (t *tx) census() ([]counted, error) {
	dest := func(c *counted) []any { return []any{&c.tier, &c.kind, &c.memories, &c.dated, &c.born} }
	return collect(t, dest, censusQuery, t.partOf(false))
}
