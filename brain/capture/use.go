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
	if err := tiers.CheckEnergy(amount); err != nil {
		return brain.Memory{}, brain.Errorf(brain.ErrInvalid, "give a number above 0, such as 1.0", "boost: %v", err)
	}
	return s.touch(ctx, id, lifecycle.Touch{
		Kind: lifecycle.EventBoost, ID: s.base.NewID(), IsUse: true, Revives: true,
		Add: func(p tiers.Policy) float64 { return cmp.Or(amount, p.Boost) },
	})
}

// Open records that an agent read a memory. It counts as an access once per session.
func (s *Service) Open(ctx context.Context, id string) (brain.Memory, error) {
	t := lifecycle.AccessTouch()
	t.IsUse = true
	return s.touch(ctx, id, t)
}

// Used records a verdict, once per session and context. A helpful one is also an access.
func (s *Service) Used(ctx context.Context, id string, v brain.Verdict, where string) (brain.Memory, error) {
	where, secrets := s.base.Redact(where)
	s.base.ReportRedacted(secrets)
	verdict := lifecycle.Touch{Kind: string(v), Context: where, Secrets: secrets, IsUse: true}
	switch v {
	case brain.Helpful:
		verdict.Count = func(m *brain.Memory, _ time.Time) { m.HelpfulCount++ }
		return s.touch(ctx, id, verdict, lifecycle.AccessTouch())
	case brain.NotHelpful:
		verdict.Count = func(m *brain.Memory, _ time.Time) { m.NotHelpfulCount++ }
	case brain.Unsure:
	default:
		return brain.Memory{}, brain.Errorf(brain.ErrInvalid, "use --helpful, --not-helpful or --unsure", "there is no verdict %q", v)
	}
	return s.touch(ctx, id, verdict)
}

func (s *Service) touch(ctx context.Context, id string, ts ...lifecycle.Touch) (m brain.Memory, err error) {
	now := s.base.Now()
	err = s.base.Store.Update(ctx, func(tx brain.Tx) (err error) {
		m, err = s.touchIn(tx, id, now, ts...)
		return err
	})
	return m, brain.Wrap(err, "%s", ts[0].Kind)
}

// touchIn touches the newest memory of the chain that an id belongs to.
func (s *Service) touchIn(tx brain.Tx, id string, now time.Time, ts ...lifecycle.Touch) (brain.Memory, error) {
	found, err := lifecycle.Resolve(tx, id)
	if err != nil {
		return brain.Memory{}, err
	}
	return brain.First(s.base.TouchIn(tx, []brain.Memory{found.Memory}, now, ts...))
}
