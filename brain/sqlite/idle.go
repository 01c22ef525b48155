package sqlite

import (
	"math"

	"github.com/brainbridge/brainbridge/brain"
)

const (
	// idleSince is when a memory was last used, or created; memories with neither
	// come first. The index is on this expression.
	idleSince = `ifnull(m.last_used, ifnull(m.created, -9223372036854775807))`
	// forgettable is the condition of the index, word for word.
	forgettable = `(m.tier = 'expired' OR m.entity = 1)
		AND m.importance <> 'critical' AND m.severity <> 'critical' AND m.retention NOT IN ('core', 'permanent')`
)

// idleQuery reads memory_forgettable in its order.
func (t *tx) idleQuery(f brain.IdleFilter) (string, []any) {
	var c conditions
	c.add("m.brain = ? AND m.tier = ?", t.s.brain, f.Tier)
	c.add(idleSince+" < ?", f.Before.UnixMilli())
	c.add(forgettable)
	c.addIf(f.Type != "", "m.memory_type = ?", f.Type)
	at, id := f.Start()
	c.add(idleSince+" >= ? AND ("+idleSince+" > ? OR m.id > ?)", at, at, id)
	query := "SELECT " + memories().selected + " FROM memory m INDEXED BY memory_forgettable WHERE " + c.String() +
		" ORDER BY " + idleSince + ", m.id LIMIT +?"
	return query, append(c.args, f.Limit)
}

func (t *tx) Idle(f brain.IdleFilter) ([]brain.Memory, error) {
	query, args := t.idleQuery(f)
	return collect(t, memories().dest, query, args...)
}

const provenQuery = `SELECT m.id FROM memory m INDEXED BY memory_judged
	WHERE m.brain = ?1 AND m.helpful_count >= ?2 AND m.helpful_count + m.not_helpful_count > 0 AND ` + isCurrent + ` AND m.tier <> 'core'
		AND m.helpful_count + m.not_helpful_count >= ?3
		AND CAST(m.helpful_count AS REAL) / (m.helpful_count + m.not_helpful_count) >= ?4`

// Proven returns memories with many verdicts, most of them helpful. The index
// begins with the number of helpful verdicts, whose minimum follows from both
// arguments.
func (t *tx) Proven(verdicts int, share float64) ([]string, error) {
	helpful := math.Floor(float64(verdicts) * share) // rounding up could miss some
	return collect(t, text, provenQuery, t.s.brain, int64(helpful), verdicts, share)
}
