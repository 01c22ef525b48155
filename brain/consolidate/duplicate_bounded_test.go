package consolidate_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/consolidate"
	"github.com/brainbridge/brainbridge/brain/storetest"
	"github.com/brainbridge/brainbridge/brain/storetest/testlab"
	"github.com/brainbridge/brainbridge/tiers"
)

// Of very many texts of one template, of which each differs from the others in a name, a run
// keeps some kilobytes each.
func TestNearlyEqualTextsAreBounded(t *testing.T) {
	peak := func(n int) (peak uint64) {
		s := testlab.OpenStore(t)
		var ms []brain.Memory
		for i := range n {
			name := strings.Map(func(digit rune) rune { return digit + 'a' - '0' }, fmt.Sprint(i/2*2+10_000)) // each twice
			ms = append(ms, storetest.Memory(strings.Repeat("The deploy ", 1+i%2)+"of the service "+name+" finished in time, and all checks of the region were green.", func(m *brain.Memory) {
				m.Name = brain.NameOf(m.Content)
			}))
		}
		if err := s.Update(t.Context(), func(tx brain.Tx) error { return tx.PutMemories(ms...) }); err != nil {
			t.Fatal(err)
		}
		b := testlab.At(s, testlab.Start())
		scope := consolidate.Scope{Now: testlab.Start(), Numbers: tiers.DefaultPolicy(), Request: consolidate.Request{DryRun: true}, Progress: func(done, total int) {
			if done > 0 || total == 0 {
				return // the search, or a later merge
			}
			var m runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&m)
			peak = m.HeapAlloc
		}}
		out, _, err := consolidate.NewDuplicates(b.Base, b.Recall, b.Review, consolidate.DuplicateOptions{}).Apply(t.Context(), scope, b.Base.NewRun(brain.RunConsolidate, scope.Now))
		if err != nil || len(out.Actions) < n/4 {
			t.Fatalf("%d merges of %d texts, %v", len(out.Actions), n, err)
		}
		return peak
	}
	few, many := peak(500), peak(2_500)
	if each := (int(many) - int(few)) / 2_000; each > 6_000 {
		t.Errorf("each text takes %d bytes", each)
	} else {
		t.Logf("each text takes %d bytes", each)
	}
}
