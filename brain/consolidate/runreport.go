package consolidate

import (
	"slices"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/review"
	"github.com/brainbridge/brainbridge/tiers"
)

// RunReport is the report of a past run, made from its actions and its [StoredReport]. Its
// JSON keys are a contract.
type RunReport struct {
	Date            time.Time         `json:"date"`
	Previous        *PreviousRun      `json:"previous"`   // null: none, or not stored
	DurationMs      *int64            `json:"durationMs"` // null: not stored
	Counts          Counts            `json:"counts"`
	Merges          []MergedMemory    `json:"merges"`
	Promotions      []PromotedMemory  `json:"promotions"`
	Forgotten       []ForgottenMemory `json:"forgotten"`
	Orphans         []Named           `json:"orphans"` // at the end
	Health          *HealthChange     `json:"health"`  // null: not stored
	Recommendations []string          `json:"recommendations"`
	NextTriggers    []string          `json:"nextTriggers"`
}

// PreviousRun is the run of all steps before the reported one.
type PreviousRun struct {
	RunID *string   `json:"runId"` // null: it changed nothing
	Date  time.Time `json:"date"`
}

// Counts are the numbers of a report.
type Counts struct {
	Analysed       int `json:"analysed"` // memories that were compared for duplicates
	Merged         int `json:"merged"`   // memories that were merged into others
	Promoted       int `json:"promoted"`
	PromotedToCore int `json:"promotedToCore"`
	Expired        int `json:"expired"`
	Forgotten      int `json:"forgotten"`
	Candidates     int `json:"forgetCandidates"` // memories that could be forgotten and were only listed
	Related        int `json:"relationsCreated"`
	Flagged        int `json:"flagged"` // for a person to decide
	Orphans        int `json:"orphans"` // entities without a typed relation at the end
}

// Named is the id and the name of a memory.
type Named struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// MergedMemory is the result of merging a cluster.
type MergedMemory struct {
	Named
	Originals []Named `json:"originals"` // memories that it supersedes
	Reason    string  `json:"reason"`
	// Similarity of the two that are least alike; null: not known, as in a merge by a person.
	Similarity *float64 `json:"similarity"`
}

// PromotedMemory is a memory that moved up.
type PromotedMemory struct {
	Named
	As tiers.Tier `json:"as"` // the new tier
}

// ForgottenMemory is a memory that was removed.
type ForgottenMemory struct {
	Named
	AgeDays int    `json:"ageDays"`
	Uses    int    `json:"uses"`
	Archive string `json:"archive"` // the file that keeps it
}

// HealthChange is the health of a brain before and after a run.
type HealthChange struct {
	Before Vitals   `json:"before"`
	After  Vitals   `json:"after"`
	Change Measures `json:"change"` // an average is null if it is null in Before or After
}

// NewRunReport returns the report of a run without its actions; see [RunReport.Add]. stored
// may be nil.
func NewRunReport(run brain.Run, stored *StoredReport) *RunReport {
	r := &RunReport{
		Date: run.Started, Merges: []MergedMemory{}, Promotions: []PromotedMemory{}, Forgotten: []ForgottenMemory{},
		Orphans:         []Named{},
		Recommendations: []string{}, NextTriggers: []string{},
	}
	if stored == nil {
		return r
	}
	r.DurationMs = &stored.DurationMs
	r.Counts.Analysed, r.Counts.Flagged, r.Counts.Orphans = stored.Analysed, stored.Flagged, stored.Orphans
	r.Counts.Related, r.Counts.Candidates = stored.Related, stored.Candidates
	r.Recommendations = append(r.Recommendations, stored.Recommendations...)
	r.NextTriggers = append(r.NextTriggers, stored.NextTriggers...)
	r.Previous, r.Orphans = stored.Previous, append(r.Orphans, stored.OrphanNames...)
	if stored.Before != nil && stored.After != nil {
		r.Health = &HealthChange{*stored.Before, *stored.After, stored.After.minus(stored.Before.Measures)}
		r.Counts.Orphans = stored.After.Orphans
	}
	return r
}

// Add adds one action of the run.
func (r *RunReport) Add(act brain.Action) {
	switch act.Kind {
	case brain.ActPromote, review.ActCore:
		r.promote(act)
	case brain.ActExpire:
		r.Counts.Expired++
	case brain.ActMerge:
		r.merge(act)
	case brain.ActForget:
		r.forget(act)
	}
}

func (r *RunReport) promote(act brain.Action) {
	if act.Kind == review.ActCore {
		r.Counts.PromotedToCore++
	} else {
		r.Counts.Promoted++
	}
	for _, c := range slices.Backward(act.Changes) {
		if m := c.After; m != nil && m.Tier.Live() {
			r.Promotions = append(r.Promotions, PromotedMemory{named(m), m.Tier})
			return
		}
	}
}

func (r *RunReport) merge(act brain.Action) {
	merged := MergedMemory{Originals: []Named{}, Reason: act.Reason}
	if act.Similarity > 0 {
		merged.Similarity = &act.Similarity
	}
	for _, c := range act.Changes {
		switch {
		case c.Before == nil && !c.After.Current(): // what the keeper said before
		case c.After != nil && c.After.Tier == tiers.Superseded:
			merged.Originals = append(merged.Originals, named(c.After))
		case c.After != nil:
			merged.Named = named(c.After)
		}
	}
	r.Counts.Merged += len(merged.Originals)
	r.Merges = append(r.Merges, merged)
}

func (r *RunReport) forget(act brain.Action) {
	r.Counts.Forgotten++
	for _, c := range act.Changes { // the memory itself, and the originals that it was promoted from
		if m := c.Before; m != nil && m.ID == act.IDs[0] {
			r.Forgotten = append(r.Forgotten, ForgottenMemory{
				Named: named(m), AgeDays: int(act.At.Sub(m.Created) / brain.Day), Uses: m.UseCount, Archive: act.Archive,
			})
		}
	}
}

func named(m *brain.Memory) Named { return Named{m.ID, m.Name} }

// minus returns the difference of m and o.
func (m Measures) minus(o Measures) Measures {
	m.Live -= o.Live
	m.Expired -= o.Expired
	m.Stale -= o.Stale
	m.LowEffectiveness -= o.LowEffectiveness
	m.Duplicates -= o.Duplicates
	m.Orphans -= o.Orphans
	m.AverageAgeDays = difference(m.AverageAgeDays, o.AverageAgeDays)
	m.AverageEffectiveness = difference(m.AverageEffectiveness, o.AverageEffectiveness)
	return m
}

func difference(v, o *float64) *float64 {
	if v == nil || o == nil {
		return nil
	}
	return new(*v - *o)
}
