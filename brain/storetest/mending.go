package storetest

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/brainbridge/brainbridge/brain"
)

func mendCases() []testCase {
	return []testCase{
		{"a sound brain has no defects, and a repair changes nothing", mendSound},
		{"what is set aside is kept raw, and leaves no trace", setAside},
		{"what cannot be kept is not set aside", setAsideFails},
	}
}

// mendSound changes the brain in every way that may leave helper values behind.
func mendSound(t *testing.T, b *db) {
	all := fillSound(b).Memories
	m := all[slices.IndexFunc(all, func(m brain.Memory) bool { return m.Tier.Live() && !m.Entity })]
	m.Tier, m.Energy = "expired", 0.2
	b.putLives(m)
	m.Content = "a tapir, then"
	m.Complete()
	b.put(m)
	putVector(b, m)
	inspected(t, b)
	before := dump(b)
	works(t, "repair", b.Repair(b.ctx(), func(raw []json.RawMessage) error { t.Errorf("it takes out %s", raw); return nil }))
	inspected(t, b)
	same(t, "the brain", before, dump(b))
	same(t, "found", []string{m.ID}, b.find("tapir"))
}

// putVector gives a memory a vector.
func putVector(b *db, m brain.Memory) {
	b.t.Helper()
	b.update(func(tx brain.Tx) error {
		return tx.PutVectors("model", brain.Embedded{Passage: m.Passage(), Values: []float32{0.6, 0, 0.8}})
	})
}

// fillSound is fillBrain with memories as captures store them.
func fillSound(b *db) brain.Page {
	b.t.Helper()
	p := fillBrain(b)
	for i := range p.Memories {
		p.Memories[i].Complete()
	}
	b.put(p.Memories...)
	return whole(p)
}

// inspected fails the test for each defect.
func inspected(t *testing.T, b *db) {
	t.Helper()
	defects, err := b.Inspect(b.ctx())
	works(t, "inspect", err)
	for _, d := range defects {
		t.Errorf("a defect: %+v", d)
	}
}

// everyKind names one of each kind in a page.
func everyKind(p brain.Page) []brain.Unreadable {
	rel := brain.UnreadableRelation(&p.Relations[0])
	rel.Why = "its end is damaged"
	return []brain.Unreadable{
		{Kind: brain.MemoryNode, ID: p.Memories[0].ID, Why: "a flipped bit"},
		{Kind: brain.SourceNode, ID: p.Sources[0].ID},
		rel,
		{Kind: brain.SectionNode, ID: p.Sections[0].ID},
		{Kind: string(p.Records[0].Kind), ID: p.Records[0].ID},
		{Kind: brain.MemoryNode, ID: "nobody"},
		{},
		{Kind: brain.RelationNode, ID: "from nowhere to"},
	}
}

func setAside(t *testing.T, b *db) {
	p := fillSound(b)
	content := p.Memories[0].Content
	var lines []string
	works(t, "set aside", b.SetAside(b.ctx(), everyKind(p), func(raw []json.RawMessage) error {
		for _, r := range raw {
			lines = append(lines, string(r))
		}
		return nil
	}))
	same(t, "lines", 5, len(lines))
	kept := strings.Join(lines, "\n")
	for _, want := range []string{content, "a flipped bit", p.Sources[0].ID, p.Sections[0].Text, p.Records[0].ID, p.Relations[0].From, `"relations":[{`} {
		if !strings.Contains(kept, want) {
			t.Errorf("%q is not kept: %s", want, kept)
		}
	}
	gone := map[string]bool{p.Memories[0].ID: true, p.Sources[0].ID: true, p.Sections[0].ID: true}
	left := brain.Page{Memories: p.Memories[1:], Sources: p.Sources[1:], Sections: p.Sections[1:], Records: p.Records[1:]}
	left.Relations = slices.DeleteFunc(slices.Clone(p.Relations[1:]), func(r brain.Relation) bool { return gone[r.From] || gone[r.To] })
	same(t, "what is left", whole(left), dump(b))
	if ids := b.find(content); slices.Contains(ids, p.Memories[0].ID) {
		t.Error("it is found")
	}
	inspected(t, b)
}

func setAsideFails(t *testing.T, b *db) {
	p := fillSound(b)
	full := errors.New("the disk is full")
	if err := b.SetAside(b.ctx(), everyKind(p), func([]json.RawMessage) error { return full }); !errors.Is(err, full) {
		t.Errorf("error is %v, want that of keep", err)
	}
	same(t, "the brain", p, dump(b))
}
