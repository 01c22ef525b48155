package brain

import (
	"fmt"
	"time"

	"github.com/brainbridge/brainbridge/tiers"
)

// PolicyOwner is the owner of the records with the lifecycle numbers.
const PolicyOwner = "lifecycle"

// CurrentPolicy is the id of the record without validTo; a brain has one.
const CurrentPolicy = "current"

// PolicyBody is the body of such a record.
type PolicyBody struct {
	Numbers map[string]float64 `json:"numbers"`
	// InForce are the numbers that count, in the current record. Numbers differ from them after
	// a change by hand, which the next run puts into force.
	InForce   map[string]float64 `json:"inForce,omitempty"`
	ValidFrom time.Time          `json:"validFrom,omitzero"`
	ValidTo   time.Time          `json:"validTo,omitzero"`
}

// Timeline reads the lifecycle numbers in force with their history.
func Timeline(r RecordReader) (tiers.Timeline, error) {
	recs, bodies, err := WithBodies[PolicyBody](r.ListRecords(ConfigRecord, RecordFilter{By: ByOwner, Keys: []string{PolicyOwner}}))
	if err != nil {
		return nil, fmt.Errorf("read the lifecycle numbers: %w", err)
	}
	policies := make([]tiers.Policy, 0, len(recs))
	for i, stored := range bodies {
		numbers := stored.InForce
		if numbers == nil {
			numbers = stored.Numbers
		}
		p := tiers.DefaultPolicy()
		for key, v := range numbers {
			if p, err = p.With(key, v); err != nil {
				return nil, fmt.Errorf("read the lifecycle numbers %s: %w", recs[i].ID, err)
			}
		}
		p.ValidFrom, p.ValidTo = stored.ValidFrom, stored.ValidTo
		if p.ValidFrom.IsZero() {
			p.ValidFrom = recs[i].At
		}
		policies = append(policies, p)
	}
	return tiers.NewTimeline(policies...), nil
}
