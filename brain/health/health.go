// Package health reads what is known of the state of a brain, and judges it:
// indicators that are fine or warn, each with the command that helps, and
// recommendations.
package health

import (
	"fmt"
	"maps"
	"math"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/tiers"
)

// State is what an indicator says.
type State string

// The states of an indicator, and of a whole brain.
const (
	OK   State = "ok"
	Warn State = "warn"
)

// Facts are what is known of a brain at an instant. A zero time is "never".
type Facts struct {
	Now time.Time

	ByTier map[tiers.Tier]int // memories, as they stand now
	ByType map[string]int     // live and expired ones

	AverageAgeDays       *float64 // nil: there are no memories
	AverageEffectiveness *float64 // nil: there are no verdicts

	Stale            int // live memories, core apart, that were not used for StaleDays
	Forgettable      int // memories that may be forgotten, at most MostForgettable
	LowEffectiveness int // memories whose effectiveness is below brain.LowEffectiveness
	Duplicates       int // review items about memories that say the same, or contradict
	Entities         int
	Orphans          int           // entities without a typed relation
	OldResearch      []OldResearch // of market research, older than brain.OutdatedAfter

	LastCapture time.Time
	LastRun     time.Time // of the last whole run
	LastBackup  time.Time

	Watching   bool   // a daemon finds what is saved in the notes
	StoreBytes *int64 // nil: not known, as of a server
	Spooled    int    // captures that wait for the store
	Rejected   int    // captures that it refused

	MaxLive     int // live memories over which a run is due
	SilenceDays int // without a capture
}

// OldResearch is an entity of market research, which goes out of date.
type OldResearch struct {
	ID, Name string
	Created  time.Time
}

// The thresholds that no setting moves, beside those of [brain.Survey].
const (
	StaleDays = 90 // without use
	// MostForgettable is up to how many it is counted what may be forgotten.
	MostForgettable = 100
	orphanShare     = 0.2 // of all entities
	lateDays        = 2   // since the last run or backup: each is nightly, and one night may fail
	storeLimit      = 2e9 // bytes; a million memories take about as much
	day             = brain.Day
)

// Indicator is one thing that is looked at. A warning means that the value is
// on the wrong side of the limit, or that there is none where there has to be.
type Indicator struct {
	Name   string   `json:"name"`
	State  State    `json:"state"`
	Value  *float64 `json:"value"` // null: none, or not known
	Limit  float64  `json:"limit"`
	Action *string  `json:"action"` // the command that helps; null if all is well
	Detail string   `json:"detail"` // for people
}

// Totals are how many memories there are.
type Totals struct {
	Memories int                `json:"memories"` // live and expired
	ByTier   map[tiers.Tier]int `json:"byTier"`
	ByType   map[string]int     `json:"byType"`
}

// Report is how a brain stands.
type Report struct {
	Status               State       `json:"status"`
	Totals               Totals      `json:"totals"`
	AverageAgeDays       *float64    `json:"averageAgeDays"`
	AverageEffectiveness *float64    `json:"averageEffectiveness"`
	Indicators           []Indicator `json:"indicators"`
	Recommendations      []string    `json:"recommendations"`
}

// Check judges the facts.
func Check(f Facts) Report {
	r := Report{
		Status: OK, Recommendations: []string{},
		Totals:         Totals{ByTier: map[tiers.Tier]int{}, ByType: map[string]int{}, Memories: f.memories()},
		AverageAgeDays: rounded(f.AverageAgeDays), AverageEffectiveness: rounded(f.AverageEffectiveness),
		Indicators: f.indicators(),
	}
	for _, tier := range tiers.All() {
		r.Totals.ByTier[tier] = f.ByTier[tier]
	}
	maps.Copy(r.Totals.ByType, f.ByType)
	for _, i := range r.Indicators {
		if i.State == Warn {
			r.Status = Warn
			r.Recommendations = append(r.Recommendations, i.Detail+": `"+*i.Action+"`")
		}
	}
	if f.Forgettable > 0 {
		r.Recommendations = append(r.Recommendations, f.forgetting())
	}
	for _, e := range f.OldResearch {
		r.Recommendations = append(r.Recommendations, fmt.Sprintf(
			"the market research on %s is %d days old, look whether it still holds: `brainbridge show %s`",
			e.Name, int(f.Now.Sub(e.Created)/day), e.ID))
	}
	return r
}

// forgetting returns how much may be forgotten. That is no warning, because expired
// memories are in nobody's way.
func (f Facts) forgetting() string {
	count := fmt.Sprintf("%d memories", f.Forgettable)
	switch f.Forgettable {
	case 1:
		count = "1 memory"
	case MostForgettable:
		count = fmt.Sprintf("%d and more memories", f.Forgettable)
	}
	return count + " that nobody has used for long may be forgotten: `" + doForget + "`"
}

// Warnings returns the names of the indicators that warn.
func (r Report) Warnings() []string {
	names := []string{}
	for _, i := range r.Indicators {
		if i.State == Warn {
			names = append(names, i.Name)
		}
	}
	return names
}

// Urgent reports whether a warning of an indicator means that something may be
// lost as long as nobody acts. The others say what would be better.
func Urgent(name string) bool { return name == spoolName }

// memories returns how many are live or expired.
func (f Facts) memories() int { return f.Live() + f.ByTier[tiers.Expired] }

// Live returns how many memories are not expired.
func (f Facts) Live() int {
	n := 0
	for t, count := range f.ByTier {
		if t.Live() {
			n += count
		}
	}
	return n
}

// rounded leaves two decimals: nobody acts on a third.
func rounded(v *float64) *float64 {
	if v == nil {
		return nil
	}
	return new(math.Round(*v*100) / 100)
}
