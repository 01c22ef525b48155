package brain

import (
	"fmt"
	"time"

	"github.com/brainbridge/brainbridge/tiers"
)

// PolicyOwner is the owner of the records with the lifecycle numbers.
const PolicyOwner = "lifecycle"

// PolicyBody is the body of such a record.
type PolicyBody struct {
	Numbers   map[string]float64 `json:"numbers"`
	ValidFrom time.Time          `json:"validFrom,omitzero"`
	ValidTo   time.Time          `json:"validTo,omitzero"`
}

// Timeline reads the lifecycle numbers with their history.
func Timeline(r RecordReader) (tiers.Timeline, error) {
	recs, err := r.ListRecords(ConfigRecord, RecordFilter{By: ByOwner, Keys: []string{PolicyOwner}})
	if err != nil {
		return nil, fmt.Errorf("read the lifecycle numbers: %w", err)
	}
	policies := make([]tiers.Policy, 0, len(recs))
	for _, rec := range recs {
		stored, err := Body[PolicyBody](rec)
		p := tiers.DefaultPolicy()
		for key, v := range stored.Numbers {
			if err == nil {
				p, err = p.With(key, v)
			}
		}
		if err != nil {
			return nil, fmt.Errorf("read the lifecycle numbers %s: %w", rec.ID, err)
		}
		p.ValidFrom, p.ValidTo = stored.ValidFrom, stored.ValidTo
		policies = append(policies, p)
	}
	return tiers.NewTimeline(policies...), nil
}
