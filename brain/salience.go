package brain

import (
	"math"
	"strings"
	"time"
)

// FreshGroup names memories that fade alike and are pushed together.
type FreshGroup string

// The groups, and the kinds of memory in each.
const (
	FreshPreferences FreshGroup = "preference"
	FreshDecisions   FreshGroup = "decision"
	FreshPatterns    FreshGroup = "pattern" // patterns and beliefs
	FreshLessons     FreshGroup = "lesson"  // lessons, facts, commitments, people
	FreshOthers      FreshGroup = "other"
)

// FreshGroups returns every group.
func FreshGroups() []FreshGroup {
	return []FreshGroup{FreshPreferences, FreshDecisions, FreshPatterns, FreshLessons, FreshOthers}
}

// FreshFilter chooses memories of one group in the order of their freshness.
type FreshFilter struct {
	Group   FreshGroup
	Project *string // nil: any; pointer to "": no project
	Limit   int     // above 0
}

const (
	// halfLife is the number of days after which a memory that is not used again has
	// half its freshness.
	halfLife = 14
	// slowHalfLife is that of preferences, patterns and beliefs, which no query would
	// find.
	slowHalfLife = 60
	// fullEnergy is the energy from which on the salience of a memory is at least 1.
	fullEnergy = 5
)

// freshnessOfKind returns the group of a kind of memory and its freshness on the
// first day, 0 for kinds that are never fresh.
func freshnessOfKind(kind string) (FreshGroup, float64) {
	switch strings.ToLower(kind) {
	case "preference":
		return FreshPreferences, 1
	case "decision":
		return FreshDecisions, 1
	case "pattern", "belief":
		return FreshPatterns, 1
	case "lesson", "learning", "crystallization":
		return FreshLessons, 1
	case "fact", "commitment", "person":
		return FreshLessons, 0.7
	case "activity":
		return "", 0
	}
	return FreshOthers, 0.4
}

func (g FreshGroup) halfLife() float64 {
	if g == FreshPreferences || g == FreshPatterns {
		return slowHalfLife
	}
	return halfLife
}

// grade is the factor of an importance.
func (i Importance) grade() float64 {
	switch i {
	case Critical:
		return 1.5
	case Important:
		return 1.25
	}
	return 1
}

// Salience says how much a memory deserves to be pushed: its energy as a share of 5,
// or its freshness if that is higher. The freshness begins with the weight of the
// kind and the importance, and halves every 14 or 60 days after the latest use.
func (m *Memory) Salience(energy float64, now time.Time) float64 {
	salience := min(1, energy/fullEnergy)
	group, first := freshnessOfKind(m.MemoryType)
	latest := Later(m.Created, m.LastUsed)
	if first == 0 || latest.IsZero() {
		return salience
	}
	days := max(0, now.Sub(latest).Hours()/24)
	return max(salience, first*m.Importance.grade()*math.Exp2(-days/group.halfLife()))
}

// Freshness returns the group of a memory that may be pushed, and its place there:
// the later the instant, the fresher. It is the instant at which the freshness was or
// will be 1; zero for memories that are neither live nor expired, and for those without
// a freshness.
func (m *Memory) Freshness() (group FreshGroup, at time.Time) {
	group, first := freshnessOfKind(m.MemoryType)
	latest := Later(m.Created, m.LastUsed)
	if first == 0 || latest.IsZero() || !m.Current() {
		return group, time.Time{}
	}
	days := math.Log2(first*m.Importance.grade()) * group.halfLife()
	return group, Instant(latest.Add(time.Duration(days * 24 * float64(time.Hour))))
}
