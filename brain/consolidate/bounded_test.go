package consolidate_test

import (
	"context"
	"fmt"
	"runtime"
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

// measuring is an archive that keeps nothing and measures the heap.
type measuring struct {
	brain.Archive
	peak *uint64
}

func (m measuring) Append(context.Context, time.Time, []brain.Forgotten) (string, error) {
	runtime.GC()
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	*m.peak = max(*m.peak, s.HeapAlloc)
	return "archive", nil
}

// A run that compares, expires and forgets very many nearly equal memories keeps what its report says of each, neither
// their texts nor their states.
func TestARunIsBounded(t *testing.T) {
	peak := func(n int) (peak uint64) {
		s := testlab.OpenStore(t)
		policy, began := new(tiers.DefaultPolicy()), testlab.Start().AddDate(-1, 0, 0)
		for first := 0; first < n; first += 500 {
			var ms []brain.Memory
			for i := range 500 {
				m := storetest.Memory(fmt.Sprintf("statement %d %s", first+i, strings.Repeat("of some length ", 30)))
				m.State, m.Created, m.Importance = policy.Start(tiers.Working, 1, 0, began), began, brain.Reference
				ms = append(ms, m)
			}
			if err := s.Update(t.Context(), func(tx brain.Tx) error { return tx.PutMemories(ms...) }); err != nil {
				t.Fatal(err)
			}
		}
		b := services.New(s, services.Options{Now: testlab.Start, Archive: measuring{peak: &peak}})
		r := consolidate.New(b.Base, b.Journal, consolidate.Options{Steps: []consolidate.Step{
			consolidate.NewDuplicates(b.Base, b.Recall, b.Review, consolidate.DuplicateOptions{}), consolidate.NewForget(b.Journal, true),
		}})
		rep, err := r.Run(t.Context(), consolidate.Request{Kind: brain.RunConsolidate, ByPerson: true})
		if err != nil || rep.Expired != n || rep.Forgotten != n {
			t.Fatalf("expired %d and forgot %d of %d, %v", rep.Expired, rep.Forgotten, n, err)
		}
		return peak
	}
	few, many := peak(500), peak(2_500)
	if more := int(many) - int(few); more > 2_000*2_000 {
		t.Errorf("2,000 more memories of 500 characters took %d more bytes", more)
	}
}
