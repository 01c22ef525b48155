package brain

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// ForgetPage is how many memories, or sources of tests, are planned at once.
const ForgetPage = 500

// ForgetTests forgets every test memory, and then the test sources that no
// memory came from, as one run. It returns the run as it is stored (without
// actions: nothing was there) and how many memories are gone.
func (b *Brain) ForgetTests(ctx context.Context, reason string) (Run, int, error) {
	run := Run{ID: NewID(false), Kind: RunForget, Started: b.Now(), TestOnly: true}
	n := 0
	for _, plan := range []func(Reader) ([]Forgetting, error){b.planTests, planTestSources} {
		memories, err := b.ForgetPages(ctx, plan, &run, reason)
		n += memories
		if err != nil {
			return run, n, fmt.Errorf("forget tests: %w", err)
		}
	}
	return run, n, nil
}

// ForgetPages forgets page by page what plan finds until it finds nothing.
func (b *Brain) ForgetPages(ctx context.Context, plan func(Reader) ([]Forgetting, error), run *Run, reason string) (int, error) {
	n, conflicts := 0, 0
	for {
		var page []Forgetting
		err := b.store.View(ctx, func(r Reader) (err error) {
			page, err = plan(r)
			return err
		})
		if err != nil || len(page) == 0 {
			return n, err
		}
		done, err := b.ForgetPlanned(ctx, page, run, reason)
		for i := range done {
			n += len(done[i].Changes)
		}
		switch {
		case err == nil:
			conflicts = 0
		case !errors.Is(err, ErrConflict) && !errors.Is(err, ErrNotFound):
			return n, err
		default: // something else writes them: plan what is left anew
			if conflicts++; conflicts == forgetTries {
				return n, err
			}
		}
	}
}

// planTests plans a page of test memories, each chain once.
func (b *Brain) planTests(r Reader) ([]Forgetting, error) {
	ms, err := b.strongest(r, ListQuery{All: true, Tests: true, Limit: ForgetPage}, b.Now())
	if err != nil {
		return nil, err
	}
	ids := make([]string, 0, len(ms))
	for i := range ms {
		ids = append(ids, ms[i].ID)
	}
	c := newChains(r)
	if err := c.load(ids, nil); err != nil {
		return nil, err
	}
	var plans []Forgetting
	planned := map[string]bool{}
	for _, id := range ids {
		if planned[id] {
			continue
		}
		f, err := planForget(c, id)
		if err != nil {
			return nil, err
		}
		// An archived one may lead to a chain that is planned already; one whose
		// chain is broken is forgotten on its own when its turn comes.
		if planned[f.Memory.ID] {
			continue
		}
		f.mark(planned)
		plans = append(plans, f)
	}
	return plans, nil
}

// sourcesAtOnce is how many sources one action of the journal keeps.
const sourcesAtOnce = 100

// planTestSources plans a page of the test sources that have no memory.
func planTestSources(r Reader) ([]Forgetting, error) {
	ss, err := r.ListSources(SourceFilter{Tests: true, Limit: ForgetPage})
	if err != nil || len(ss) == 0 {
		return nil, err
	}
	c := newChains(r)
	if _, err := c.Relations((Forgetting{Sources: ss}).sourceIDs()...); err != nil {
		return nil, err
	}
	ss = slices.DeleteFunc(ss, func(s Source) bool { return c.hasMemory(s.ID) })
	var plans []Forgetting
	for some := range slices.Chunk(ss, sourcesAtOnce) {
		f := Forgetting{Sources: some}
		if f.Relations, err = c.Relations(f.sourceIDs()...); err != nil {
			return nil, err
		}
		plans = append(plans, f)
	}
	return plans, nil
}

func (c *chains) hasMemory(source string) bool {
	return slices.ContainsFunc(c.relations[source], func(r Relation) bool { return r.Type == HasMemory && r.From == source })
}
