package consolidate_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/consolidate"
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
	r := consolidate.New(b.Base, b.Journal, consolidate.Options{Steps: []consolidate.Step{consolidate.NewForget(b.Forget, false)}})
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
