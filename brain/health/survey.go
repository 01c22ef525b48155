package health

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/tiers"
)

const (
	// lowEffectiveness is the share of helpful verdicts below which a memory counts as
	// ineffective.
	lowEffectiveness = 0.3
	// marketResearch is the type of entities that are listed for review from the age
	// outdatedAfter on: prices, versions and competitors change in a quarter.
	marketResearch = "market-research"
	outdatedAfter  = 60 * brain.Day
	maxOutdated    = 20
	maxOrphans     = 200
)

// Survey counts memories. All fields except ByTier count only live and expired ones.
type Survey struct {
	// ByTier counts every tier, including archived and superseded memories. A memory that is
	// past its expiresAt counts as expired.
	ByTier map[tiers.Tier]int
	ByType map[string]int

	Dated int     // memories with a known creation
	Days  float64 // the sum of their ages, in days

	Judged        int     // memories with a verdict
	Effectiveness float64 // the sum of their effectiveness
	Ineffective   int     // memories below lowEffectiveness

	// Stale counts live memories outside core that were not used for [StaleDays] since they
	// were created. It leaves out memories in working and shortTerm and entities in longTerm
	// whose life began or was renewed since: they may have been stored long after they were
	// created.
	Stale int

	Entities  int
	Orphans   int      // entities without any typed relation
	OrphanIDs []string // the first of them, by id
	// OldResearch are entities that may be outdated, oldest first.
	OldResearch []brain.Memory
}

// Total returns the number of live and expired memories.
func (s Survey) Total() int { return s.Live() + s.ByTier[tiers.Expired] }

// Live returns the number of live memories.
func (s Survey) Live() int {
	n := 0
	for tier, count := range s.ByTier {
		if tier.Live() {
			n += count
		}
	}
	return n
}

// countTiers counts the memories of each tier.
func countTiers(ctx context.Context, b *services.Services, now time.Time) (map[tiers.Tier]int, error) {
	counts, err := lifecycle.Read(ctx, b.Base, func(r brain.Reader) (brain.Counts, error) { return r.Counts(now) })
	for tier, n := range counts.Faded {
		counts.ByTier[tier] -= n
		counts.ByTier[tiers.Expired] += n
	}
	return counts.ByTier, err
}

// survey reads every live and expired memory, and calls also with each page. It returns what
// cannot be used.
func (s *Survey) survey(ctx context.Context, b *services.Services, now time.Time, also func([]brain.Memory) error) ([]string, error) {
	s.ByType = map[string]int{}
	unreadable, wrong, err := b.Base.EachCurrent(ctx, func(page []brain.Memory) error {
		for i := range page {
			s.add(&page[i], now)
		}
		if err := s.addOrphans(ctx, b, page); err != nil {
			return err
		}
		return also(page)
	})
	slices.SortFunc(s.OldResearch, func(x, y brain.Memory) int {
		return cmp.Or(x.Created.Compare(y.Created), cmp.Compare(x.ID, y.ID))
	})
	s.OldResearch = s.OldResearch[:min(len(s.OldResearch), maxOutdated)]
	return append(brain.Map(unreadable, brain.Unreadable.String), wrong...), err
}

func (s *Survey) add(m *brain.Memory, now time.Time) {
	s.ByType[m.MemoryType]++
	if !m.Created.IsZero() {
		s.Dated++
		s.Days += now.Sub(m.Created).Hours() / 24
	}
	if e := m.Effectiveness(); e != nil {
		s.Judged++
		s.Effectiveness += *e
		if *e < lowEffectiveness {
			s.Ineffective++
		}
	}
	if isStale(m, now) {
		s.Stale++
	}
	if m.MemoryType == marketResearch && m.EntityKey != "" && !m.Created.IsZero() && now.Sub(m.Created) >= outdatedAfter {
		s.OldResearch = append(s.OldResearch, *m)
	}
}

func isStale(m *brain.Memory, now time.Time) bool {
	stale := now.Add(-StaleDays * brain.Day)
	expired := !m.Tier.Live() || !m.ExpiresAt.IsZero() && !m.ExpiresAt.After(now)
	used := m.IdleSince()
	if expired || m.IsCore() || used.IsZero() || !used.Before(stale) {
		return false
	}
	began := m.BaseAt
	if began.IsZero() {
		began = m.LastDecay
	}
	short := m.Tier != tiers.LongTerm || m.EntityKey != ""
	return !short || began.Before(stale)
}

// addOrphans counts the entities of a page, and those without a typed relation.
func (s *Survey) addOrphans(ctx context.Context, b *services.Services, page []brain.Memory) error {
	var entities []string
	for i := range page {
		if page[i].EntityKey != "" {
			entities = append(entities, page[i].ID)
		}
	}
	rels, err := lifecycle.Read(ctx, b.Base, func(r brain.Reader) ([]brain.Relation, error) { return r.Relations(entities...) })
	related := map[string]bool{}
	for _, rel := range rels {
		if !brain.BuiltIn(rel.Type) {
			related[rel.From], related[rel.To] = true, true
		}
	}
	s.Entities += len(entities)
	for _, id := range entities {
		if related[id] {
			continue
		}
		if s.Orphans++; s.Orphans <= maxOrphans {
			s.OrphanIDs = append(s.OrphanIDs, id)
		}
	}
	return err
}
