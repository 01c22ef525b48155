package storetest

import (
	"cmp"
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/tiers"
)

func idleCases() []testCase {
	return []testCase{
		{"what has proven itself has the verdicts, is current and not in core", provenAlone},
		{"what was idle for long comes undated first, then longest idle, ties by id", idleOrder},
		{"what a rule keeps for good is never idle", idleKept},
		{"the idle come whole", idleWhole},
		{"lives and texts move what has proven itself and what is idle", idleFollows},
		{"any memories give the proven and the idle that the words say", idleProperty},
	}
}

func proven(b *db, verdicts int, share float64) []string {
	b.t.Helper()
	return sorted(view(b, func(r brain.Reader) ([]string, error) { return r.Proven(verdicts, share) })...)
}

// provenOf returns the expected answer of Proven by a simple implementation.
func provenOf(ms []brain.Memory, verdicts int, share float64) []string {
	ids := []string{}
	for _, m := range ms {
		n := m.HelpfulCount + m.NotHelpfulCount
		enough := n > 0 && n >= verdicts && float64(m.HelpfulCount)/float64(n) >= share
		if enough && m.Tier != tiers.Core && m.Current() {
			ids = append(ids, m.ID)
		}
	}
	return sorted(ids...)
}

func provenAlone(t *testing.T, h harness) {
	b, other := h.brain(t), h.brain(t)
	var ms []brain.Memory
	for _, m := range oneOfEachTier("judged") {
		for _, verdicts := range [][2]int{{0, 0}, {0, 1}, {1, 0}, {12, 2}, {13, 2}, {17, 3}, {16, 3}, {0, 15}, {15, 0}} {
			m.ID = NewID()
			m.HelpfulCount, m.NotHelpfulCount = verdicts[0], verdicts[1]
			ms = append(ms, m)
		}
	}
	b.put(ms...)
	for _, c := range []struct {
		verdicts int
		share    float64
	}{{15, 0.85}, {1, 0}, {0, 0}, {1, 1}, {15, 1}, {14, 12.0 / 14}, {99, 0}} {
		same(t, fmt.Sprint("proven ", c), provenOf(ms, c.verdicts, c.share), proven(b, c.verdicts, c.share))
	}
	same(t, "proven of another brain", 0, len(proven(other, 0, 0)))
}

func idleList(b *db, f brain.IdleFilter) []string {
	b.t.Helper()
	return brain.IDs(view(b, func(r brain.Reader) ([]brain.Memory, error) { return r.Idle(f) }))
}

// idleOf returns the expected answer of Idle by a simple implementation.
func idleOf(ms []brain.Memory, f brain.IdleFilter) []string {
	since := func(m brain.Memory) time.Time {
		if m.LastUsed.IsZero() {
			return m.Created
		}
		return m.LastUsed
	}
	var kept []brain.Memory
	for _, m := range ms {
		always := m.Importance == "critical" || m.Severity == "critical" || m.Retention == "core" || m.Retention == "permanent"
		asked := m.Tier == f.Tier && (f.Type == "" || m.MemoryType == f.Type) && (m.Tier == tiers.Expired || m.Entity)
		if asked && !always && since(m).Before(f.Before) {
			kept = append(kept, m)
		}
	}
	slices.SortFunc(kept, func(a, b brain.Memory) int {
		return cmp.Or(since(a).Compare(since(b)), cmp.Compare(a.ID, b.ID))
	})
	return brain.IDs(kept[:min(f.Limit, len(kept))])
}

func idleOrder(t *testing.T, h harness) {
	b, other := h.brain(t), h.brain(t)
	var ms []brain.Memory
	for i, used := range []time.Time{{}, Hours(5), Hours(1), {}, Hours(3), Hours(3), Hours(9)} {
		for _, created := range []time.Time{{}, Hours(2), Hours(4), time.UnixMilli(-1).UTC()} {
			m := Memory("idle", InTier(tiers.Expired), func(m *brain.Memory) { m.Importance = brain.Reference })
			m.LastUsed, m.Created, m.ExpiresAt = used, created, Hours(float64(10-i))
			ms = append(ms, m)
		}
	}
	b.put(ms...)
	for _, before := range []time.Time{Hours(3), Hours(3).Add(time.Millisecond), Hours(99)} {
		f := brain.IdleFilter{Tier: tiers.Expired, Before: before, Limit: 999}
		want := idleOf(ms, f)
		same(t, "idle", want, idleList(b, f))
		for _, limit := range []int{1, 2, 7} {
			f.Limit = limit
			got := inPages(b, limit, func(r brain.Reader, after *brain.Memory) ([]brain.Memory, error) {
				f.After = after
				return r.Idle(f)
			})
			same(t, fmt.Sprint("idle in pages of ", limit), want, got)
		}
	}
	same(t, "idle in another brain", 0, len(idleList(other, brain.IdleFilter{Tier: tiers.Expired, Before: Hours(99), Limit: 9})))
}

func idleKept(t *testing.T, h harness) {
	b := h.brain(t)
	var ms []brain.Memory
	for _, m := range oneOfEachTier("idle") {
		for i := range 8 {
			m.ID, m.Created, m.Importance, m.Severity, m.Retention = NewID(), Hours(1), "", "", ""
			m.Entity = i%2 == 0 && m.Tier != tiers.Expired
			switch i {
			case 4:
				m.Importance = brain.Critical
			case 5:
				m.Severity = "critical"
			case 6:
				m.Retention = "core"
			case 7:
				m.Retention = "permanent"
			case 3:
				m.Importance, m.Severity, m.Retention = brain.Important, "high", "temporary"
			}
			ms = append(ms, m)
		}
	}
	b.put(ms...)
	for _, tier := range tiers.All() {
		f := brain.IdleFilter{Tier: tier, Before: Hours(9), Limit: 99}
		same(t, fmt.Sprint("idle in ", tier), idleOf(ms, f), idleList(b, f))
	}
}

func idleWhole(t *testing.T, h harness) {
	b := h.brain(t)
	m := fullMemory()
	m.Tier, m.Importance, m.Severity, m.Retention = tiers.Expired, brain.Important, "high", "temporary"
	b.put(m)
	f := brain.IdleFilter{Tier: tiers.Expired, Before: Hours(9999), Limit: 1}
	same(t, "memories", []brain.Memory{m}, view(b, func(r brain.Reader) ([]brain.Memory, error) { return r.Idle(f) }))
}

func idleFollows(t *testing.T, h harness) {
	b := h.brain(t)
	m := Memory("lives", func(m *brain.Memory) { m.Created = Hours(1) })
	b.put(m)
	f := brain.IdleFilter{Tier: tiers.Expired, Before: Hours(3), Limit: 9}
	same(t, "idle while live", 0, len(idleList(b, f)))
	m.Tier, m.HelpfulCount = tiers.Expired, 3
	b.putLives(m)
	same(t, "idle once expired", []string{m.ID}, idleList(b, f))
	same(t, "proven", []string{m.ID}, proven(b, 3, 1))
	m.LastUsed = Hours(3)
	b.putLives(m)
	same(t, "idle once used", 0, len(idleList(b, f)))
	m.LastUsed, m.NotHelpfulCount = time.Time{}, 1
	b.putLives(m)
	same(t, "proven with another verdict", 0, len(proven(b, 3, 1)))
	m.Retention = "permanent"
	b.put(m)
	same(t, "idle once permanent", 0, len(idleList(b, f)))
	m.Retention = ""
	b.put(m)
	same(t, "idle once more", 1, len(idleList(b, f)))
	b.deleteMemories(m.ID)
	same(t, "idle once deleted", 0, len(idleList(b, f)))
}

func idleProperty(t *testing.T, h harness) {
	b := h.brain(t)
	ms := variedMemories(20)
	b.law(t, Served, func(rt *rapid.T) {
		vary := func(m *brain.Memory) {
			m.Tier = rapid.SampledFrom([]tiers.Tier{tiers.Expired, tiers.Expired, tiers.LongTerm, tiers.Core}).Draw(rt, "tier")
			m.Entity = rapid.Bool().Draw(rt, "entity")
			m.LastUsed = rapid.SampledFrom([]time.Time{{}, Hours(1), Hours(2), Hours(3)}).Draw(rt, "used")
			m.HelpfulCount, m.NotHelpfulCount = rapid.IntRange(0, 3).Draw(rt, "helpful"), rapid.IntRange(0, 2).Draw(rt, "not")
		}
		for i := range ms {
			ms[i].Retention = rapid.SampledFrom([]string{"", "", "permanent", "temporary"}).Draw(rt, "retention")
			ms[i].Importance, ms[i].Severity = rapid.SampledFrom([]brain.Importance{brain.Critical, "", brain.Reference}).Draw(rt, "importance"), ""
			vary(&ms[i])
		}
		b.put(ms...)
		for i := range ms {
			if rapid.Bool().Draw(rt, "lives on") {
				vary(&ms[i])
				b.putLives(ms[i])
			}
		}
		f := brain.IdleFilter{
			Tier: rapid.SampledFrom([]tiers.Tier{tiers.Expired, tiers.LongTerm}).Draw(rt, "of"),
			Type: rapid.SampledFrom([]string{"", ms[0].MemoryType}).Draw(rt, "type"), Before: Hours(2), Limit: rapid.IntRange(1, 25).Draw(rt, "limit"),
		}
		same(t, "idle", idleOf(ms, f), idleList(b, f))
		verdicts, share := rapid.IntRange(0, 4).Draw(rt, "verdicts"), rapid.SampledFrom([]float64{0, 0.5, 2.0 / 3, 1}).Draw(rt, "share")
		same(t, "proven", provenOf(ms, verdicts, share), proven(b, verdicts, share))
	})
}
