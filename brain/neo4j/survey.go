package neo4j

import (
	"time"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/tiers"
)

const (
	surveyGroups = ofTiers + `WITH n, n {.tier, .expiresAt, .entity, .memoryType, .created, .lastUsed, .helpfulCount, .notHelpfulCount, .baseAt, .lastDecay} AS p
WITH CASE WHEN p.tier IN $live AND p.expiresAt <= $now THEN 'expired' ELSE p.tier END AS tier, p, p.helpfulCount + p.notHelpfulCount AS verdicts
RETURN tier, p.memoryType AS type, count(*) AS memories, count(p.created) AS dated, sum(p.created.epochMillis) AS born,
  count(CASE WHEN coalesce(p.lastUsed, p.created) < $stale AND NOT ((tier IN ['working', 'shortTerm'] OR tier = 'longTerm' AND coalesce(p.entity, false))
    AND coalesce(coalesce(p.baseAt, p.lastDecay) >= $stale, false)) THEN 1 END) AS idle,
  count(CASE WHEN verdicts > 0 THEN 1 END) AS judged,
  sum(CASE WHEN verdicts > 0 THEN toFloat(p.helpfulCount) / verdicts ELSE 0.0 END) AS effectiveness,
  count(CASE WHEN verdicts > 0 AND toFloat(p.helpfulCount) / verdicts < $low THEN 1 END) AS ineffective`

	entitySeek = `MATCH (n:Memory) USING INDEX SEEK n:Memory(brain, entityKey) WHERE n.brain = $brain AND n.entityKey IS NOT NULL
  AND n.tier IN $current`
	surveyEntities = entitySeek + ` RETURN count(*) AS entities, count(CASE WHEN NOT EXISTS { (n)-[:RELATED]-() } THEN 1 END) AS orphans`
	surveyOrphans  = entitySeek + ` AND NOT EXISTS { (n)-[:RELATED]-() } RETURN n.id AS id ORDER BY id LIMIT $orphans`
	surveyOutdated = entitySeek + ` AND n.memoryType = $type AND n.created <= $before
RETURN n.id AS id ORDER BY n.created, id LIMIT $limit`
)

func (t *tx) Survey(now, stale time.Time) (brain.Survey, error) {
	s := brain.Survey{ByTier: make(map[tiers.Tier]int), ByType: make(map[string]int)}
	rows, err := t.query(surveyGroups, map[string]any{
		"tiers": tierNames(tiers.Tier.Current), "live": tierNames(tiers.Tier.Live), "now": instant(now), "stale": milliseconds(stale), "low": brain.LowEffectiveness,
	})
	if err != nil {
		return s, err
	}
	for _, r := range rows {
		addGroup(&s, r, now)
	}
	rest, err := t.query(countTiers, map[string]any{"tiers": tierNames(func(t tiers.Tier) bool { return !t.Current() })})
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
	proven = ofTiers + `AND n.helpfulCount >= $helpful
WITH n, n.helpfulCount + n.notHelpfulCount AS verdicts
WHERE verdicts >= $verdicts AND toFloat(n.helpfulCount) / verdicts >= $share RETURN n.id`

	idle = ofTiers + `WITH n, n {.lastUsed, .created, .tier, .entity, .importance, .severity, .retention, .memoryType} AS p
WITH n, p, coalesce(p.lastUsed.epochMillis, p.created.epochMillis, -9223372036854775807) AS since
WHERE since < $before AND (p.tier = 'expired' OR p.entity)
  AND coalesce(p.importance, '') <> 'critical' AND coalesce(p.severity, '') <> 'critical'
  AND NOT coalesce(p.retention, '') IN ['core', 'permanent'] AND ($type = '' OR p.memoryType = $type)
  AND (since > $since OR since = $since AND n.id > $after)
WITH n, since ORDER BY since, n.id LIMIT $limit RETURN ` + node
)

func (t *tx) Proven(verdicts int, share float64) ([]string, error) {
	verdicts = max(verdicts, 1)
	current := tierNames(func(t tiers.Tier) bool { return t.Current() && t != tiers.Core })
	return t.ids(proven, map[string]any{"verdicts": verdicts, "helpful": int(float64(verdicts) * share), "share": share, "tiers": current})
}

func (t *tx) Idle(f brain.IdleFilter) ([]brain.Memory, error) {
	since, after := f.Start()
	return fetch(t, memories(), idle, map[string]any{
		"tiers": []string{string(f.Tier)}, "before": f.Before.UnixMilli(), "type": f.Type, "since": since, "after": after, "limit": f.Limit,
	})
}
