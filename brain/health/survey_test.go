package health_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/health"
	"github.com/brainbridge/brainbridge/brain/storetest"
	"github.com/brainbridge/brainbridge/brain/storetest/testlab"
	"github.com/brainbridge/brainbridge/tiers"
)

func TestASurveyCountsEveryMemory(t *testing.T) {
	s := testlab.OpenStore(t)
	end := testlab.Start().AddDate(0, 0, 200)
	stale, old := end.AddDate(0, 0, -91), end.AddDate(0, 0, -60)
	memory := func(change func(*brain.Memory)) brain.Memory {
		return storetest.Memory("surveyed", func(m *brain.Memory) {
			m.Created, m.LastUsed, m.ExpiresAt, m.Tier = stale, time.Time{}, time.Time{}, tiers.LongTerm
			m.HelpfulCount, m.NotHelpfulCount = 0, 0
			change(m)
		})
	}
	entity := func(name string, change func(*brain.Memory)) brain.Memory {
		return memory(func(m *brain.Memory) {
			storetest.Entity(name)(m)
			m.BaseAt, m.Created = end, old
			change(m)
		})
	}
	orphan := entity("an orphan", func(m *brain.Memory) { m.MemoryType = "market-research" })
	ends := []brain.Memory{
		entity("one", func(m *brain.Memory) {
			m.MemoryType, m.Created = "market-research", old.Add(time.Millisecond)
		}),
		entity("two", func(m *brain.Memory) { m.MemoryType, m.Created = "market-research", old.Add(-time.Hour) }),
	}
	plain := memory(func(m *brain.Memory) { m.MemoryType = "stale" })
	ms := append([]brain.Memory{
		orphan, plain,
		memory(func(m *brain.Memory) { m.MemoryType, m.LastUsed = "used", end }),
		memory(func(m *brain.Memory) { m.MemoryType, m.Tier = "core", tiers.Core }),
		memory(func(m *brain.Memory) { m.MemoryType, m.ExpiresAt = "faded", end }),
		memory(func(m *brain.Memory) { m.MemoryType, m.Tier = "expired", tiers.Expired }),
		memory(func(m *brain.Memory) { m.MemoryType, m.Tier, m.BaseAt = "imported today", tiers.Working, end }),
		memory(func(m *brain.Memory) {
			m.Created, m.MemoryType, m.HelpfulCount, m.NotHelpfulCount = time.Time{}, "undated", 1, 3
		}),
		memory(func(m *brain.Memory) { m.MemoryType, m.LastUsed, m.HelpfulCount = "helpful", end, 1 }),
		memory(func(m *brain.Memory) { m.MemoryType, m.Tier = "superseded", tiers.Superseded }),
	}, ends...)
	err := s.Update(t.Context(), func(tx brain.Tx) error {
		if err := tx.PutMemories(ms...); err != nil {
			return err
		}
		return tx.PutRelations(
			brain.Relation{From: ends[0].ID, Type: "mentions", To: ends[1].ID},
			brain.Relation{From: plain.ID, Type: brain.Supersedes, To: orphan.ID},
		)
	})
	if err != nil {
		t.Fatal(err)
	}
	f, err := health.Read(t.Context(), testlab.At(s, end))
	if err != nil {
		t.Fatal(err)
	}
	got := f.Survey
	got.Days = 0
	want := health.Survey{
		ByTier: map[tiers.Tier]int{tiers.LongTerm: 7, tiers.Core: 1, tiers.Expired: 2, tiers.Working: 1, tiers.Superseded: 1},
		ByType: map[string]int{
			"market-research": 3, "stale": 1, "used": 1, "core": 1, "faded": 1, "expired": 1, "imported today": 1, "undated": 1, "helpful": 1,
		},
		Dated: 10, Judged: 2, Effectiveness: 1.25, Ineffective: 1, Stale: 1, Entities: 3, Orphans: 1, OrphanIDs: []string{orphan.ID},
		OldResearch: got.OldResearch,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(- want, + got)\n%s", diff)
	}
	if ids := brain.IDs(got.OldResearch); !slices.Equal(ids, []string{ends[1].ID, orphan.ID}) {
		t.Errorf("old research %v", ids)
	}
}
