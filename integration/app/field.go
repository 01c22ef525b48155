package app

import (
	"context"
	"math"
	"slices"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/tiers"
)

// Numbers are the lifecycle numbers that pictures of energy need.
type Numbers struct {
	Lambda       map[tiers.Tier]float64 `json:"lambda"`       // per hour, of the tiers that fade
	PromoteAbove map[tiers.Tier]float64 `json:"promoteAbove"` // energy, of the tiers that have a next one
	ExpireBelow  float64                `json:"expireBelow"`  // energy
}

func numbersOf(p *tiers.Policy) Numbers {
	return Numbers{
		map[tiers.Tier]float64{tiers.Working: p.Lambda.Working, tiers.ShortTerm: p.Lambda.ShortTerm, tiers.LongTerm: p.Lambda.LongTerm},
		map[tiers.Tier]float64{tiers.Working: p.PromoteEnergy.Working, tiers.ShortTerm: p.PromoteEnergy.ShortTerm},
		p.ExpireBelow,
	}
}

// The dots of a field: all live memories up to fieldAll, of more than that the strongest fieldMost.
const fieldAll, fieldMost = 5000, 2000

// FieldAnswer has the live memories by energy and time since their last use.
type FieldAnswer struct {
	At   time.Time `json:"at"` // as of which energies are
	Live int       `json:"live"`
	Dots []Dot     `json:"dots"` // the strongest first; if there are more live ones, [UseCases.Density] counts them
	// CellStep and IdleOffset are those of [Cell].
	CellStep   float64 `json:"cellStep"`
	IdleOffset float64 `json:"idleOffset"`
}

// Dot is a live memory of a field.
type Dot struct {
	ID         string       `json:"id"`
	Name       string       `json:"name"`
	MemoryType string       `json:"memoryType"`
	Project    brain.OrNull `json:"project"`
	Tier       tiers.Tier   `json:"tier"`
	Energy     float64      `json:"energy"`
	Used       time.Time    `json:"used"` // last accessed; without an access, created
	ExpiresAt  *time.Time   `json:"expiresAt"`
	PromoteDue *time.Time   `json:"promoteDue"` // since when the next run will promote it
	UseCount   int          `json:"useCount"`
}

// Field returns the live memories by energy and time since their last use: each one up to 5,000,
// of more the strongest 2,000.
func (u *UseCases) Field(ctx context.Context) (FieldAnswer, error) {
	b, now := u.services(ctx), u.app.Now()
	a := FieldAnswer{At: brain.Instant(now), CellStep: cellStep, IdleOffset: idleOffset, Dots: []Dot{}}
	return lifecycle.Read(ctx, b.Base, func(r brain.Reader) (FieldAnswer, error) {
		policy, err := brain.ReadPolicy(r)
		if err != nil {
			return a, err
		}
		counts, err := r.Counts(now)
		if err != nil {
			return a, err
		}
		a.Live = 0
		for t, n := range counts.ByTier {
			if t.Live() {
				a.Live += n - counts.Faded[t]
			}
		}
		most := fieldAll
		if a.Live > fieldAll {
			most = fieldMost
		}
		strongest, err := b.Base.Strongest(r, ListRequest{Live: true, Limit: most}, now)
		a.Dots = brain.Map(strongest, func(m brain.Memory) Dot { return dotOf(policy, m, now) })
		return a, err
	})
}

// DensityAnswer has the numbers of live memories by cell.
type DensityAnswer struct {
	Cells []Cell `json:"cells"`
}

const (
	cellStep   = 0.25 // the side of a [Cell] on both axes, in units of the natural logarithm
	idleOffset = 0.03 // added to the hours since the last use before their logarithm is taken
)

// Cell is the number of live memories of a tier with about the same energy and the same time since
// their last use. The cell of a memory is ⌊ln(hours + idleOffset) / cellStep⌋ and
// ⌊ln(energy) / cellStep⌋.
type Cell struct {
	Tier   tiers.Tier `json:"tier"`
	Idle   int        `json:"idle"`
	Energy int        `json:"energy"`
	Count  int        `json:"count"`
}

// Density counts all live memories by energy and time since their last use. It reads all of them.
func (u *UseCases) Density(ctx context.Context) (DensityAnswer, error) {
	base, now := u.services(ctx).Base, u.app.Now()
	policy, err := lifecycle.Read(ctx, base, func(r brain.Reader) (*tiers.Policy, error) { return brain.ReadPolicy(r) })
	if err != nil {
		return DensityAnswer{}, err
	}
	counts := map[Cell]int{}
	_, _, err = base.EachCurrent(ctx, func(page []brain.Memory) error {
		for _, m := range page {
			if m.Tier.Live() && (m.ExpiresAt.IsZero() || m.ExpiresAt.After(now)) {
				counts[cellOf(policy, &m, now)]++
			}
		}
		return nil
	})
	a := DensityAnswer{Cells: []Cell{}}
	for cell, n := range counts {
		cell.Count = n
		a.Cells = append(a.Cells, cell)
	}
	return a, err
}

// cellOf returns the cell of a live memory, without a count.
func cellOf(policy *tiers.Policy, m *brain.Memory, now time.Time) Cell {
	cell := func(value float64) int { return int(math.Floor(math.Log(value) / cellStep)) }
	idle := max(0, now.Sub(lastUse(m)).Hours())
	energy := max(policy.Energy(m.State, now), policy.ExpireBelow)
	return Cell{Tier: m.Tier, Idle: cell(idle + idleOffset), Energy: cell(energy)}
}

// lastUse returns when a memory was last accessed; without an access, when it was created.
func lastUse(m *brain.Memory) time.Time {
	if m.LastAccessed.IsZero() {
		return m.Created
	}
	return m.LastAccessed
}

func dotOf(policy *tiers.Policy, m brain.Memory, now time.Time) Dot {
	return Dot{
		m.ID, m.Name, m.MemoryType, brain.OrNull(m.Project), m.Tier, policy.Energy(m.State, now), lastUse(&m),
		lifecycle.Optional(m.ExpiresAt), lifecycle.Optional(m.PromoteDue), m.UseCount,
	}
}

// NextAnswer says what happens next to live memories that nobody uses.
type NextAnswer struct {
	Expires []Dot `json:"expires"` // the first first
	// Rises are the memories that the next run promotes, the strongest first, at most as many as asked for.
	Rises []Dot `json:"rises"`
}

// nextHorizons are how far Next looks ahead until it has found enough.
var nextHorizons = [...]time.Duration{time.Hour, 6 * time.Hour, 24 * time.Hour}

// Next returns up to limit memories that expire within a day, and as many that the next run
// promotes.
func (u *UseCases) Next(ctx context.Context, limit int) (NextAnswer, error) {
	b, now := u.services(ctx), u.app.Now()
	return lifecycle.Read(ctx, b.Base, func(r brain.Reader) (a NextAnswer, err error) {
		policy, err := brain.ReadPolicy(r)
		if err != nil {
			return a, err
		}
		var fading []brain.Memory
		for _, ahead := range nextHorizons {
			due, err := r.ListMemories(brain.ListFilter{Due: now.Add(ahead)})
			if err != nil {
				return a, err
			}
			fading = slices.DeleteFunc(due, func(m brain.Memory) bool { return !m.ExpiresAt.After(now) || m.ExpiresAt.After(now.Add(ahead)) })
			if len(fading) >= limit {
				break
			}
		}
		slices.SortFunc(fading, func(x, y brain.Memory) int { return x.ExpiresAt.Compare(y.ExpiresAt) })
		var rising []brain.ListFilter
		for _, t := range []tiers.Tier{tiers.Working, tiers.ShortTerm} {
			rising = append(rising, brain.ListFilter{Tier: t, DueOnly: true, Unexpired: now, Limit: limit})
		}
		rises, err := r.ListMemories(rising...)
		lifecycle.SortByEnergy(policy, rises, now)
		dots := func(ms []brain.Memory) []Dot {
			return brain.Map(ms[:min(limit, len(ms))], func(m brain.Memory) Dot { return dotOf(policy, m, now) })
		}
		return NextAnswer{dots(fading), dots(rises)}, err
	})
}
