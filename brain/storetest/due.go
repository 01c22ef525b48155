package storetest

import (
	"cmp"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/tiers"
)

func dueCases() []testCase {
	return []testCase{
		{"due is what has fallen due and no more", dueAtInstant},
		{"due follows a life", dueFollows},
		{"counts are by tier as stored, and of the faded", countsByTier},
	}
}

func due(b *db, now time.Time) []lifecycle.Due {
	b.t.Helper()
	ds := view(b, func(r brain.Reader) ([]lifecycle.Due, error) { return lifecycle.ReadDue(r, now) })
	slices.SortFunc(ds, func(x, y lifecycle.Due) int { return cmp.Compare(x.ID, y.ID) })
	return ds
}

func dueIDs(b *db, now time.Time) []string {
	b.t.Helper()
	return brain.Map(due(b, now), func(d lifecycle.Due) string { return d.ID })
}

func falling(promote, expire time.Time) brain.Memory {
	return Memory("falls due", func(m *brain.Memory) { m.PromoteDue, m.ExpiresAt = promote, expire })
}

func dueFollows(t *testing.T, b *db) {
	m := falling(time.Time{}, Hours(1))
	b.put(m)
	m.ExpiresAt = Hours(9)
	b.putLives(m)
	same(t, "due after a boost", 0, len(dueIDs(b, Hours(2))))
	m.PromoteDue = Hours(2)
	b.putLives(m)
	same(t, "due after use", []string{m.ID}, dueIDs(b, Hours(2)))
	m.PromoteDue, m.ExpiresAt, m.Tier = time.Time{}, Hours(1), tiers.ArchivedWorking
	b.putLives(m)
	same(t, "due after promotion", 0, len(dueIDs(b, Hours(2))))
}

// counts leaves out tiers without memories, which a store may list or not.
func counts(b *db, now time.Time) brain.Counts {
	b.t.Helper()
	c := view(b, func(r brain.Reader) (brain.Counts, error) { return r.Counts(now) })
	zero := func(_ tiers.Tier, n int) bool { return n == 0 }
	maps.DeleteFunc(c.ByTier, zero)
	maps.DeleteFunc(c.Faded, zero)
	return c
}

// dueAtInstant has memories of each tier that fall due before, at and after an instant.
func dueAtInstant(t *testing.T, b *db) {
	now, none := Hours(5), time.Time{}
	before, after := now.Add(-time.Millisecond), now.Add(time.Millisecond)
	var ms []brain.Memory
	for _, tier := range tiers.All() {
		for _, promote := range []time.Time{none, before, now, after} {
			for _, expire := range []time.Time{none, before, now, after} {
				m := falling(promote, expire)
				m.Tier, m.Energy = tier, 1.0/3
				ms = append(ms, m)
			}
		}
	}
	b.put(ms...)
	for _, at := range []time.Time{Hours(-9), before, now, after} {
		fallen := func(due time.Time) bool { return !due.IsZero() && !due.After(at) }
		var want []lifecycle.Due
		for _, m := range ms {
			if m.Tier.Live() && (fallen(m.PromoteDue) || fallen(m.ExpiresAt)) {
				want = append(want, lifecycle.Due{ID: m.ID, Energy: m.Energy, PromoteDue: m.PromoteDue, ExpiresAt: m.ExpiresAt})
			}
		}
		slices.SortFunc(want, func(x, y lifecycle.Due) int { return cmp.Compare(x.ID, y.ID) })
		got := due(b, at)
		same(t, "due", want, got)
		for _, d := range got {
			utc(t, d)
		}
	}
}

func countsByTier(t *testing.T, b *db) {
	now := Hours(5)
	same(t, "counts of nothing", brain.Counts{}, counts(b, now))
	want := brain.Counts{ByTier: map[tiers.Tier]int{}, Faded: map[tiers.Tier]int{}}
	var ms []brain.Memory
	for i, tier := range tiers.All() {
		faded := Memories(i+1, "counted", InTier(tier), Expiring(now))
		faded[0].PromoteDue = Hours(1) // due or not
		ms = append(ms, faded...)
		ms = append(ms, Memory("never", InTier(tier), Expiring(time.Time{})), Memory("later", InTier(tier), Expiring(now.Add(time.Millisecond))))
		want.ByTier[tier] = i + 3
		if tier.Live() {
			want.Faded[tier] = i + 1
		}
	}
	b.put(ms...)
	same(t, "counts", want, counts(b, now))
	b.deleteMemories(ms[0].ID)
	want.ByTier[ms[0].Tier]--
	delete(want.Faded, ms[0].Tier)
	same(t, "counts after deleting one", want, counts(b, now))
}
