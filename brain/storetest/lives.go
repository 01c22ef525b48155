package storetest

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/tiers"
)

func lifeCases() []testCase {
	return []testCase{
		{"a life is stored whole", lifeStored},
		{"a life can be emptied", lifeEmptied},
		{"a life never writes text", lifeNoText},
		{"a life of what is not there is left out", lifeMissing},
		{"many lives at once", lifeMany},
		{"a life leaves the search as it is", lifeSearch},
		{"a life moves a memory in lists", lifeLists},
	}
}

// withLifeOf returns m with everything of other that PutLives writes.
func withLifeOf(m, other brain.Memory) brain.Memory {
	m.State = other.State
	m.AccessCount, m.RecallCount, m.UseCount = other.AccessCount, other.RecallCount, other.UseCount
	m.HelpfulCount, m.NotHelpfulCount = other.HelpfulCount, other.NotHelpfulCount
	m.Confirmations, m.LastAccessed, m.LastUsed = other.Confirmations, other.LastAccessed, other.LastUsed
	m.EntityKey, m.Version, m.SourceNodeID = other.EntityKey, other.Version, other.SourceNodeID
	m.Group, m.Position = other.Group, other.Position
	return m
}

func lifeStored(t *testing.T, h harness) {
	b := h.brain(t)
	m := Memory("alive")
	b.put(m)
	want := withLifeOf(m, fullMemory())
	b.putLives(want)
	same(t, "memory", want, b.memory(m.ID))
}

func lifeEmptied(t *testing.T, h harness) {
	b := h.brain(t)
	m := fullMemory()
	b.put(m)
	want := withLifeOf(m, brain.Memory{State: tiers.State{Tier: tiers.Core}})
	b.putLives(want)
	same(t, "memory", want, b.memory(m.ID))
}

func lifeNoText(t *testing.T, h harness) {
	b := h.brain(t)
	m := fullMemory()
	b.put(m)
	changed := m
	changed.Energy, changed.UseCount = 9, 99
	want := changed
	score := 0.9
	changed.Name, changed.NameKey = "other", Hash("other")
	changed.Content, changed.MemoryType = "other", "other"
	changed.Tags, changed.Observations = []string{"other"}, nil
	changed.Project, changed.Agent, changed.SessionID = "other", "other", "other"
	changed.ContentHash, changed.Extra = Hash("other"), json.RawMessage(`{"other":1}`)
	changed.Importance, changed.Severity, changed.Origin = brain.Reference, "other", "other"
	changed.AppliesTo, changed.MergedFrom = []string{"other"}, nil
	changed.RelevanceScore, changed.ConsolidatedAt = &score, time.Time{}
	b.putLives(changed)
	same(t, "memory", want, b.memory(m.ID))
}

func lifeMissing(t *testing.T, h harness) {
	b := h.brain(t)
	there, missing := Memory("there"), Memory("missing")
	b.put(there)
	there.UseCount = 5
	b.putLives(missing, there)
	same(t, "memories", []brain.Memory{there}, b.memories(missing.ID, there.ID))
	same(t, "hits", 0, len(b.find("missing")))
}

func lifeMany(t *testing.T, h harness) {
	b := h.brain(t)
	ms := Memories(1500, "one of many")
	b.put(ms...)
	for i := range ms {
		ms[i].Position, ms[i].Energy, ms[i].Version = i, float64(i)/7, i
	}
	b.putLives(ms...)
	same(t, "memories", ms, b.memories(brain.IDs(ms)...))
}

func lifeSearch(t *testing.T, h harness) {
	b := h.brain(t)
	m := Memory("a zebra crossing")
	b.put(m)
	b.putLives(withLifeOf(Memory("giraffe", func(o *brain.Memory) { o.ID = m.ID }), m))
	same(t, "hits of the text", []string{m.ID}, b.find("zebra"))
	same(t, "hits of the text that was not stored", 0, len(b.find("giraffe")))
	for range 5 {
		m.RecallCount++
		b.putLives(m)
	}
	same(t, "hits after five touches", []string{m.ID}, b.find("zebra"))
	for _, tier := range []tiers.Tier{tiers.Superseded, tiers.ArchivedWorking} {
		m.Tier, m.ValidTo = tier, Hours(1)
		b.putLives(m)
		same(t, "hits once it is "+string(tier), 0, len(b.find("zebra")))
	}
	m.Tier = tiers.Expired
	b.putLives(m)
	same(t, "hits once it is expired", []string{m.ID}, b.find("zebra"))
}

func lifeLists(t *testing.T, h harness) {
	b := h.brain(t)
	m := Memory("wanders")
	b.put(m)
	m.Tier, m.ExpiresAt = tiers.ShortTerm, Hours(9)
	b.putLives(m)
	list := func(tier tiers.Tier, due bool) []string {
		return b.strongest(brain.ListFilter{Tier: tier, DueOnly: due, Limit: 9})
	}
	same(t, "list of the old tier", 0, len(list(tiers.Working, false)))
	same(t, "list of the new tier", []string{m.ID}, list(tiers.ShortTerm, false))
	m.PromoteDue = Hours(2)
	b.putLives(m)
	same(t, "list of the tier once it is due", 0, len(list(tiers.ShortTerm, false)))
	same(t, "list of what is due", []string{m.ID}, list(tiers.ShortTerm, true))
}
