package sqlite

import (
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/words"
)

// partBits gives each part of the index 2^40 docs.
const partBits = 40

// talkParts is the first part for sections of transcripts. They are searched
// apart from memories and notes, whose part is the number of the brain.
const talkParts = 1 << 22

// partOf returns the part of the index with this brain's transcripts, or with
// everything else.
func (t *tx) partOf(talk bool) int64 {
	if talk {
		return talkParts + t.s.brain
	}
	return t.s.brain
}

// part counts the changes of an Update to one part of the index.
type part struct {
	next        int64
	docs, terms int // differences, of docs that are not past
}

func (t *tx) part(no int64) *part {
	p := t.changes.parts[no]
	if p == nil {
		p = &part{}
		t.changes.parts[no] = p
		if no == t.partOf(false) && !t.loaded {
			p.next = t.changes.was.next
			return p
		}
		_ = t.one(brief(t.ctx), `SELECT ifnull((SELECT next FROM part WHERE part = ?), 1)`, []any{no}, &p.next)
	}
	return p
}

// indexed is a text as the index holds it.
type indexed struct {
	fields [3]string // the terms of each, between blanks
	size   int       // in terms without stop words, see [brain.IndexedText.Length]
	stems  []string  // terms that can be stand-ins
}

func indexedOf(x brain.IndexedText) indexed {
	out := indexed{}
	for i, field := range [3]string{x.Name, x.Content, x.Rest} {
		terms, compounds := words.Split(field)
		for _, term := range terms {
			switch {
			case words.IsStandIn(term): // no stop word is
				out.stems = append(out.stems, term)
				out.size++
			case !words.Stop(term):
				out.size++
			}
		}
		out.stems = append(out.stems, slices.DeleteFunc(slices.Clone(compounds), func(c string) bool { return !words.IsStandIn(c) })...)
		out.fields[i] = strings.Join(append(terms, compounds...), " ")
	}
	return out
}

// readAhead reads the words of texts that will be indexed next. That takes a third of the
// time of storing them, so it is done on every processor.
func (t *tx) readAhead(texts []brain.IndexedText) {
	clear(t.changes.indexed)
	for i, read := range readTexts(texts) {
		t.changes.indexed[texts[i]] = read
	}
}

// readTexts reads the words of texts on every processor.
func readTexts(texts []brain.IndexedText) []indexed {
	read := make([]indexed, len(texts))
	var work sync.WaitGroup
	for i, x := range texts {
		work.Go(func() { read[i] = indexedOf(x) })
	}
	work.Wait()
	return read
}

// fieldWeights are those of the search contract: name, content, rest.
var fieldWeights = [3]int{2, 1, 1}

// doc is an entry of the index.
type doc struct {
	id      int64
	past    bool // none of its memories is current
	section bool
	size    int // in terms, without stop words
}

func (d doc) part() int64 { return d.id >> partBits }

// table returns the full-text table with the words of a doc.
func (d doc) table() string {
	switch {
	case d.part() >= talkParts:
		return "talk_fts"
	case d.past:
		return "past_fts"
	}
	return "current_fts"
}

// docFor returns the doc for the text of a memory: its own if the text stays, that of the
// memory it was promoted from, or a new one.
func (t *tx) docFor(m *brain.Memory) int64 {
	old, exists := t.changes.memories[m.ID]
	if exists && old.Indexed() == m.Indexed() {
		t.changes.turn(old.doc, old.Current(), m.Current())
		return old.doc
	}
	if exists {
		t.changes.leave(old.doc)
	}
	if from, ok := t.changes.memories[m.PromotedFrom]; ok && !exists && from.Indexed() == m.Indexed() {
		t.changes.turn(from.doc, false, m.Current())
		return from.doc
	}
	return t.addDoc(m.Indexed(), t.partOf(false), !m.Current(), false).id
}

func (t *tx) addDoc(x brain.IndexedText, no int64, past, section bool) doc {
	read, known := t.changes.indexed[x]
	if !known {
		read = indexedOf(x)
	}
	p := t.part(no)
	d := doc{id: no<<partBits | p.next, past: past, section: section, size: read.size}
	p.next++
	t.exec(`INSERT INTO doc (doc, past, section, size) VALUES (?, ?, ?, ?)`, d.id, past, section, d.size)
	t.addWords(d, read)
	return d
}

func (t *tx) addWords(d doc, read indexed) {
	t.tally(d, 1)
	if d.table() == "current_fts" {
		for _, term := range read.stems {
			t.changes.stems[term] = true
		}
	}
	t.exec(addWordsQuery(d), ftsRow(d), read.fields[0], read.fields[1], read.fields[2])
}

func addWordsQuery(d doc) string {
	return `INSERT INTO ` + d.table() + ` (rowid, name, content, rest) VALUES (?, ?, ?, ?)`
}

func (t *tx) dropWords(d doc) {
	t.tally(d, -1)
	t.exec(`DELETE FROM `+d.table()+` WHERE rowid = ?`, ftsRow(d))
}

func (t *tx) dropDoc(d doc) {
	t.dropWords(d)
	t.dropVector(d.id)
	t.exec(`DELETE FROM doc WHERE doc = ?`, d.id)
}

// tally adds a doc to the counts of its part, or takes it off.
func (t *tx) tally(d doc, sign int) {
	if !d.past {
		p := t.part(d.part())
		p.docs += sign
		p.terms += sign * d.size
	}
}

// finishIndex moves, drops and counts the docs that this Update changed.
func (t *tx) finishIndex() {
	if moved := t.changes.moved(); len(moved) > 0 {
		t.moveDocs(moved)
	}
	for no, p := range t.changes.parts {
		t.exec(`INSERT INTO part (part, next, docs, terms) VALUES (?, ?, ?, ?)
			ON CONFLICT (part) DO UPDATE SET next = excluded.next, docs = docs + excluded.docs, terms = terms + excluded.terms`,
			no, p.next, p.docs, p.terms)
	}
	t.finishVectors()
	t.finishStems()
}

const docStateQuery = `SELECT d.doc, d.past, d.size, count(m.seq),
		ifnull(max(` + isCurrent + `), 0)
	FROM json_each(?) j CROSS JOIN doc d ON d.doc = j.value
	LEFT JOIN memory m ON m.doc = d.doc GROUP BY j.key`

// moveDocs drops docs without memories, and moves docs whose memories became
// current or past.
func (t *tx) moveDocs(ids []int64) {
	type state struct {
		doc
		memories int
		current  bool
	}
	dest := func(d *state) []any { return []any{&d.id, &d.past, &d.size, &d.memories, &d.current} }
	states, _ := keyed(t, dest, docStateQuery, distinctJSON(ids)) // fail keeps the error
	for _, d := range states {
		switch {
		case d.memories == 0:
			t.dropDoc(d.doc)
		case d.current == d.past:
			t.moveDoc(d.doc)
		}
	}
}

// moveDoc moves a doc between the tables of current and past texts. The tables do not store
// texts, so its words are computed again.
func (t *tx) moveDoc(d doc) {
	t.dropWords(d)
	var m brain.Memory
	_ = t.one(t.ctx, `SELECT `+memories().selected+` FROM memory m WHERE m.doc = ? LIMIT 1`, []any{d.id}, memories().dest(&m)...)
	d.past = !d.past
	t.dropVector(d.id)
	t.exec(`UPDATE doc SET past = ?, model = 0 WHERE doc = ?`, d.past, d.id)
	t.addWords(d, indexedOf(m.Indexed()))
}

// The number of a row of a full-text table says what a score needs of its doc besides
// the words, so that a search reads nothing else of thousands of docs:
// part << 40 | count << 9 | section << 8 | class of its size. The part and the count are
// those of the doc. It is part of the file format.
const (
	countShift  = 9
	sectionFlag = 1 << 8
	sizeClasses = 1 << 8
)

func ftsRow(d doc) int64 {
	row := d.part()<<partBits | d.id&(1<<partBits-1)<<countShift | int64(sizeClass(d.size))
	if d.section {
		row |= sectionFlag
	}
	return row
}

// docOf returns the doc of a row, and whether it is that of a section.
func docOf(row int64) (doc int64, section bool) {
	part, count := row>>partBits, row&(1<<partBits-1)>>countShift
	return part<<partBits | count, row&sectionFlag != 0
}

// Sizes below exactSizes have a class each, larger ones share one with those up to 4 %
// larger.
const (
	exactSizes         = 128
	classesPerDoubling = 16
)

func sizeClass(size int) int {
	if size < exactSizes {
		return size
	}
	class := exactSizes + math.Log2(float64(size)/exactSizes)*classesPerDoubling
	return min(int(math.Round(class)), sizeClasses-1)
}

// classSize returns a size of the class of a row.
func classSize(class int) float64 {
	if class < exactSizes {
		return float64(class)
	}
	return exactSizes * math.Exp2(float64(class-exactSizes)/classesPerDoubling)
}
