package neo4j

import (
	"slices"
	"time"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/tiers"
)

const (
	// surveyGroups reads ranges of the index over strength, and five properties of
	// each node as a map, which takes half the time of reading one after another.
	// It reads the other properties only of memories that were idle for long.
	surveyGroups = `UNWIND $spans AS s CALL (s) {
  MATCH (n:Memory) USING INDEX SEEK n:Memory(brain, strength) WHERE n.brain = $brain AND n.strength >= s.from AND n.strength < s.to
  WITH n, n {.memoryType, .created, .lastUsed, .helpfulCount, .notHelpfulCount} AS p
  WITH n, p, p.helpfulCount + p.notHelpfulCount AS verdicts
  RETURN p.memoryType AS type, count(*) AS memories, count(p.created) AS dated, sum(p.created.epochMillis) AS born,
    count(CASE WHEN coalesce(p.lastUsed, p.created) < $stale AND NOT ((s.tier IN ['working', 'shortTerm'] OR s.tier = 'longTerm' AND n.entityKey IS NOT NULL)
      AND coalesce(coalesce(n.baseAt, n.lastDecay) >= $stale, false)) THEN 1 END) AS idle,
    count(CASE WHEN verdicts > 0 THEN 1 END) AS judged,
    sum(CASE WHEN verdicts > 0 THEN toFloat(p.helpfulCount) / verdicts ELSE 0.0 END) AS effectiveness,
    count(CASE WHEN verdicts > 0 AND toFloat(p.helpfulCount) / verdicts < $low THEN 1 END) AS ineffective
} RETURN s.tier AS tier, type, memories, dated, born, idle, judged, effectiveness, ineffective`

	entitySeek = `MATCH (n:Memory) USING INDEX SEEK n:Memory(brain, entityKey) WHERE n.brain = $brain AND n.entityKey IS NOT NULL
  AND n.tier IN $current`
	surveyEntities = entitySeek + ` RETURN count(*) AS entities, count(CASE WHEN NOT EXISTS { (n)-[:RELATED]-() } THEN 1 END) AS orphans`
	surveyOrphans  = entitySeek + ` AND NOT EXISTS { (n)-[:RELATED]-() } RETURN n.id AS id ORDER BY id LIMIT $orphans`
	surveyOutdated = entitySeek + ` AND n.memoryType = $type AND n.created <= $before
RETURN n.id AS id ORDER BY n.created, id LIMIT $limit`
)

func (t *tx) Survey(now, stale time.Time) (brain.Survey, error) {
	s := brain.Survey{ByTier: make(map[tiers.Tier]int), ByType: make(map[string]int)}
	at := "|" + place(now)
	current := slices.Concat(wholeSpans(func(t tiers.Tier) bool { return t == tiers.Expired }),
		spans(tiers.Tier.Live, "|", at, ""), spans(tiers.Tier.Live, at, "}", tiers.Expired)) // by the tiers at now
	rows, err := t.query(surveyGroups, map[string]any{
		"spans": current, "stale": milliseconds(stale), "low": brain.LowEffectiveness,
	})
	if err != nil {
		return s, err
	}
	for _, r := range rows {
		addGroup(&s, r, now)
	}
	rest, err := t.query(countFaded, map[string]any{"tiers": wholeSpans(func(t tiers.Tier) bool { return !t.Current() })})
	if err != nil {
		return s, err
	}
	addTiers(s.ByTier, rest)
	params := map[string]any{
		"current": tierNames(tiers.Tier.Current), "type": brain.MarketResearch,
		"before": milliseconds(now.Add(-brain.OutdatedAfter)), "limit": brain.OutdatedLimit, "orphans": brain.OrphanLimit,
	}
	rows, err = t.query(surveyEntities, params)
	if err != nil {
		return s, err
	}
	for _, r := range rows {
		s.Entities, s.Orphans = int(value[int64](r, 0)), int(value[int64](r, 1))
	}
	if s.OrphanIDs, err = t.ids(surveyOrphans, params); err != nil {
		return s, err
	}
	s.Outdated, err = t.ids(surveyOutdated, params)
	return s, err
}

// addGroup adds the memories of one type in one span, a row of surveyGroups.
func addGroup(s *brain.Survey, r *driver.Record, now time.Time) {
	count := func(column int) int { return int(value[int64](r, column)) }
	tier, memories, dated := tiers.Tier(value[string](r, 0)), count(2), count(3)
	s.ByTier[tier] += memories
	s.ByType[value[string](r, 1)] += memories
	s.Dated += dated
	s.Days += float64(int64(dated)*now.UnixMilli()-value[int64](r, 4)) / float64((24 * time.Hour).Milliseconds())
	if tier.Live() {
		s.Stale += count(5)
	}
	s.Judged += count(6)
	s.Effectiveness += value[float64](r, 7)
	s.Ineffective += count(8)
}

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
