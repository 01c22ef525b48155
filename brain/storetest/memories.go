package storetest

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/tiers"
)

func memoryCases() []testCase {
	return append(nodeCases(kind[brain.Memory]{
		full: func(id string) brain.Memory {
			m := fullMemory()
			m.ID, m.EntityKey = id, Hash(id)
			return m
		},
		bare: func(id string) brain.Memory {
			return brain.Memory{
				ID: id, Name: "n", Content: "c", MemoryType: "note", ContentHash: Hash("c"),
				Importance: brain.Reference, State: tiers.State{Tier: tiers.Core, LastDecay: Start, ValidFrom: Start}, Created: Start,
			}
		},
		put: brain.Tx.PutMemories, read: brain.Reader.Memories, remove: brain.Tx.DeleteNodes,
	}),
		testCase{"texts come back byte for byte", memoryTexts},
		testCase{"instants and numbers come back exactly", memoryValues},
		testCase{"deleting removes memory and relations, storing again keeps them", memoryDelete},
		testCase{"a deleted memory can be stored again", memoryDeleteAgain},
		testCase{"a life is stored whole, and no text with it", lifeStored},
		testCase{"the life of a missing memory is ignored", lifeMissing},
		testCase{"a life moves a memory in searches", lifeSearch},
		testCase{"a life moves a memory in lists", lifeLists},
	)
}

// fullMemory has every field set, each to a value of its own.
func fullMemory() brain.Memory {
	id := brain.TestPrefix + NewID()
	score := 0.1 + 0.2
	return brain.Memory{
		ID: id, Name: "a name", Content: "first line\nsecond line", MemoryType: "decision",
		Tags: []string{"go", "dark mode", "Übung"}, Observations: []string{"one", "two\nlines"},
		Project: "atlas", Agent: "claude", SessionID: "s-1", Group: "g-1", Position: 7,
		SourceNodeID: "source-1", ContentHash: Hash("content"),
		Extra:   json.RawMessage(`{"big":9007199254740993,"s":"x\"y","list":[1,null,{"a":true}]}`),
		NameKey: Hash("a name"), EntityKey: Hash(id),
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

func memoryTexts(t *testing.T, b *db) {
	var ms []brain.Memory
	for _, text := range []string{
		`'; DROP TABLE memory; -- " ' \ %s $1 {x}`, "MATCH (n) DETACH DELETE n //", "",
		"  leading\r\nand\ttrailing \n\n", "a\x01b\x00c\x7f", "e\u0301 é 東京都 👩🏽‍💻 \u202e שלום",
		strings.Repeat("0123456789 abcde", brain.MaxContent/16), strings.Repeat("x", brain.MaxContent),
	} {
		ms = append(ms, Memory(text))
	}
	ms = append(ms, Memory("long names", func(m *brain.Memory) {
		m.Name = strings.Repeat("𝕏", brain.MaxName)
		m.Project, m.MemoryType = strings.Repeat("p", 9000), strings.Repeat("t", 9000)
		m.Tags = []string{strings.Repeat("tag", 9000), "a,b", `"c"`, " d ", "%_"}
	}))
	b.put(ms...)
	for i, got := range b.memories(brain.IDs(ms)...) {
		if !reflect.DeepEqual(ms[i], got) {
			t.Errorf("the memory that begins with %.30q changed", ms[i].Content)
		}
	}
}

func memoryValues(t *testing.T, b *db) {
	var ms []brain.Memory
	for _, at := range []time.Time{
		time.Date(2026, 12, 31, 23, 59, 59, 999e6, time.UTC), time.Unix(0, 0).UTC(), time.UnixMilli(-1).UTC(),
		time.Date(1901, 2, 3, 4, 5, 6, 7e6, time.UTC), time.Date(9999, 12, 31, 23, 59, 59, 999e6, time.UTC),
		time.Date(2026, 3, 1, 4, 0, 0, 1e6, time.FixedZone("elsewhere", -5*3600)),
	} {
		ms = append(ms, Memory("at an instant", func(m *brain.Memory) {
			m.Created, m.ExpiresAt, m.PromoteDue, m.LastUsed = at, at, at, at
		}))
	}
	for _, e := range []float64{0, 0.1 + 0.2, 1e-300, 2.27e-6, 1.0 / 3, tiers.MaxEnergy} {
		ms = append(ms, Memory("energy", func(m *brain.Memory) { m.Energy, m.Base, m.PeakEnergy, m.RelevanceScore = e, e, e, &e }))
	}
	b.put(ms...)
	for i, got := range b.memories(brain.IDs(ms)...) {
		utc(t, got)
		same(t, "memory", ms[i], got) // instants are compared, not zones
	}
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

func memoryDelete(t *testing.T, b *db) {
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
	b.put(ms[1:]...)
	b.putSources(s)
	b.putLives(ms[2])
	b.deleteMemories(ms[0].ID)
	same(t, "memories", []string{ms[1].ID, ms[2].ID}, brain.IDs(b.memories(brain.IDs(ms)...)))
	same(t, "relations", []brain.Relation{kept}, b.relations(s.ID, ms[0].ID, ms[1].ID, ms[2].ID))
}

func memoryDeleteAgain(t *testing.T, b *db) {
	m := Memory("phoenix", Entity("phoenix "+NewID()))
	b.put(m)
	b.deleteMemories(m.ID)
	b.put(m)
	same(t, "memory", m, b.memory(m.ID))
	same(t, "hits", []string{m.ID}, b.find("phoenix"))
	b.update(func(tx brain.Tx) error {
		return errors.Join(tx.DeleteNodes(m.ID), tx.PutMemories(m))
	})
	same(t, "memory deleted and stored at once", m, b.memory(m.ID))
	same(t, "hits after that", []string{m.ID}, b.find("phoenix"))
}

// withLifeOf returns m with everything of other that PutLives writes.
func withLifeOf(m, other brain.Memory) brain.Memory {
	m.State = other.State
	m.AccessCount, m.RecallCount, m.UseCount = other.AccessCount, other.RecallCount, other.UseCount
	m.HelpfulCount, m.NotHelpfulCount = other.HelpfulCount, other.NotHelpfulCount
	m.Confirmations, m.LastAccessed, m.LastUsed = other.Confirmations, other.LastAccessed, other.LastUsed
	m.EntityKey, m.Version, m.SourceNodeID = other.EntityKey, other.Version, other.SourceNodeID
	m.Group, m.Position, m.PromotedFrom = other.Group, other.Position, other.PromotedFrom
	return m
}

// lifeStored writes lives that differ in every field, then in none that may be empty.
func lifeStored(t *testing.T, b *db) {
	empty := brain.Memory{State: tiers.State{Tier: tiers.Core, LastDecay: Start}}
	for _, c := range []struct{ stored, life brain.Memory }{
		{Memory("alive"), fullMemory()}, {fullMemory(), Memory("alive")}, {fullMemory(), empty},
	} {
		b.put(c.stored)
		c.life.ID = c.stored.ID
		b.putLives(c.life)
		same(t, "memory", withLifeOf(c.stored, c.life), b.memory(c.stored.ID))
	}
}

func lifeMissing(t *testing.T, b *db) {
	ms := Memories(600, "one of many")
	b.put(ms...)
	for i := range ms {
		ms[i].Position, ms[i].Energy, ms[i].Version = i, float64(i)/7, i
	}
	missing := Memory("missing")
	b.putLives(append([]brain.Memory{missing}, ms...)...)
	same(t, "memories", ms, b.memories(append(brain.IDs(ms), missing.ID)...))
	same(t, "hits", 0, len(b.find("missing")))
}

func lifeSearch(t *testing.T, b *db) {
	m := Memory("a zebra crossing")
	b.put(m)
	b.putLives(withLifeOf(Memory("giraffe", func(o *brain.Memory) { o.ID = m.ID }), m))
	same(t, "hits of the text", []string{m.ID}, b.find("zebra"))
	same(t, "hits of the text that was not stored", 0, len(b.find("giraffe")))
	same(t, "hits at an instant", []string{m.ID}, validAt(b, "zebra", 1))
	for _, tier := range []tiers.Tier{tiers.Superseded, tiers.ArchivedWorking} {
		m.Tier, m.ValidTo = tier, Hours(1)
		b.putLives(m)
		same(t, "hits once it is "+string(tier), 0, len(b.find("zebra")))
	}
	m.Tier = tiers.Expired
	b.putLives(m)
	same(t, "hits once it is expired", []string{m.ID}, b.find("zebra"))
}

func lifeLists(t *testing.T, b *db) {
	m := Memory("wanders")
	b.put(m)
	m.Tier, m.ExpiresAt = tiers.ShortTerm, Hours(9)
	b.putLives(m)
	list := func(tier tiers.Tier, due bool) []string {
		return b.list(brain.ListFilter{Tier: tier, DueOnly: due, Limit: 9})
	}
	same(t, "list of the old tier", 0, len(list(tiers.Working, false)))
	same(t, "list of the new tier", []string{m.ID}, list(tiers.ShortTerm, false))
	m.PromoteDue = Hours(2)
	b.putLives(m)
	same(t, "list of the tier once it is due", 0, len(list(tiers.ShortTerm, false)))
	same(t, "list of what is due", []string{m.ID}, list(tiers.ShortTerm, true))
}
