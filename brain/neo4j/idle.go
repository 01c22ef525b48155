package neo4j

import (
	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/tiers"
)

const (
	proven = `MATCH (n:Memory) USING INDEX SEEK n:Memory(brain, helpfulCount) WHERE n.brain = $brain AND n.helpfulCount >= $helpful
WITH n, n.helpfulCount + n.notHelpfulCount AS verdicts
WHERE verdicts >= $verdicts AND toFloat(n.helpfulCount) / verdicts >= $share AND n.tier IN $current
RETURN n.id`

	// idle reads a range of the index over strength, whose order is not the one
	// wanted. Reading a map of properties is faster than reading one after another.
	idle = `UNWIND $spans AS s CALL (s) {
  MATCH (n:Memory) USING INDEX SEEK n:Memory(brain, strength) WHERE n.brain = $brain AND n.strength >= s.from AND n.strength < s.to
  WITH n, n {.lastUsed, .created, .tier, .entity, .importance, .severity, .retention, .memoryType} AS p
  WITH n, p, coalesce(p.lastUsed.epochMillis, p.created.epochMillis, -9223372036854775807) AS since
  WHERE since < $before AND (p.tier = 'expired' OR p.entity)
    AND coalesce(p.importance, '') <> 'critical' AND coalesce(p.severity, '') <> 'critical'
    AND NOT coalesce(p.retention, '') IN ['core', 'permanent'] AND ($type = '' OR p.memoryType = $type)
    AND (since > $since OR since = $since AND n.id > $after)
  RETURN n, since, n.strength AS strength
} WITH n, since, strength ORDER BY since, n.id LIMIT $limit RETURN n.packed, strength`
)

func (t *tx) Proven(verdicts int, share float64) ([]string, error) {
	verdicts = max(verdicts, 1)
	current := tierNames(func(t tiers.Tier) bool { return t.Current() && t != tiers.Core })
	return t.ids(proven, map[string]any{
		"verdicts": verdicts, "helpful": int(float64(verdicts) * share), "share": share, "current": current,
	})
}

func (t *tx) Idle(f brain.IdleFilter) ([]brain.Memory, error) {
	since, after := f.Start()
	return fetch(t, memories(), idle, map[string]any{
		"spans": wholeSpans(func(t tiers.Tier) bool { return t == f.Tier }), "before": f.Before.UnixMilli(), "type": f.Type, "since": since, "after": after, "limit": f.Limit,
	}, inPlace(strength))
}
