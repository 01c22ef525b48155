package consolidate_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/consolidate"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/brain/storetest"
	"github.com/brainbridge/brainbridge/brain/storetest/testlab"
	"github.com/brainbridge/brainbridge/tiers"
)

// A run that removes nothing looks for so many candidates as it names, longest
// idle first; a dry run names them all.
func TestARunListsTheLongestIdle(t *testing.T) {
	s := testlab.OpenStore(t)
	const n = consolidate.MaxListed + 7
	ms := make([]brain.Memory, n)
	for i := range ms {
		ms[i] = storetest.Memory(fmt.Sprint("thing ", i))
		ms[i].Tier, ms[i].Created = tiers.Expired, testlab.Start().Add(-time.Duration(i)*time.Hour)
	}
	if err := s.Update(t.Context(), func(tx brain.Tx) error { return tx.PutMemories(ms...) }); err != nil {
		t.Fatal(err)
	}
	b := testlab.At(s, testlab.Start().AddDate(0, 0, 200))
	r := consolidate.New(b.Base, b.Journal, consolidate.Options{Steps: []consolidate.Step{consolidate.NewForget(b.Journal, false)}})
	listed := func(dry bool) (ids []string, candidates int) {
		rep, err := r.Run(t.Context(), consolidate.Request{Kind: brain.RunConsolidate, ByPerson: true, DryRun: dry})
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range rep.Actions {
			ids = append(ids, a.IDs...)
		}
		return ids, rep.Candidates
	}
	if ids, candidates := listed(false); candidates != consolidate.MaxListed || len(ids) != consolidate.MaxListed || ids[0] != ms[n-1].ID {
		t.Errorf("%d candidates, %d named, first %v; want %d, first %s", candidates, len(ids), ids[:min(1, len(ids))], consolidate.MaxListed, ms[n-1].ID)
	}
	if ids, _ := listed(true); len(ids) != n {
		t.Errorf("a dry run names %d of %d", len(ids), n)
	}
}

// stoppedArchive stops its caller.
type stoppedArchive struct {
	brain.Archive
	stop func()
}

func (a stoppedArchive) Append(ctx context.Context, _ time.Time, _ []brain.Forgotten) (string, error) {
	a.stop()
	return "", ctx.Err()
}

// Nothing is looked for or listed after the stop, and one error is returned.
func TestAStoppedRunForgetsNothingElse(t *testing.T) {
	s := testlab.OpenStore(t)
	m := storetest.Memory("thing")
	m.Tier, m.Created = tiers.Expired, testlab.Start()
	if err := s.Update(t.Context(), func(tx brain.Tx) error { return tx.PutMemories(m) }); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	now := testlab.Start().AddDate(0, 0, 200)
	b := services.New(s, services.Options{Now: func() time.Time { return now }, Archive: stoppedArchive{stop: stop}})
	numbers, err := b.Base.Numbers(ctx)
	if err != nil {
		t.Fatal(err)
	}
	scope := consolidate.Scope{Now: now, Numbers: numbers, Progress: func(int, int) {}}
	out, _, err := consolidate.NewForget(b.Journal, true).Apply(ctx, scope, brain.Run{ID: brain.NewID(), Kind: brain.RunConsolidate, Started: now})
	if !errors.Is(err, context.Canceled) || strings.Contains(err.Error(), "\n") || len(out.OnRequest) > 0 {
		t.Errorf("%+v, %v", out, err)
	}
}
