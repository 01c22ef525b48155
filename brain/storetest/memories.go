package storetest

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/tiers"
)

func memoryCases() []testCase {
	return []testCase{
		{"every field comes back", memoryRoundTrip},
		{"what is none stays none", memoryEmpty},
		{"texts come back byte for byte", memoryTexts},
		{"instants keep milliseconds and come back in UTC", memoryInstants},
		{"energies come back exactly", memoryEnergies},
		{"a memory of every tier is found by id", memoryTiers},
		{"ids give their order and missing ones are left out", memoryOrder},
		{"no ids give nothing", memoryNone},
		{"5,000 ids at once", memoryMany},
		{"storing again replaces the whole memory", memoryUpsert},
		{"storing again keeps the relations", memoryUpsertRelations},
		{"deleting removes memory and relations", memoryDelete},
		{"deleting what is not there is no error", memoryDeleteMissing},
		{"a deleted memory can be stored again", memoryDeleteAgain},
	}
}

// fullMemory has every field set, each to a value of its own.
func fullMemory() brain.Memory {
	score := 0.1 + 0.2
	id := brain.TestPrefix + NewID()
	return brain.Memory{
		ID: id, Name: "a name", Content: "first line\nsecond line", MemoryType: "decision",
		Tags: []string{"go", "dark mode", "Übung"}, Observations: []string{"one", "two\nlines"},
		Project: "atlas", Agent: "claude", Speaker: "Ada", SessionID: "s-1", Group: "g-1", Position: 7,
		SourceNodeID: "source-1", ContentHash: Hash("content"),
		Extra:   json.RawMessage(`{"big":9007199254740993,"s":"x\"y","list":[1,null,{"a":true}]}`),
		NameKey: Hash("a name"), EntityKey: Hash(id), Root: "root-1",
		State: tiers.State{
			Tier: tiers.Expired, ExpiredFrom: tiers.ShortTerm,
			Energy: 1.25, PeakEnergy: 4.5, LastDecay: Hours(1), Base: 2.5, BaseAt: Hours(2),
			ExpiresAt: Hours(3), PromoteDue: Hours(4), ValidFrom: Hours(5), ValidTo: Hours(6),
			SessionCount: 3, Entity: true,
		},
		Created: Hours(7), PromotedFrom: "original-1", Retention: "permanent",
		AccessCount: 11, RecallCount: 12, UseCount: 13, HelpfulCount: 14, NotHelpfulCount: 15,
		Confirmations: 16, LastAccessed: Hours(8), LastUsed: Hours(9),
		Importance: brain.Critical, Severity: "high", Origin: "import",
		AppliesTo: []string{"neo4j", "sqlite"}, RelevanceScore: &score,
		MergedFrom: []string{"m-1", "m-2"}, ConsolidatedAt: Hours(10), Version: 42,
	}
}

func memoryRoundTrip(t *testing.T, h harness) {
	b := h.brain(t)
	want := fullMemory()
	allSet(t, want)
	b.put(want)
	for _, b := range []*db{b, b.again()} {
		got := b.memory(want.ID)
		same(t, "memory", want, got)
		utc(t, got)
	}
}

func memoryEmpty(t *testing.T, h harness) {
	b := h.brain(t)
	id := NewID()
	want := brain.Memory{
		ID: id, Root: id, Name: "n", Content: "c", MemoryType: "note", ContentHash: Hash("c"),
		Importance: brain.Reference, State: tiers.State{Tier: tiers.Core, ValidFrom: Start},
		Created: Start,
	}
	b.put(want)
	got := b.memory(id)
	same(t, "memory", want, got)
	if got.RelevanceScore != nil {
		t.Errorf("relevanceScore is %v, want none", *got.RelevanceScore)
	}
	zero := 0.0
	want.RelevanceScore = &zero
	b.put(want)
	same(t, "memory with a relevanceScore of 0", want, b.memory(id))
}

func memoryTexts(t *testing.T, h harness) {
	b := h.brain(t)
	texts := map[string]string{
		"quotes":      `'; DROP TABLE memory; -- " ' \ %s $1 {x}`,
		"blanks":      "  leading\r\nand\ttrailing \n\n",
		"scripts":     "e\u0301 é 東京都 👩🏽‍💻 \u202e שלום",
		"controls":    "a\x01b\x00c\x7f",
		"1 MiB":       strings.Repeat("0123456789 abcde", brain.MaxContent/16),
		"one word":    strings.Repeat("x", brain.MaxContent),
		"empty":       "",
		"like cypher": "MATCH (n) DETACH DELETE n //",
	}
	ms := make([]brain.Memory, 0, len(texts))
	for name, text := range texts {
		ms = append(ms, Memory(text, func(m *brain.Memory) { m.Name = name }))
	}
	long := Memory("long names", func(m *brain.Memory) {
		m.Name = strings.Repeat("𝕏", brain.MaxName)
		m.Project, m.MemoryType = strings.Repeat("p", 9000), strings.Repeat("t", 9000)
		m.Tags = []string{strings.Repeat("tag", 9000), "a,b", `"c"`, " d ", "%_"}
	})
	ms = append(ms, long)
	b.put(ms...)
	for i, got := range b.memories(brain.IDs(ms)...) {
		if got.Content != texts[ms[i].Name] && ms[i].ID != long.ID {
			t.Errorf("content %q changed: %d bytes, want %d", ms[i].Name, len(got.Content), len(ms[i].Content))
		}
	}
	same(t, "memory with long names", long, b.memory(long.ID))
}

func memoryInstants(t *testing.T, h harness) {
	b := h.brain(t)
	elsewhere := time.FixedZone("elsewhere", -5*3600)
	instants := map[string]time.Time{
		"last millisecond of a second": time.Date(2026, 12, 31, 23, 59, 59, 999e6, time.UTC),
		"the epoch":                    time.Unix(0, 0).UTC(),
		"a millisecond before it":      time.UnixMilli(-1).UTC(),
		"long before it":               time.Date(1901, 2, 3, 4, 5, 6, 7e6, time.UTC),
		"the end of 9999":              time.Date(9999, 12, 31, 23, 59, 59, 999e6, time.UTC),
		"another zone":                 time.Date(2026, 3, 1, 4, 0, 0, 1e6, elsewhere),
	}
	for name, at := range instants {
		m := Memory("at " + name)
		m.Created, m.ExpiresAt, m.PromoteDue, m.LastUsed = at, at, at, at
		b.put(m)
		got := b.memory(m.ID)
		utc(t, got)
		for field, found := range map[string]time.Time{
			"created": got.Created, "expiresAt": got.ExpiresAt,
			"promoteDue": got.PromoteDue, "lastUsed": got.LastUsed,
		} {
			if !found.Equal(at) {
				t.Errorf("%s: %s is %v, want %v", name, field, found, at)
			}
		}
	}
}

func memoryEnergies(t *testing.T, h harness) {
	b := h.brain(t)
	for _, e := range []float64{0, 0.1 + 0.2, 1e-300, 2.27e-6, 1.0 / 3, tiers.MaxEnergy} {
		m := Memory("energy", func(m *brain.Memory) { m.Energy, m.Base, m.PeakEnergy = e, e, e })
		b.put(m)
		got := b.memory(m.ID)
		if got.Energy != e || got.Base != e || got.PeakEnergy != e {
			t.Errorf("energy %v came back as %v, base %v, peak %v", e, got.Energy, got.Base, got.PeakEnergy)
		}
	}
}

func memoryTiers(t *testing.T, h harness) {
	b := h.brain(t)
	ms := oneOfEachTier("tiered")
	b.put(ms...)
	same(t, "memories", ms, b.memories(brain.IDs(ms)...))
}

func oneOfEachTier(content string) []brain.Memory {
	return brain.Map(tiers.All(), func(t tiers.Tier) brain.Memory { return Memory(content, InTier(t)) })
}

// currentIDs returns the ids of the live and expired memories, in order.
func currentIDs(ms []brain.Memory) (ids []string) {
	for _, m := range ms {
		if m.Current() {
			ids = append(ids, m.ID)
		}
	}
	return sorted(ids...)
}

func memoryOrder(t *testing.T, h harness) {
	b := h.brain(t)
	ms := Memories(5, "ordered")
	b.put(ms...)
	ask := []string{ms[3].ID, "missing", ms[0].ID, uuid.NewString(), ms[4].ID, ms[1].ID}
	want := []string{ms[3].ID, ms[0].ID, ms[4].ID, ms[1].ID}
	same(t, "ids", want, brain.IDs(b.memories(ask...)))
	b.update(func(tx brain.Tx) error {
		got, err := tx.Memories(ask...)
		same(t, "ids inside Update", want, brain.IDs(got))
		return err
	})
}

func memoryNone(t *testing.T, h harness) {
	b := h.brain(t)
	b.put(Memory("there"))
	same(t, "memories", 0, len(b.memories()))
	same(t, "sources", 0, len(b.sources()))
	same(t, "sections", 0, len(b.sections()))
	same(t, "relations", 0, len(b.relations()))
	same(t, "records", 0, len(b.records(brain.RunRecord)))
	b.update(func(tx brain.Tx) error { return tx.PutMemories() })
	b.update(func(tx brain.Tx) error { return tx.DeleteMemories() })
	b.update(func(tx brain.Tx) error { return tx.PutRelations() })
	same(t, "memories that are left", 1, len(b.strongest(brain.ListFilter{Tier: tiers.Working, Limit: 9})))
}

func memoryMany(t *testing.T, h harness) {
	const n = 5000
	b := h.brain(t)
	ms := Memories(40, "among many")
	b.put(ms...)
	ids := make([]string, n)
	var want []string
	for i := range ids {
		ids[i] = NewID()
		if i%(n/len(ms)) == 0 {
			ids[i] = ms[i/(n/len(ms))].ID
			want = append(want, ids[i])
		}
	}
	same(t, "memories in View", want, brain.IDs(b.memories(ids...)))
	same(t, "relations of 5,000 ids", 0, len(b.relations(ids...)))
	b.update(func(tx brain.Tx) error {
		got, err := tx.Memories(ids...)
		same(t, "memories in Update", want, brain.IDs(got))
		return err
	})
	b.deleteMemories(ids...)
	same(t, "memories after deleting 5,000 ids", 0, len(b.memories(ids...)))
}

func memoryUpsert(t *testing.T, h harness) {
	b := h.brain(t)
	first := fullMemory()
	b.put(first)
	second := Memory("other text", func(m *brain.Memory) { m.ID, m.Root = first.ID, first.ID })
	b.put(second)
	same(t, "memory", second, b.memory(first.ID))
	same(t, "memories with the entity key it gave up", 0, len(entities(b, first.EntityKey)))
	b.put(first, second, first)
	same(t, "memory stored three times at once", first, b.memory(first.ID))
}

func memoryUpsertRelations(t *testing.T, h harness) {
	b := h.brain(t)
	s, m := Source(brain.Learning), Memory("joined")
	joined := brain.Relation{From: s.ID, Type: brain.HasMemory, To: m.ID}
	b.put(m)
	b.putSources(s)
	b.putRelations(joined)
	m.Content, s.Learned = "joined still", "more"
	b.put(m)
	b.putSources(s)
	b.putLives(m)
	same(t, "relations", []brain.Relation{joined}, b.relations(m.ID))
}

func memoryDelete(t *testing.T, h harness) {
	b := h.brain(t)
	ms := Memories(3, "to delete")
	s := Source(brain.Crystallization)
	kept := brain.Relation{From: s.ID, Type: brain.HasMemory, To: ms[2].ID}
	b.put(ms...)
	b.putSources(s)
	b.putRelations(kept,
		brain.Relation{From: s.ID, Type: brain.HasMemory, To: ms[0].ID},
		brain.Relation{From: ms[0].ID, Type: "mentions", To: ms[2].ID},
		brain.Relation{From: ms[2].ID, Type: brain.Supersedes, To: ms[0].ID},
		brain.Relation{From: ms[1].ID, Type: brain.PromotedTo, To: ms[0].ID})
	b.deleteMemories(ms[0].ID)
	same(t, "memories", []string{ms[1].ID, ms[2].ID}, brain.IDs(b.memories(brain.IDs(ms)...)))
	same(t, "relations", []brain.Relation{kept}, b.relations(s.ID, ms[0].ID, ms[1].ID, ms[2].ID))
}

func memoryDeleteMissing(t *testing.T, h harness) {
	b := h.brain(t)
	m := Memory("stays")
	b.put(m)
	b.deleteMemories("missing", NewID())
	b.update(func(tx brain.Tx) error { return tx.DeleteSources("missing") })
	b.update(func(tx brain.Tx) error { return tx.DeleteSections("missing") })
	b.update(func(tx brain.Tx) error { return tx.DeleteRecords(brain.RunRecord, "missing") })
	b.update(func(tx brain.Tx) error {
		return tx.DeleteRelations(brain.Relation{From: m.ID, Type: "mentions", To: "missing"})
	})
	same(t, "memory", m, b.memory(m.ID))
}

func memoryDeleteAgain(t *testing.T, h harness) {
	b := h.brain(t)
	m := Memory("phoenix", Entity("phoenix "+NewID()))
	b.put(m)
	b.deleteMemories(m.ID)
	b.put(m)
	same(t, "memory", m, b.memory(m.ID))
	same(t, "hits", []string{m.ID}, b.find("phoenix"))
	b.update(func(tx brain.Tx) error {
		return errors.Join(tx.DeleteMemories(m.ID), tx.PutMemories(m))
	})
	same(t, "memory deleted and stored at once", m, b.memory(m.ID))
	same(t, "hits after that", []string{m.ID}, b.find("phoenix"))
}
