package brain

import (
	"time"

	"github.com/brainbridge/brainbridge/tiers"
)

// PolicyOwner is the owner of the records with the lifecycle numbers.
const PolicyOwner = "lifecycle"

// CurrentPolicy is the id of the record without validTo; a brain has one. The others are history
// for people.
const CurrentPolicy = "current"

// PolicyBody is the body of such a record.
type PolicyBody struct {
	Numbers map[string]float64 `json:"numbers"`
	// InForce are the numbers that count, in the current record. Numbers differ from them after
	// a change, until every memory is settled under those in force.
	InForce   map[string]float64 `json:"inForce,omitempty"`
	ValidFrom time.Time          `json:"validFrom,omitzero"`
	ValidTo   time.Time          `json:"validTo,omitzero"`
}

// ReadPolicy reads the lifecycle numbers in force: the initial ones if the store has none.
func ReadPolicy(r RecordReader) (*tiers.Policy, error) {
	recs, err := r.ListRecords(ConfigRecord, RecordFilter{By: ByOwner, Keys: []string{PolicyOwner}}) // by id, a transaction would lock them
	if err != nil {
		return nil, Wrap(err, "read the lifecycle numbers")
	}
	return PolicyOf(recs)
}

// PolicyOf returns the lifecycle numbers in force of the records with all of them.
func PolicyOf(recs []Record) (*tiers.Policy, error) {
	policy := tiers.DefaultPolicy()
	recs, bodies, err := WithBodies[PolicyBody](recs, nil)
	for i, stored := range bodies {
		if recs[i].ID != CurrentPolicy {
			continue
		}
		numbers := stored.InForce
		if numbers == nil { // an earlier version stored only the numbers
			numbers = stored.Numbers
		}
		for key, v := range numbers {
			if err == nil {
				policy, err = policy.With(key, v)
			}
		}
	}
	return &policy, Wrap(err, "read the lifecycle numbers")
}
