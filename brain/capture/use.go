package capture

import (
	"cmp"
	"context"
	"fmt"
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

// BoostUndoably is [Service.Boost] as a run of its own, which can be undone.
func (s *Service) BoostUndoably(ctx context.Context, id string, amount float64) (brain.Memory, brain.Run, error) {
	return s.boost(ctx, id, amount, true)
}

func (s *Service) boost(ctx context.Context, id string, amount float64, undoably bool) (brain.Memory, brain.Run, error) {
	if err := tiers.CheckEnergy(amount); err != nil {
		return brain.Memory{}, brain.Run{}, brain.Errorf(brain.ErrInvalid, fmt.Sprintf("give a number from 0 to %.0f; 0 adds the usual boost", float64(tiers.MaxEnergy)), "boost: %v", err)
	}
	return s.touch(ctx, id, undoably, lifecycle.Touch{
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

// UsedUndoably is [Service.Used] as a run of its own, which can be undone. If the verdict was counted
// before in this session and context, the run has no actions.
func (s *Service) UsedUndoably(ctx context.Context, id string, v brain.Verdict, where string) (brain.Memory, brain.Run, error) {
	return s.used(ctx, id, v, where, true)
}

func (s *Service) used(ctx context.Context, id string, v brain.Verdict, where string, undoably bool) (m brain.Memory, run brain.Run, err error) {
	where, secrets := s.base.Redact(where)
	touches := []lifecycle.Touch{{Kind: string(v), Context: where, Secrets: secrets, IsUse: true}}
	switch v {
	case brain.Helpful:
		touches[0].Count = func(m *brain.Memory, _ time.Time) { m.HelpfulCount++ }
		touches = append(touches, lifecycle.AccessTouch())
	case brain.NotHelpful:
		touches[0].Count = func(m *brain.Memory, _ time.Time) { m.NotHelpfulCount++ }
	case brain.Unsure:
	default:
		return m, run, brain.Errorf(brain.ErrInvalid, "use --helpful, --not-helpful or --unsure", "there is no verdict %q", v)
	}
	if m, run, err = s.touch(ctx, id, undoably, touches...); err == nil {
		s.base.ReportRedacted(secrets)
	}
	return m, run, err
}

// touch touches the newest memory of the chain of an id. If undoably is set, it does so as a run of
// the kind of the first touch.
func (s *Service) touch(ctx context.Context, id string, undoably bool, touches ...lifecycle.Touch) (m brain.Memory, run brain.Run, err error) {
	now := s.base.Now()
	if undoably {
		_, run, err = s.base.Act(ctx, s.base.NewRun(touches[0].Kind, now), now, func(tx brain.Tx) (actions []brain.Action, err error) {
			found, err := lifecycle.Resolve(tx, id)
			if err == nil {
				m, actions, err = s.base.TouchAction(tx, found.Memory, now, touches...)
			}
			return actions, err
		})
	} else {
		err = s.base.Store.Update(ctx, func(tx brain.Tx) error {
			found, err := lifecycle.Resolve(tx, id)
			if err == nil {
				m, err = brain.First(s.base.TouchIn(tx, []brain.Memory{found.Memory}, now, touches...))
			}
			return err
		})
	}
	return m, run, brain.Wrap(err, "%s", touches[0].Kind)
}
