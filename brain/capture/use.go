package capture

import (
	"cmp"
	"context"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/tiers"
)

// Boost adds energy to a memory; 0 means the boost of the policy. It counts as a use and
// revives an expired memory.
func (s *Service) Boost(ctx context.Context, id string, amount float64) (brain.Memory, error) {
	m, _, err := s.boost(ctx, id, amount, false)
	return m, err
}

// BoostRun is Boost as a run of its own, which can be undone.
func (s *Service) BoostRun(ctx context.Context, id string, amount float64) (brain.Memory, brain.Run, error) {
	return s.boost(ctx, id, amount, true)
}

func (s *Service) boost(ctx context.Context, id string, amount float64, asRun bool) (brain.Memory, brain.Run, error) {
	if err := tiers.CheckEnergy(amount); err != nil {
		return brain.Memory{}, brain.Run{}, brain.Errorf(brain.ErrInvalid, "give a number above 0, such as 1.0", "boost: %v", err)
	}
	return s.touch(ctx, id, asRun, lifecycle.Touch{
		Kind: lifecycle.EventBoost, ID: s.base.NewID(), IsUse: true, Revives: true,
		Add: func(p *tiers.Policy) float64 { return cmp.Or(amount, p.Boost) },
	})
}

// Open records that an agent read a memory. It counts as an access once per session.
func (s *Service) Open(ctx context.Context, id string) (brain.Memory, error) {
	t := lifecycle.AccessTouch()
	t.IsUse = true
	m, _, err := s.touch(ctx, id, false, t)
	return m, err
}

// Used records a verdict, once per session and context. A helpful one is also an access.
func (s *Service) Used(ctx context.Context, id string, v brain.Verdict, where string) (brain.Memory, error) {
	m, _, err := s.used(ctx, id, v, where, false)
	return m, err
}

// UsedRun is Used as a run of its own, which can be undone. Without actions it did not count.
func (s *Service) UsedRun(ctx context.Context, id string, v brain.Verdict, where string) (brain.Memory, brain.Run, error) {
	return s.used(ctx, id, v, where, true)
}

func (s *Service) used(ctx context.Context, id string, v brain.Verdict, where string, asRun bool) (brain.Memory, brain.Run, error) {
	where, secrets := s.base.Redact(where)
	s.base.ReportRedacted(secrets)
	verdict := lifecycle.Touch{Kind: string(v), Context: where, Secrets: secrets, IsUse: true}
	switch v {
	case brain.Helpful:
		verdict.Count = func(m *brain.Memory, _ time.Time) { m.HelpfulCount++ }
		return s.touch(ctx, id, asRun, verdict, lifecycle.AccessTouch())
	case brain.NotHelpful:
		verdict.Count = func(m *brain.Memory, _ time.Time) { m.NotHelpfulCount++ }
	case brain.Unsure:
	default:
		return brain.Memory{}, brain.Run{}, brain.Errorf(brain.ErrInvalid, "use --helpful, --not-helpful or --unsure", "there is no verdict %q", v)
	}
	return s.touch(ctx, id, asRun, verdict)
}

// touch touches the newest memory of the chain of an id, as a run of the kind of the first touch
// if asRun is set.
func (s *Service) touch(ctx context.Context, id string, asRun bool, ts ...lifecycle.Touch) (m brain.Memory, run brain.Run, err error) {
	now := s.base.Now()
	touch := func(tx brain.Tx) (actions []brain.Action, err error) {
		found, err := lifecycle.Resolve(tx, id)
		switch {
		case err != nil:
		case asRun:
			m, actions, err = s.base.TouchAction(tx, found.Memory, now, ts...)
		default:
			m, err = brain.First(s.base.TouchIn(tx, []brain.Memory{found.Memory}, now, ts...))
		}
		return actions, err
	}
	if asRun {
		_, run, err = s.base.Act(ctx, s.base.NewRun(ts[0].Kind, now), now, touch)
	} else {
		err = s.base.Store.Update(ctx, func(tx brain.Tx) error {
			_, err := touch(tx)
			return err
		})
	}
	return m, run, brain.Wrap(err, "%s", ts[0].Kind)
}
