package storetest

import (
	"cmp"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/tiers"
)

func dueCases() []testCase {
	return []testCase{
		{"due is what has fallen due and no more", dueAtInstant},
		{"due tells what a run needs", dueFields},
		{"what is not live is never due to expire", dueNotLive},
		{"due follows a life", dueFollows},
		{"counts are by tier as stored", countsByTier},
		{"the faded are counted apart", countsFaded},
		{"counts of an empty brain are zero", countsEmpty},
	}
}

func due(b *db, now time.Time) []brain.Due {
	b.t.Helper()
	ds := view(b, func(r brain.Reader) ([]brain.Due, error) { return r.Due(now) })
	slices.SortFunc(ds, func(x, y brain.Due) int { return cmp.Compare(x.ID, y.ID) })
	return ds
}

func dueIDs(b *db, now time.Time) []string {
	b.t.Helper()
	return brain.Map(due(b, now), func(d brain.Due) string { return d.ID })
}

func falling(promote, expire time.Time) brain.Memory {
	return Memory("falls due", func(m *brain.Memory) { m.PromoteDue, m.ExpiresAt = promote, expire })
}

func dueAtInstant(t *testing.T, h harness) {
	b := h.brain(t)
	now, none := Hours(5), time.Time{}
	before, after := now.Add(-time.Millisecond), now.Add(time.Millisecond)
	promoteAt, promoteBefore, promoteAfter := falling(now, none), falling(before, after), falling(after, none)
	expireAt, expireBefore, expireAfter := falling(none, now), falling(none, before), falling(none, after)
	both, never := falling(before, before), falling(none, none)
	b.put(promoteAt, promoteBefore, promoteAfter, expireAt, expireBefore, expireAfter, both, never)
	want := sorted(promoteAt.ID, promoteBefore.ID, expireAt.ID, expireBefore.ID, both.ID)
	same(t, "due", want, dueIDs(b, now))
	want = sorted(promoteBefore.ID, expireBefore.ID, both.ID)
	same(t, "due a millisecond earlier", want, dueIDs(b, before))
	same(t, "due long before", 0, len(dueIDs(b, Hours(-9))))
}

func dueFields(t *testing.T, h harness) {
	b := h.brain(t)
	m := falling(Hours(1), Hours(2))
	m.Tier, m.Energy = tiers.ShortTerm, 1.0/3
	b.put(m)
	want := []brain.Due{{
		ID: m.ID, Tier: m.Tier, Energy: m.Energy, PromoteDue: m.PromoteDue, ExpiresAt: m.ExpiresAt,
	}}
	got := due(b, Hours(3))
	same(t, "due", want, got)
	for _, d := range got {
		utc(t, d)
	}
}

func dueNotLive(t *testing.T, h harness) {
	b := h.brain(t)
	var want []string
	for _, m := range oneOfEachTier("falls due") {
		m.ExpiresAt = Hours(1)
		b.put(m)
		if m.Tier.Live() {
			want = append(want, m.ID)
		}
	}
	same(t, "due", sorted(want...), dueIDs(b, Hours(2)))
}

func dueFollows(t *testing.T, h harness) {
	b := h.brain(t)
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

func countsByTier(t *testing.T, h harness) {
	b := h.brain(t)
	want := brain.Counts{ByTier: map[tiers.Tier]int{}}
	var ms []brain.Memory
	for i, tier := range tiers.All() {
		want.ByTier[tier] = i + 1
		ms = append(ms, Memories(i+1, "counted", InTier(tier), Expiring(time.Time{}))...)
	}
	b.put(ms...)
	same(t, "counts", want, counts(b, Hours(1)))
	b.deleteMemories(ms[0].ID)
	delete(want.ByTier, tiers.Working)
	same(t, "counts after deleting one", want, counts(b, Hours(1)))
}

func countsFaded(t *testing.T, h harness) {
	b := h.brain(t)
	now := Hours(5)
	var ms []brain.Memory
	for _, tier := range tiers.All() {
		for _, at := range []time.Time{{}, Hours(1), now, now.Add(time.Millisecond)} {
			ms = append(ms, Memory("fades", InTier(tier), Expiring(at)))
		}
		dueToo := Memory("due", InTier(tier), Expiring(Hours(2)))
		dueToo.PromoteDue = Hours(1)
		dueStill := Memory("due", InTier(tier), Expiring(Hours(9)))
		dueStill.PromoteDue = Hours(1)
		ms = append(ms, dueToo, dueStill)
	}
	b.put(ms...)
	want := map[tiers.Tier]int{tiers.Working: 3, tiers.ShortTerm: 3, tiers.LongTerm: 3, tiers.Core: 3}
	got := counts(b, now)
	same(t, "faded", want, got.Faded)
	same(t, "working", 6, got.ByTier[tiers.Working])
}

func countsEmpty(t *testing.T, h harness) {
	same(t, "counts", brain.Counts{}, counts(h.brain(t), Start))
}
