package journal

import (
	"context"
	"slices"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/tiers"
)

// ForgetPage is the number of memories or sources that are planned at a time.
const ForgetPage = 500

// ForgetAll forgets every memory of a test brain, and then the sources without a memory, in
// one run, and counts the memories. For any other brain it returns [brain.ErrRefused].
func (s *Service) ForgetAll(ctx context.Context, reason string) (run brain.Run, forgotten int, err error) {
	if s.base.IDPrefix != brain.TestPrefix {
		return run, 0, brain.Errorf(brain.ErrRefused, "add --test-only; real memories are forgotten one by one", "only test memories are forgotten all at once")
	}
	run = s.base.NewRun(brain.RunForget, s.base.Now())
	for more := true; more && err == nil; {
		err = lifecycle.Retry(func() error {
			plans, err := lifecycle.Read(ctx, s.base, s.planPage)
			if more = len(plans) > 0; err != nil {
				return err
			}
			done, err := s.ApplyForget(ctx, plans, &run, reason)
			for i := range done {
				forgotten += len(done[i].Changes)
			}
			return err
		})
	}
	if err == nil {
		run, err = s.forgetSources(ctx, run, reason)
	}
	return run, forgotten, brain.Wrap(err, "forget all")
}

// planPage plans the newest memories of chains, then those of broken chains.
func (s *Service) planPage(r brain.Reader) ([]Forgetting, error) {
	for _, q := range []lifecycle.ListQuery{{Live: true}, {Tiers: []tiers.Tier{tiers.Expired}}, {All: true}} {
		q.Limit = ForgetPage
		ms, err := s.base.Strongest(r, q, s.base.Now())
		if err != nil {
			return nil, err
		}
		if len(ms) > 0 {
			return PlanMemories(r, ms...)
		}
	}
	return nil, nil
}

// forgetSources removes the sources without a memory, a page in a transaction.
func (s *Service) forgetSources(ctx context.Context, run brain.Run, reason string) (brain.Run, error) {
	for {
		now := s.base.Now()
		done, next, err := s.base.Act(ctx, run, now, func(tx brain.Tx) ([]brain.Action, error) {
			ss, err := tx.ListSources(brain.SourceFilter{Limit: ForgetPage})
			for _, rel := range lifecycle.Get(&err, tx.Relations, idsOf(ss)...) {
				ss = slices.DeleteFunc(ss, func(source brain.Source) bool { return rel.Type == brain.HasMemory && rel.From == source.ID })
			}
			ids := idsOf(ss)
			rels := lifecycle.Get(&err, tx.Relations, ids...)
			if err != nil || len(ss) == 0 {
				return nil, err
			}
			a := brain.Action{Kind: brain.ActForget, IDs: ids, Reason: reason, At: now, Unlinked: rels, Sources: ss}
			return []brain.Action{a}, tx.DeleteNodes(ids...)
		})
		if err != nil || len(done) == 0 {
			return run, err
		}
		run = next
	}
}

func idsOf(ss []brain.Source) []string {
	return brain.Map(ss, func(s brain.Source) string { return s.ID })
}
