package app

import (
	"errors"
	"math"
	"testing"

	"github.com/brainbridge/brainbridge/brain"
)

func TestConsolidateRequestsOutOfRange(t *testing.T) {
	for name, c := range map[string]struct {
		r  ConsolidateRequest
		ok bool
	}{
		"nothing given":            {ConsolidateRequest{}, true},
		"all given":                {ConsolidateRequest{Similarity: new(0.5), MinCluster: new(2), MaxCluster: new(2), Batch: new(1), IdempotencyDays: new(0)}, true},
		"similarity of 0":          {ConsolidateRequest{Similarity: new(0.0)}, false},
		"similarity above 1":       {ConsolidateRequest{Similarity: new(1.1)}, false},
		"similarity that is NaN":   {ConsolidateRequest{Similarity: new(math.NaN())}, false},
		"cluster of 0":             {ConsolidateRequest{MinCluster: new(0)}, false},
		"cluster of 0 at most":     {ConsolidateRequest{MaxCluster: new(0)}, false},
		"cluster that is too big":  {ConsolidateRequest{MaxCluster: new(1001)}, false},
		"maximum below minimum":    {ConsolidateRequest{MinCluster: new(5), MaxCluster: new(4)}, false},
		"batch of 0":               {ConsolidateRequest{Batch: new(0)}, false},
		"days below 0":             {ConsolidateRequest{IdempotencyDays: new(-1)}, false},
		"type that is not a word":  {ConsolidateRequest{Type: new("a\x00")}, false},
		"type without a character": {ConsolidateRequest{Type: new("")}, false},
	} {
		if err := c.r.check(); (err == nil) != c.ok || err != nil && !errors.Is(err, brain.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// These ids will never exist, but that of the memory which an echo repeats does.
func TestAnswersOfADryRunHaveNoIDs(t *testing.T) {
	u := New(Options{}).As(Caller{DryRun: true})
	if a := u.captured(brain.Captured{SourceID: "s", MemoryID: "m", Tier: "working", Energy: 2}); a.SourceID != "" || a.MemoryID != "" || *a.Energy != 2 {
		t.Errorf("%+v", a)
	}
	if a := u.captured(brain.Captured{MemoryID: "m", Known: "m"}); a.MemoryID == "" {
		t.Errorf("an echo: %+v", a)
	}
}
