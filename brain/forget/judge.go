package forget

import (
	"fmt"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/tiers"
)

// Judge returns the reason why the rule allows a memory to be forgotten, "" if it must be
// kept. The rule allows it for expired memories, and for entities (which do not expire),
// that were not used for a long time and were of little use. Core, permanent and critical
// memories are kept. m must be settled at now; a day is 24 hours.
func Judge(m brain.Memory, n tiers.ForgetNumbers, now time.Time) string {
	if m.Tier != tiers.Expired && (!m.Entity || m.Tier == tiers.Core) || !m.Current() || mustStay(&m) {
		return ""
	}
	used := m.IdleSince()
	if used.IsZero() {
		return ""
	}
	idle := now.Sub(used)
	switch {
	case !m.LastUsed.IsZero() && idle <= time.Duration(n.IdleDays)*brain.Day:
		return ""
	case m.Retention == brain.RetainTemporary:
		if idle < time.Duration(n.TemporaryDays)*brain.Day {
			return ""
		}
		return "temporary, " + unusedFor(&m, idle)
	case idle <= time.Duration(n.AfterDays)*brain.Day:
		return ""
	case m.UseCount < n.MinUses:
		return unusedFor(&m, idle) + usedTimes(&m)
	}
	if e := m.Effectiveness(); e != nil && *e < n.Effectiveness {
		return fmt.Sprintf("%s, effectiveness %.2f", unusedFor(&m, idle), *e)
	}
	return ""
}

// mustStay reports whether a memory is never forgotten by a rule.
func mustStay(m *brain.Memory) bool {
	return m.Retention == brain.RetainCore || m.Retention == brain.RetainPermanent ||
		m.Importance == brain.Critical || m.Severity == string(brain.Critical)
}

func unusedFor(m *brain.Memory, idle time.Duration) string {
	if m.LastUsed.IsZero() {
		return fmt.Sprintf("never used in %d days", int(idle/brain.Day))
	}
	return fmt.Sprintf("not used for %d days", int(idle/brain.Day))
}

func usedTimes(m *brain.Memory) string {
	switch m.UseCount {
	case 0:
		return ""
	case 1:
		return ", used once"
	}
	return fmt.Sprintf(", used %d times", m.UseCount)
}
