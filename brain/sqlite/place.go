package sqlite

import (
	"slices"
	"strings"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/words"
	"github.com/brainbridge/brainbridge/tiers"
)

// place is where a text stands in the index, and what text that is.
type place struct {
	doc     int64
	test    bool
	current bool
	text    indexed
}

// indexed is the text of a doc. That of a section has no tags.
type indexed struct {
	name, content string
	tags          []string
}

func (x indexed) equal(y indexed) bool {
	return x.name == y.name && x.content == y.content && slices.Equal(x.tags, y.tags)
}

func textOf(m *brain.Memory) indexed { return indexed{m.Name, m.Content, m.Tags} }

// terms makes the words of the three fields.
func (x indexed) terms() [3][]string {
	return [3][]string{words.Terms(x.name), words.Terms(x.content), words.Terms(strings.Join(x.tags, "\n"))}
}

// fieldWeights are those of the search contract: name, content, tags.
var fieldWeights = [3]int{2, 1, 1}

// placesOf reads the places of memories that are stored already and of those
// that they were promoted from.
func (t *tx) placesOf(ms []brain.Memory) (map[string]place, error) {
	ids := make([]string, 0, 2*len(ms))
	for _, m := range ms {
		ids = append(ids, m.ID)
		if m.PromotedFrom != "" {
			ids = append(ids, m.PromotedFrom)
		}
	}
	type row struct {
		id   string
		tier tiers.Tier
		p    place
	}
	dest := func(r *row) []any {
		return []any{&r.id, &r.tier, &r.p.doc, &r.p.test, &r.p.text.name, &r.p.text.content, list{&r.p.text.tags}}
	}
	rows, err := collect(t, dest, byID("memory", "id, tier, doc, is_test, name, content, tags", "id"), asJSON(ids), t.s.brain)
	known := make(map[string]place, len(rows))
	for _, r := range rows {
		r.p.current = current(r.tier)
		known[r.id] = r.p
	}
	return known, err
}

// tiersOf reads doc and currency of memories, without their text.
func (t *tx) tiersOf(ms []brain.Memory) (map[string]place, error) {
	ids := make([]string, len(ms))
	for i, m := range ms {
		ids[i] = m.ID
	}
	type row struct {
		id   string
		tier tiers.Tier
		doc  int64
	}
	dest := func(r *row) []any { return []any{&r.id, &r.tier, &r.doc} }
	rows, err := collect(t, dest, byID("memory", "id, tier, doc", "id"), asJSON(ids), t.s.brain)
	known := make(map[string]place, len(rows))
	for _, r := range rows {
		known[r.id] = place{doc: r.doc, current: current(r.tier)}
	}
	return known, err
}

// place says where the text of m is to stand, and sees to it that the index
// has it there when the transaction ends.
func (t *tx) place(m *brain.Memory, known map[string]place) (place, error) {
	p := place{test: m.IsTest, current: current(m.Tier), text: textOf(m)}
	same := func(o place) bool { return o.test == p.test && o.text.equal(p.text) }
	old, exists := known[m.ID]
	if exists && same(old) {
		p.doc = old.doc
		if old.current != p.current {
			t.changes.touch(p.doc)
		}
		return p, nil
	}
	if exists {
		t.changes.touch(old.doc) // left, and dropped if nobody else is there
	}
	if from, ok := known[m.PromotedFrom]; ok && !exists && same(from) {
		p.doc = from.doc
		t.changes.touch(p.doc)
		return p, nil
	}
	d, err := t.addDoc(p.text, m.IsTest, !p.current, false)
	p.doc = d.doc
	return p, err
}
