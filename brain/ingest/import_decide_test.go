package ingest

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/tiers"
)

func importItem(text string) ImportItem {
	m := brain.Memory{ID: brain.NewID(), Content: text, MemoryType: "note", Importance: brain.Important}
	m.Complete()
	s := &brain.Source{ID: brain.NewID(), Kind: brain.Outcome, Body: text, BodyHash: brain.Hash(text), Key: brain.Hash("key", text)}
	return ImportItem{Memory: m, Source: s, Text: text}
}

func importOf(items ...ImportItem) importRequest {
	return importRequest{ImportBatch: ImportBatch{Items: items}, now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
}

// factsAfter returns what the graph holds once a plan is stored.
func factsAfter(p importPlan) importFacts {
	byID := func(m brain.Memory) string { return m.ID }
	f := importFacts{
		policy: new(tiers.DefaultPolicy()), memories: index(p.memories, byID), memoryOf: map[string]string{},
		sources:  index(p.sources, func(s brain.Source) string { return s.ID }),
		holders:  index(p.sources, func(s brain.Source) string { return s.Key }),
		named:    group(p.memories, func(m brain.Memory) string { return m.NameKey }),
		entities: map[string]bool{}, forgotten: map[string]bool{}, aliases: map[string]string{},
		texts: lifecycle.Known{}.Clone(),
	}
	for _, rec := range p.redirects {
		f.aliases[rec.ID] = rec.Key
	}
	for _, m := range p.memories {
		f.memoryOf[m.SourceNodeID] = m.ID
		f.entities[m.EntityKey] = m.Entity
	}
	return f
}

func TestAnImportedMemoryBeginsNow(t *testing.T) {
	item := importItem("the port is 5432")
	req := importOf(item)
	p := decideImport(req, factsAfter(importPlan{}))
	m := p.memories[0]
	if m.Tier != tiers.Working || m.Energy != 2.5 || !m.Created.Equal(req.now) || m.SourceNodeID != item.Source.ID {
		t.Errorf("the memory is %+v", m)
	}
	if want := []brain.Relation{{From: item.Source.ID, Type: brain.HasMemory, To: m.ID}}; !slices.Equal(p.actions[0].Linked, want) {
		t.Errorf("its relations are %v; want %v", p.actions[0].Linked, want)
	}
}

// Of an undated text only the day is known, so it begins at the end of that, as in the notes directory.
func TestAnUndatedMemoryBeginsAtTheEndOfItsDay(t *testing.T) {
	item := importItem("the port is 5432")
	item.Memory.Created = time.Date(2026, 2, 27, 0, 0, 0, 0, time.UTC)
	item.Memory.SetUndated(true)
	if m := decideImport(importOf(item), factsAfter(importPlan{})).memories[0]; !m.LastDecay.Equal(item.Memory.Created.AddDate(0, 0, 1)) {
		t.Errorf("the memory is %+v", m)
	}
}

func TestAMemoryThatIsImportedAsItIs(t *testing.T) {
	item := importItem("the port is 5432")
	item.AsIs = true
	item.Memory.State, item.Memory.Created = tiers.State{Tier: tiers.Superseded}, time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)
	same := importItem("the port is 5432")
	f := factsAfter(importPlan{memories: []brain.Memory{same.Memory}})
	f.named[same.Memory.NameKey][0].Tier = tiers.Working
	p := decideImport(importOf(item), f)
	if len(p.memories) != 1 || p.memories[0].Tier != tiers.Superseded || !p.memories[0].Created.Equal(item.Memory.Created) {
		t.Errorf("imported are %+v; want the past text as it is", p.memories)
	}
}

func TestWhatBecomesOfAnItem(t *testing.T) {
	held := importItem("the port is 5432")
	stored := decideImport(importOf(held), factsAfter(importPlan{}))
	for name, c := range map[string]struct {
		change func(*ImportItem, *importFacts)
		status ImportStatus
		id     string
	}{
		"new":         {func(*ImportItem, *importFacts) {}, Imported, "own"},
		"the same id": {func(i *ImportItem, _ *importFacts) { *i = held }, Held, held.Memory.ID},
		"the same identity": {func(i *ImportItem, _ *importFacts) {
			i.Source.Key, i.Source.BodyHash = held.Source.Key, held.Source.BodyHash
		}, Held, held.Memory.ID},
		"another text under the identity": {func(i *ImportItem, _ *importFacts) { i.Source.Key = held.Source.Key }, Imported, "own"},
		"the same text": {func(i *ImportItem, _ *importFacts) {
			id := i.Memory.ID
			*i = importItem("The port is  5432")
			i.Memory.ID, i.Source.Key = id, "another"
		}, Held, held.Memory.ID},
		"another text under the id": {func(i *ImportItem, _ *importFacts) { i.Memory.ID = held.Memory.ID }, Refused, held.Memory.ID},
		"the id of a source":        {func(i *ImportItem, _ *importFacts) { i.Memory.ID = held.Source.ID }, Refused, ""},
		"an invalid id":             {func(i *ImportItem, _ *importFacts) { i.Memory.ID = "../x" }, Refused, ""},
		"a forgotten text":          {func(i *ImportItem, f *importFacts) { f.forgotten[i.Memory.ContentHash] = true }, Forgotten, ""},
		"a forgotten identity":      {func(i *ImportItem, f *importFacts) { f.forgotten[i.Source.Key] = true }, Forgotten, ""},
	} {
		item, f := importItem("another text"), factsAfter(stored)
		c.change(&item, &f)
		if c.id == "own" {
			c.id = item.Memory.ID
		}
		got := decideImport(importOf(item), f).answer.Results[0]
		if got.Status != c.status || got.ID != c.id {
			t.Errorf("%s: %+v; want status %d of %q", name, got, c.status, c.id)
		}
	}
}

func TestTheIDOfASourceOfTheSameBatchIsRefused(t *testing.T) {
	first, second := importItem("the first"), importItem("the second")
	second.Memory.ID = first.Source.ID
	p := decideImport(importOf(first, second), factsAfter(importPlan{}))
	if got := p.answer.Results; got[0].Status != Imported || got[1].Status != Refused || len(p.memories) != 1 {
		t.Errorf("the results are %+v", got)
	}
}

func TestARelationComesWithItsLastEnd(t *testing.T) {
	first, second := importItem("the first"), importItem("the second")
	r := brain.Relation{From: first.Memory.ID, Type: "part_of", To: second.Memory.ID}
	first.Relations = []brain.Relation{r}
	p := decideImport(importOf(first), factsAfter(importPlan{}))
	if !slices.Equal(p.answer.Missing, []brain.Relation{r}) {
		t.Fatalf("missing are %v", p.answer.Missing)
	}
	req := importOf(second)
	req.Relations = p.answer.Missing
	p = decideImport(req, factsAfter(p))
	if !slices.Contains(p.actions[0].Linked, r) || len(p.answer.Missing) > 0 {
		t.Errorf("linked are %v, missing %v", p.actions[0].Linked, p.answer.Missing)
	}
}

func TestImportingTwiceChangesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var items []ImportItem
		for i := range rapid.IntRange(1, 6).Draw(t, "items") {
			item := importItem(fmt.Sprint("text ", rapid.IntRange(0, 3).Draw(t, "text")))
			if rapid.Bool().Draw(t, "identity of another text") {
				item.Source.Key = brain.Hash("key", "text 0")
			}
			if rapid.Bool().Draw(t, "entity") {
				item.Memory.Entity, item.Memory.Name = true, fmt.Sprint("entity ", i%2)
				item.Memory.Observations = []string{item.Text}
				item.Memory.Complete()
			}
			items = append(items, item)
		}
		first := decideImport(importOf(items...), factsAfter(importPlan{}))
		again := decideImport(importOf(items...), factsAfter(first))
		if len(again.memories)+len(again.sources)+len(again.actions) > 0 {
			t.Fatalf("imported again: %+v", again)
		}
		for i, r := range again.answer.Results {
			if r.Status != Held && first.answer.Results[i].Status == Imported {
				t.Fatalf("item %d became %+v, then %+v", i, first.answer.Results[i], r)
			}
		}
	})
}
