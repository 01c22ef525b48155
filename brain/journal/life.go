package journal

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/tiers"
)

// Life is the energy of a memory until it expires: from its birth, or from the last change of the
// lifecycle numbers, because nothing is computed with other numbers than those in force.
type Life struct {
	// Points are the instants at which energy or tier changed, oldest first, and then the present.
	// From each point on energy is Energy · e^(−Lambda · hours), until the next one.
	Points    []LifePoint `json:"points"`
	ExpiresAt *time.Time  `json:"expiresAt"` // null if it does not fade, or is expired
}

// LifePoint is a change in the life of a memory.
type LifePoint struct {
	At     time.Time  `json:"at"`
	Kind   string     `json:"kind"` // as in the history, "begin" for a first point after the birth, or "now"
	Tier   tiers.Tier `json:"tier"`
	Energy float64    `json:"energy"`
	Added  float64    `json:"added"` // by a touch
	Lambda float64    `json:"lambda"`
}

// The kinds of the first point of a life, if that is not the birth, and of the last one.
const lifeBegin, lifeNow = "begin", "now"

// Life returns the energy of a memory over its life. It follows from the actions of the journal,
// which have the state before and after each change of tier, and the touches between them.
// Recalls are kept for 90 days; the energy of earlier ones is missing from the curve before the
// first action or use after them. If the archive is damaged, Life returns what could be read
// together with the error, as History does.
func (s *Service) Life(ctx context.Context, id string) (Life, error) {
	line, err := s.readLineage(ctx, id)
	if err != nil {
		return Life{}, err
	}
	archiveErr := s.addArchived(ctx, line)
	life, err := lifecycle.Read(ctx, s.base, func(r brain.Reader) (Life, error) {
		policy, since, err := brain.ReadPolicySince(r)
		if err != nil {
			return Life{}, err
		}
		return line.life(policy, since, s.base.Now()), nil
	})
	return life, cmp.Or(err, archiveErr)
}

func (s *lineage) life(policy *tiers.Policy, since, now time.Time) Life {
	m := s.chain[0]
	ids, born := s.versions(m)
	own := slices.DeleteFunc(s.entries(), func(e lineageEntry) bool { return !slices.Contains(ids, e.Memory) })
	from := begins(born, since, own)
	own = slices.DeleteFunc(own, func(e lineageEntry) bool {
		return e.Undone != nil || e.at.Before(from) || e.at.After(now) || len(e.life) == 0 && e.added == 0
	})
	p := lifePoints{policy: policy}
	p.begin(m.State, born, from, own)
	for _, e := range own {
		if len(e.life) == 0 {
			p.touch(e)
		} else if after := livingAfter(e.life); after != nil {
			p.add(e.Kind, *after, e.At, 0)
		}
	}
	steps, settled := policy.Settle(m.State, now)
	for _, step := range steps {
		p.add(string(step.Kind), step.After, step.At, 0)
	}
	p.add(lifeNow, settled, now, 0)
	return Life{p.points, lifecycle.Optional(settled.ExpiresAt)}
}

// begins returns since when the energy of a memory follows from what is known: its birth, the last
// change of the lifecycle numbers, or the undo of an action of before that change.
func begins(born, since time.Time, own []lineageEntry) time.Time {
	from := brain.Later(born, since)
	for _, e := range own {
		if e.Undone != nil && e.at.Before(since) {
			from = brain.Later(from, *e.Undone)
		}
	}
	return from
}

// livingAfter returns the state in which an action left the memory that goes on, nil if none does.
func livingAfter(changes []brain.Change) *tiers.State {
	for _, c := range changes {
		if c.After != nil && c.After.Tier.Current() {
			return &c.After.State
		}
	}
	return nil
}

// lifePoints collects the points of a life.
type lifePoints struct {
	policy *tiers.Policy
	state  tiers.State
	points []LifePoint
}

// begin adds the first point, at the instant from. What a memory began with follows from the first
// state that is known, now or before an action, without what the touches before that have added.
func (p *lifePoints) begin(first tiers.State, born, from time.Time, own []lineageEntry) {
	for _, e := range own {
		if len(e.life) > 0 && e.life[0].Before != nil {
			first = e.life[0].Before.State
			break
		}
	}
	energy, at := first.Base, first.BaseAt
	if at.IsZero() {
		energy, at = first.Energy, first.LastDecay
	}
	back := func(to time.Time) float64 { return energy * math.Exp(p.policy.Rate(first.Tier)*at.Sub(to).Hours()) }
	for _, e := range slices.Backward(own) {
		if len(e.life) == 0 && !e.at.After(at) && e.at.After(from) {
			energy, at = max(back(e.at)-e.added, p.policy.ExpireBelow), e.at
		}
	}
	switch {
	case from.Before(at):
		energy = back(from)
	case born.Before(from): // it began to fade before
		energy = p.policy.Energy(first, from)
	}
	if born.Before(from) {
		p.add(lifeBegin, p.policy.Reset(first, energy, from), from, 0)
		return
	}
	p.add(captureEvent, p.policy.Start(first.Tier, energy, 0, born), born, 0)
}

// touch adds energy, which an expired memory takes only by being revived, which is an action.
func (p *lifePoints) touch(e lineageEntry) {
	if p.state.Tier == tiers.Expired {
		return
	}
	p.state, _ = p.policy.Touch(p.state, tiers.Event{Add: e.added}, e.at)
	p.add(e.Kind, p.state, e.at, e.added)
}

func (p *lifePoints) add(kind string, s tiers.State, at time.Time, added float64) {
	p.state = s
	tier := s.Tier
	if tier == tiers.Expired {
		tier = s.ExpiredFrom
	}
	lambda := p.policy.Rate(tier)
	if s.Entity {
		lambda = 0
	}
	p.points = append(p.points, LifePoint{brain.Instant(at), kind, s.Tier, p.policy.Energy(s, at), added, lambda})
}
