package sqlite

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/words"
)

// doc is a row of the table doc.
type doc struct {
	id         int64
	talk, past bool
	size       int // in terms, without stop words
}

// wordsTable returns the full-text table of notes and memories, or that of transcripts.
func wordsTable(talk bool) string {
	if talk {
		return "talk_words"
	}
	return "words"
}

// wordMark returns what stands before each word of the texts of a brain.
func wordMark(brainNo int64, past bool) string {
	if past {
		return fmt.Sprintf("%dp·", brainNo)
	}
	return fmt.Sprintf("%d·", brainNo)
}

// indexed has the words of a text.
type indexed struct {
	fields [3][]string
	size   int // number of terms without stop words, see [brain.IndexedText.Length]
}

func indexedOf(x brain.IndexedText) (read indexed) {
	for i, field := range [3]string{x.Name, x.Content, x.Rest} {
		terms, compounds := words.Split(field)
		for _, term := range terms {
			if !words.Stop(term) {
				read.size++
			}
		}
		read.fields[i] = append(terms, compounds...)
	}
	return read
}

// insertWords indexes the words of a doc.
func (t *tx) insertWords(brainNo int64, d doc, read indexed) {
	mark, args := wordMark(brainNo, d.past), []any{d.id}
	for _, terms := range read.fields {
		var field strings.Builder
		for _, term := range terms {
			field.WriteString(mark + term + " ")
		}
		args = append(args, field.String())
	}
	t.exec(`INSERT INTO `+wordsTable(d.talk)+` (rowid, name, content, rest) VALUES (?, ?, ?, ?)`, args...)
}

// docFor returns the doc for the text of a memory: its own if the text stays, that of the
// memory that it was archived from, or a new one.
func (t *tx) docFor(m *brain.Memory) int64 {
	old, exists := t.changes.memories[m.ID]
	switch {
	case exists && old.Indexed() == m.Indexed():
		if old.Current() != m.Current() {
			t.changes.docs[old.doc] = true
		}
		return old.doc
	case exists:
		t.changes.docs[old.doc] = true
	case !m.Current():
		for _, other := range t.changes.memories {
			if other.ContentHash == m.ContentHash && other.Indexed() == m.Indexed() {
				t.changes.docs[other.doc] = true
				return other.doc
			}
		}
	}
	return t.addDoc(m.ID, m.Indexed(), false, !m.Current()).id
}

// addDoc adds the text of a node. In a rebuild it keeps its doc, which several memories may have.
func (t *tx) addDoc(id string, x brain.IndexedText, talk, past bool) doc {
	read := indexedOf(x)
	d := doc{talk: talk, past: past, size: read.size}
	var number any // the next
	if before := t.docs[id]; before != 0 {
		number = before
	}
	done := t.exec(`INSERT INTO doc (doc, brain, talk, past, size) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`, number, t.s.brain, d.talk, d.past, d.size)
	if done == nil {
		return d
	}
	if n, _ := done.RowsAffected(); n == 0 {
		d.id = t.docs[id]
		t.changes.docs[d.id] = true
		return d
	}
	d.id, _ = done.LastInsertId() // the driver always has one
	t.addWords(d, read)
	return d
}

func (t *tx) addWords(d doc, read indexed) {
	t.changes.countDoc(d, 1)
	t.insertWords(t.s.brain, d, read)
}

func (t *tx) dropWords(d doc) {
	t.changes.countDoc(d, -1)
	t.exec(`DELETE FROM `+wordsTable(d.talk)+` WHERE rowid = ?`, d.id)
}

func (t *tx) dropDoc(d doc) {
	t.dropWords(d)
	t.exec(`DELETE FROM vector WHERE doc = ?`, d.id)
	t.exec(`DELETE FROM doc WHERE doc = ?`, d.id)
}

const docStateQuery = `SELECT d.doc, d.past, d.size, count(m.seq), ifnull(max(` + isCurrent + `), 0)
	FROM json_each(?1) j CROSS JOIN doc d ON d.doc = j.value
	LEFT JOIN memory m ON m.brain = d.brain AND m.doc = d.doc GROUP BY j.key`

// finishIndex drops the docs that no memory has any more, and moves those that became past or
// current again.
func (t *tx) finishIndex() {
	type state struct {
		doc
		memories int
		current  bool
	}
	if ids := slices.Sorted(maps.Keys(t.changes.docs)); len(ids) > 0 {
		dest := func(d *state) []any { return []any{&d.id, &d.past, &d.size, &d.memories, &d.current} }
		states, _ := collect(t, dest, docStateQuery, distinctJSON(ids)) // fail keeps the error
		for _, d := range states {
			switch {
			case d.memories == 0:
				t.dropDoc(d.doc)
			case d.current == d.past:
				t.moveDoc(d.doc)
			}
		}
	}
}

// moveDoc marks a doc as past, or as current again. The index has no texts, so the words are
// read again.
func (t *tx) moveDoc(d doc) {
	query := `SELECT ` + memories().selected + ` FROM memory m WHERE m.brain = ? AND m.doc = ?`
	ms, _ := collect(t, memories().dest(t), query, t.s.brain, d.id) // fail keeps the error
	if len(ms) == 0 {                                               // all are damaged
		t.dropDoc(d)
		return
	}
	t.dropWords(d)
	t.exec(`DELETE FROM vector WHERE doc = ?`, d.id)
	d.past = !d.past
	t.exec(`UPDATE doc SET past = ?, model = 0 WHERE doc = ?`, d.past, d.id)
	t.addWords(d, indexedOf(ms[0].Indexed()))
}
