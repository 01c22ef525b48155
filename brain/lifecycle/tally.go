package lifecycle

import (
	"time"

	"github.com/brainbridge/brainbridge/brain"
)

// Tally names a permanent counter of what neither journal nor memories show.
type Tally string

// The counters.
const (
	TallyRedacted   Tally = "redacted"   // secrets redacted
	TallyGated      Tally = "gated"      // captures checked by the relevance filter
	TallyRejected   Tally = "rejected"   // captures it rejected
	TallyDuplicates Tally = "duplicates" // rejected captures that are duplicates of a stored memory
)

type tallyBody struct {
	Count int `json:"count"`
}

// AddTally adds n to a counter. A repeated transaction must not call it again.
func AddTally(tx brain.Tx, t Tally, n int, at time.Time) error {
	if n == 0 {
		return nil
	}
	counts, err := Tallies(tx, t)
	if err != nil {
		return err
	}
	return PutRecord(tx, brain.TallyRecord, string(t), "", "", at, tallyBody{counts[t] + n})
}

// Tallies reads counters. Those that were never incremented are not in the map.
func Tallies(r brain.RecordReader, ts ...Tally) (map[Tally]int, error) {
	recs, bodies, err := brain.WithBodies[tallyBody](r.Records(brain.TallyRecord, brain.Map(ts, func(t Tally) string { return string(t) })...))
	counts := make(map[Tally]int, len(bodies))
	for i, body := range bodies {
		counts[Tally(recs[i].ID)] = body.Count
	}
	return counts, err
}
