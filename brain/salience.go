package brain

import (
	"math"
	"strings"
	"time"
)

// FreshGroup is a group of kinds of memory that lose freshness at the same rate and are
// pushed together.
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

const (
	// halfLife is the number of days after which an unused memory has half its freshness.
	halfLife = 14
	// slowHalfLife is the half-life of preferences, patterns and beliefs. It is longer
	// because nobody searches for them.
	slowHalfLife = 60
	// undatedHalves is the number of half-lives by which undated text is less fresh than if it
	// were of today: it comes after everything that has a date, whatever its energy.
	undatedHalves = 100
	// fullEnergy is the energy at which the energy alone gives a salience of 1.
	fullEnergy = 5
)

// freshnessOfKind returns the group of a kind of memory and its initial freshness, which
// is 0 for kinds that are never fresh.
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

// factor is the factor by which an importance multiplies freshness.
func (i Importance) factor() float64 {
	switch i {
	case Critical:
		return 1.5
	case Important:
		return 1.25
	}
	return 1
}

// Salience returns how much a memory deserves to be pushed: its energy divided by 5, at
// most 1, or its freshness if that is higher. Freshness is the initial freshness of the
// kind times the factor of the importance, halved every 14 or 60 days since the latest use.
func (m *Memory) Salience(energy float64, now time.Time) float64 {
	salience := min(1, energy/fullEnergy)
	group, first := freshnessOfKind(m.MemoryType)
	latest := Later(m.Created, m.LastUsed)
	if first == 0 || latest.IsZero() {
		return salience
	}
	days := max(0, now.Sub(latest).Hours()/24)
	if m.PushedLast() {
		days, salience = days+undatedHalves*group.halfLife(), 0
	}
	return max(salience, first*m.Importance.factor()*math.Exp2(-days/group.halfLife()))
}

// PushedLast reports whether a memory is pushed after all others: it is undated, and nobody
// has used it yet.
func (m *Memory) PushedLast() bool { return m.Undated() && m.LastUsed.IsZero() && !m.IsCore() }

// Freshness returns the group of a memory and the instant at which its freshness was or
// will be 1. Within a group, a later instant means a fresher memory. The instant is zero
// for memories that are never fresh, and for those that are neither live nor expired.
func (m *Memory) Freshness() (group FreshGroup, at time.Time) {
	group, first := freshnessOfKind(m.MemoryType)
	latest := Later(m.Created, m.LastUsed)
	if first == 0 || latest.IsZero() || !m.Current() {
		return group, time.Time{}
	}
	days := math.Log2(first*m.Importance.factor()) * group.halfLife()
	if m.PushedLast() {
		days -= undatedHalves * group.halfLife()
	}
	return group, Instant(latest.Add(time.Duration(days * 24 * float64(time.Hour))))
}
