package lifecycle

import (
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/tiers"
)

// A memory that is due twice keeps its id and leaves two archived ones, which have ids of their
// own that say whether they are of a test.
func TestAPromotedMemoryKeepsItsID(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for _, id := range []string{brain.NewID(), brain.TestPrefix + brain.NewID()} {
		m := brain.Memory{ID: id, State: new(tiers.DefaultPolicy()).Start(tiers.Working, 8, 0, now.Add(-time.Hour))}
		s := Settle(new(tiers.DefaultPolicy()), []brain.Memory{m}, now)
		settled := s.Settled[id]
		if settled.ID != id || settled.Tier != tiers.LongTerm || settled.Version != 2 || len(s.archived) != 2 {
			t.Fatalf("%+v with %d archived", settled, len(s.archived))
		}
		first, second := s.archived[0], s.archived[1]
		if first.Tier != tiers.ArchivedWorking || second.Tier != tiers.ArchivedShortTerm || second.PromotedFrom != first.ID || settled.PromotedFrom != second.ID {
			t.Errorf("%+v, %+v", first, second)
		}
		for _, was := range s.archived {
			if was.ID == id || brain.IsTest(was.ID) != brain.IsTest(id) || !was.ValidTo.Equal(now.Add(-time.Hour)) {
				t.Errorf("%+v", was)
			}
		}
	}
}
