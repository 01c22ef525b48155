package review

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/tiers"
)

// cluster has the memories to merge, at the instant of the merge.
type cluster struct {
	policy  *tiers.Policy
	now     time.Time
	members []brain.Memory // the keeper first
}

// result returns the keeper as it is after the merge, with the text of a proposal if that is not
// nil. It combines what all members have gained.
func (c cluster) result(proposed *brain.Memory) brain.Memory {
	next := c.members[0]
	next.Version++
	if proposed != nil {
		c.reword(&next, *proposed)
	}
	entity, validFrom := next.Entity, next.ValidFrom
	next.State = c.state()
	next.Entity, next.ValidFrom = entity, validFrom
	c.count(&next)
	c.judge(&next)
	c.join(&next)
	next.ConsolidatedAt = c.now
	if next.Entity {
		var names []string
		for i := range c.members {
			if c.members[i].ID != next.ID {
				names = brain.Union(names, []string{c.members[i].Name})
			}
		}
		next.Observations = append(next.Observations, fmt.Sprintf("Merged from: %s (%s)", strings.Join(names, ", "), c.now.Format(time.DateOnly)))
	}
	next.Complete()
	if next.ContentHash != c.members[0].ContentHash {
		next.ValidFrom = c.now
	}
	return next
}

// reword gives the keeper the text of a proposal. An entity keeps its name, by which others
// refer to it.
func (c cluster) reword(next *brain.Memory, proposed brain.Memory) {
	if next.Entity {
		next.Observations = strings.Split(proposed.Content, "\n")
	} else {
		next.Name = proposed.Name
	}
	next.Content, next.Tags = proposed.Content, proposed.Tags
	next.MemoryType = cmp.Or(proposed.MemoryType, next.MemoryType)
	next.Importance = proposed.Importance
}

// state returns the highest tier and energy of the live members, or of all if none is live.
func (c cluster) state() tiers.State {
	pool := slices.DeleteFunc(slices.Clone(c.members), func(m brain.Memory) bool { return c.policy.Expired(m.State, c.now) })
	if len(pool) == 0 {
		pool = c.members
	}
	s := slices.MaxFunc(pool, func(a, b brain.Memory) int {
		return cmp.Or(cmp.Compare(tierRank(a.Tier), tierRank(b.Tier)), cmp.Compare(c.energy(a), c.energy(b)))
	}).State
	most := slices.MaxFunc(pool, func(a, b brain.Memory) int { return cmp.Compare(c.energy(a), c.energy(b)) })
	if energy := c.energy(most); energy > c.policy.Energy(s, c.now) {
		due := s.PromoteDue
		s = c.policy.Reset(s, energy, c.now)
		s.PromoteDue = due
		s = c.policy.Recompute(s)
	}
	s.SessionCount = 0
	for i := range c.members {
		s.SessionCount += c.members[i].SessionCount
		s.PeakEnergy = max(s.PeakEnergy, c.members[i].PeakEnergy)
	}
	return s
}

func (c cluster) energy(m brain.Memory) float64 { return c.policy.Energy(m.State, c.now) }

// tierRank orders the tiers of current memories, highest last.
func tierRank(t tiers.Tier) int {
	return slices.Index([]tiers.Tier{tiers.Expired, tiers.Working, tiers.ShortTerm, tiers.LongTerm, tiers.Core}, t)
}

func (c cluster) count(next *brain.Memory) {
	sums := next.Counters()
	for _, sum := range sums {
		*sum = 0
	}
	for i := range c.members {
		m := &c.members[i]
		for k, n := range m.Counters() {
			*sums[k] += *n
		}
		next.LastAccessed = brain.Later(next.LastAccessed, m.LastAccessed)
		next.LastUsed = brain.Later(next.LastUsed, m.LastUsed)
		if !m.Created.IsZero() && (next.Created.IsZero() || m.Created.After(next.Created) != next.Entity && !m.Created.Equal(next.Created)) {
			next.Created = m.Created // its last mention; an entity keeps its place in the graph
		}
	}
}

// judge copies the highest value of each judgement, lowest first in the lists.
func (c cluster) judge(next *brain.Memory) {
	importances := []brain.Importance{"", brain.Reference, brain.Important, brain.Critical}
	severities := []string{"", "low", "medium", "high", "critical"}
	retentions := []string{brain.RetainTemporary, "", brain.RetainPermanent, brain.RetainCore} // the least lasting first
	for i := range c.members {
		m := &c.members[i]
		next.Importance = most(importances, next.Importance, m.Importance)
		next.Severity = most(severities, next.Severity, m.Severity)
		next.Retention = most(retentions, next.Retention, m.Retention)
		next.Origin = cmp.Or(next.Origin, m.Origin)
		if s := m.RelevanceScore; s != nil && (next.RelevanceScore == nil || *s > *next.RelevanceScore) {
			next.RelevanceScore = s
		}
	}
}

// most returns the value that comes later in order.
func most[T comparable](order []T, a, z T) T {
	if slices.Index(order, z) > slices.Index(order, a) {
		return z
	}
	return a
}

func (c cluster) join(next *brain.Memory) {
	from := slices.Clone(next.MergedFrom)
	next.Tags, next.AppliesTo = slices.Clone(next.Tags), slices.Clone(next.AppliesTo)
	next.Observations = slices.Clone(next.Observations)
	for i := range c.members {
		m := &c.members[i]
		next.Tags = brain.Union(next.Tags, m.Tags)
		next.AppliesTo = brain.Union(next.AppliesTo, m.AppliesTo)
		if m.ID != next.ID {
			from = brain.Union(brain.Union(from, []string{m.ID}), m.MergedFrom)
		}
		switch {
		case !next.Entity, m.Entity:
			next.Observations = brain.Union(next.Observations, m.Observations)
		default: // the text of a plain memory becomes an observation of the entity
			next.Observations = brain.Union(next.Observations, strings.Split(m.Content, "\n"))
		}
	}
	next.MergedFrom = from
}
