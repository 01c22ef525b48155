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
	recs, err := policyRecords(r)
	if err != nil {
		return nil, err
	}
	return PolicyOf(recs)
}

// ReadPolicySince is ReadPolicy, and returns since when the numbers that lives depend on are in
// force: zero if they never changed. What was stored before must not be computed on with them.
func ReadPolicySince(r RecordReader) (policy *tiers.Policy, since time.Time, err error) {
	recs, err := policyRecords(r)
	if err == nil {
		policy, err = PolicyOf(recs)
	}
	if err != nil {
		return nil, since, err
	}
	_, bodies, err := WithBodies[PolicyBody](recs, nil)
	for _, b := range bodies {
		if before, invalid := policyWith(b.Numbers); b.ValidTo.After(since) && (invalid != nil || !before.SameLives(*policy)) {
			since = b.ValidTo
		}
	}
	return policy, since, err
}

// policyWith returns the initial numbers with others in place of some. Those that have become
// constants do not count.
func policyWith(numbers map[string]float64) (p tiers.Policy, err error) {
	p = tiers.DefaultPolicy()
	constants := tiers.Constants()
	for key, v := range numbers {
		if _, isConstant := constants[key]; err == nil && !isConstant {
			p, err = p.With(key, v)
		}
	}
	return p, err
}

func policyRecords(r RecordReader) ([]Record, error) {
	recs, err := r.ListRecords(ConfigRecord, RecordFilter{By: ByOwner, Keys: []string{PolicyOwner}}) // by id, a transaction would lock them
	return recs, Wrap(err, "read the lifecycle numbers")
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
		if err == nil {
			policy, err = policyWith(numbers)
		}
	}
	return &policy, Wrap(err, "read the lifecycle numbers")
}
