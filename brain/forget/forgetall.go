package forget

import (
	"context"
	"fmt"
	"slices"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
)

// ForgetPage is the number of memories or sources that are planned at a time.
const ForgetPage = 500

// ForgetAll forgets every memory of a test brain, and then the sources without a
// memory, in one run. It returns the stored run (without actions if there was
// nothing to forget) and the number of forgotten memories. For any other brain it
// returns [brain.ErrRefused].
func (b *Service) ForgetAll(ctx context.Context, reason string) (run brain.Run, forgotten int, err error) {
	if b.base.IDPrefix != brain.TestPrefix {
		return run, 0, brain.Errorf(brain.ErrRefused, "add --test-only; real memories are forgotten one by one", "only test memories are forgotten all at once")
	}
	run = brain.Run{ID: b.base.NewID(), Kind: brain.RunForget, Started: b.base.Now()}
	for _, plan := range []func(brain.Reader) ([]Forgetting, error){b.planMemories, planSources} {
		n, err := b.forgetPages(ctx, plan, &run, reason)
		forgotten += n
		if err != nil {
			return run, forgotten, fmt.Errorf("forget all: %w", err)
		}
	}
	return run, forgotten, nil
}

// forgetPages forgets what plan returns, page by page, until it returns nothing.
func (b *Service) forgetPages(ctx context.Context, plan func(brain.Reader) ([]Forgetting, error), run *brain.Run, reason string) (n int, err error) {
	for {
		more := false
		err := lifecycle.Retry(func() error {
			page, err := lifecycle.Read(ctx, b.base, plan)
			if more = len(page) > 0; err != nil || !more {
				return err
			}
			done, err := b.Carry(ctx, page, run, reason)
			for i := range done {
				n += len(done[i].Changes)
			}
			return err
		})
		if err != nil || !more {
			return n, err
		}
	}
}

// planMemories plans a page of memories, each chain once.
func (b *Service) planMemories(r brain.Reader) ([]Forgetting, error) {
	ms, err := b.base.Strongest(r, lifecycle.ListQuery{All: true, Limit: ForgetPage}, b.base.Now())
	if err != nil {
		return nil, err
	}
	c := lifecycle.NewChains(r)
	if err := c.Load(brain.IDs(ms), nil); err != nil {
		return nil, err
	}
	var plans []Forgetting
	planned := map[string]bool{}
	for _, m := range ms {
		if planned[m.ID] {
			continue
		}
		f, err := PlanMemory(c, m.ID)
		if err != nil {
			return nil, err
		}
		// An archived memory may redirect to a chain that is already planned; one
		// whose chain is broken is forgotten on its own.
		if planned[f.Memory.ID] {
			continue
		}
		for _, older := range f.Chain {
			planned[older.ID] = true
		}
		plans = append(plans, f)
	}
	return plans, nil
}

// planSources plans a page of the sources without a memory, together.
func planSources(r brain.Reader) ([]Forgetting, error) {
	ss, err := r.ListSources(brain.SourceFilter{Limit: ForgetPage})
	if err != nil {
		return nil, err
	}
	c := lifecycle.NewChains(r)
	if _, err := c.Relations((Forgetting{Sources: ss}).sourceIDs()...); err != nil {
		return nil, err
	}
	f := Forgetting{Sources: slices.DeleteFunc(ss, func(s brain.Source) bool { return c.HasMemory(s.ID) })}
	if len(f.Sources) == 0 {
		return nil, nil
	}
	f.Relations, err = c.Relations(f.sourceIDs()...)
	return []Forgetting{f}, err
}
