// Package health gathers facts about a brain and checks them. The result is a list of
// indicators that are ok or warn, each with a command that fixes it, and
// recommendations. It also computes which topics a session is about (attention.go), and
// reports what memories were worth: which ones helped, what was said but not kept, and what
// supports and contradicts the beliefs of core memory (reflection.go).
package health

import (
	"fmt"
	"maps"
	"math"
	"time"

	"github.com/dustin/go-humanize/english"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/tiers"
)

// State is the state of an indicator.
type State string

// The states of an indicator, and of a whole brain. Only a finding fails.
const (
	OK   State = "ok"
	Warn State = "warn"
	Fail State = "fail"
)

// Facts are measurements of a brain at one instant. A zero time means never.
type Facts struct {
	Now time.Time
	Survey

	Wrong []string // nodes and values of the graph that cannot be used, each with the reason

	Checked *FullCheck // the last one on this machine; nil: never

	Editable bool // see [brain.StoreInfo]

	Forgettable int // memories that may be forgotten
	Duplicates  int // pending merges
	Review      int // open items of the review queue, merges included

	LastCapture time.Time
	LastRun     time.Time // of the last whole run
	LastBackup  time.Time
	// BackupLimit is the age of the last backup above which health warns, 0: any. BackupProblem
	// says what went wrong with the daemon's, "" if nothing did.
	BackupLimit   time.Duration
	BackupProblem string

	Watching bool // a daemon watches the notes
	// DaemonElsewhere says in what the daemon differs from the settings, "" if it does not;
	// DaemonRestart is the command that starts it with them.
	DaemonElsewhere, DaemonRestart string
	// DaemonTrouble says that the daemon has died or does not respond, "" if it works or none was started.
	DaemonTrouble string
	FailedJobs    []string // of the daemon, each with the reason

	FreeBytes *uint64 // on the disk of the brain's files that has the least; nil: unknown
	FreeIn    string  // a folder on that disk

	StoreBytes *int64 // nil: unknown, as for Neo4j
	Spooled    int    // captures in the spool
	Rejected   int    // spooled captures that the store rejected

	MaxLive     int // number of live memories above which a run is recommended
	SilenceDays int // days without a capture before a warning
}

// The thresholds that cannot be configured.
const (
	StaleDays   = 90  // days without use
	orphanShare = 0.2 // of all entities
	lateDays    = 2   // days since the last run, which is nightly and may fail once
	storeLimit  = 2e9 // bytes; a million memories take about as much
	// NoSpace is the free space in bytes below which captures may fail.
	NoSpace    = 10 << 20
	shownWrong = 20 // of what cannot be used
)

// Indicator warns if its value is past the limit, or missing where one is required.
type Indicator struct {
	Name   string   `json:"name"`
	State  State    `json:"state"`
	Value  *float64 `json:"value"` // null: none, or unknown
	Limit  float64  `json:"limit"`
	Action *string  `json:"action"` // the command that fixes it; null if it is ok
	Detail string   `json:"detail"` // for people

	// Urgent is set if something does not work, rather than being worth a look.
	Urgent bool `json:"-"`
}

// Urgent returns the indicators by which something does not work.
func Urgent(all []Indicator) (urgent []Indicator) {
	for _, i := range all {
		if i.State == Warn && i.Urgent {
			urgent = append(urgent, i)
		}
	}
	return urgent
}

// Line returns the indicator in one line for people, with the command that acts on it.
func (i Indicator) Line() string {
	if i.Action == nil {
		return i.Name + ": " + i.Detail
	}
	return i.Name + ": " + i.Detail + ": `" + *i.Action + "`"
}

// Totals counts the memories.
type Totals struct {
	Memories int                `json:"memories"` // live and expired
	ByTier   map[tiers.Tier]int `json:"byTier"`
	ByType   map[string]int     `json:"byType"`
}

// Report is the result of a health check.
type Report struct {
	Status               State       `json:"status"`
	Totals               Totals      `json:"totals"`
	AverageAgeDays       *float64    `json:"averageAgeDays"`
	AverageEffectiveness *float64    `json:"averageEffectiveness"`
	Indicators           []Indicator `json:"indicators"`
	Recommendations      []string    `json:"recommendations"`
	LastCheck            *LastCheck  `json:"lastCheck"` // null: the whole brain was never checked
}

// LastCheck is what the last check of the whole brain found wrong.
type LastCheck struct {
	At       time.Time `json:"at"`
	Findings []Finding `json:"findings"`
}

// Check evaluates the facts.
func Check(f Facts) Report {
	r := Report{
		Status: OK, Recommendations: []string{},
		Totals:         Totals{ByTier: map[tiers.Tier]int{}, ByType: map[string]int{}, Memories: f.Total()},
		AverageAgeDays: average(f.Days, f.Dated), AverageEffectiveness: average(f.Effectiveness, f.Judged),
		Indicators: f.indicators(),
	}
	if f.Checked != nil {
		r.LastCheck = &LastCheck{f.Checked.At, append([]Finding{}, f.Checked.Findings...)}
	}
	for _, tier := range tiers.All() {
		r.Totals.ByTier[tier] = f.ByTier[tier]
	}
	maps.Copy(r.Totals.ByType, f.ByType)
	for i, wrong := range f.Wrong {
		if i == shownWrong {
			r.Recommendations = append(r.Recommendations, fmt.Sprintf("%d more in the graph cannot be used; correct these first", len(f.Wrong)-shownWrong))
			break
		}
		r.Recommendations = append(r.Recommendations, wrong+": "+Mend(f.Editable))
	}
	for _, i := range r.Indicators {
		if i.State != Warn {
			continue
		}
		r.Status = Warn
		if i.Name != "duplicates" || f.Review == 0 { // those in review are among its items
			r.Recommendations = append(r.Recommendations, i.Detail+": `"+*i.Action+"`")
		}
	}
	if f.Forgettable > 0 {
		r.Recommendations = append(r.Recommendations, f.forgetRecommendation())
	}
	for _, e := range f.OldResearch {
		r.Recommendations = append(r.Recommendations, fmt.Sprintf(
			"the market research on %s is %d days old; check whether it is still accurate: `brainbridge show %s`",
			e.Name, int(f.Now.Sub(e.Created)/brain.Day), e.ID))
	}
	return r
}

// forgetRecommendation returns the recommendation to forget memories. It is not a
// warning, because expired memories do no harm.
func (f Facts) forgetRecommendation() string {
	return english.Plural(f.Forgettable, "memory", "") + " unused for a long time can be forgotten: `brainbridge consolidate --forget-only`"
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

// average returns nil for a count of 0. A clock that went back makes it 0.
func average(sum float64, n int) *float64 {
	if n == 0 {
		return nil
	}
	return rounded(max(0, sum/float64(n)))
}

// rounded rounds to two decimals.
func rounded(v float64) *float64 { return new(math.Round(v*100) / 100) }
