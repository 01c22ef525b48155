package sqlite

import (
	"time"

	"github.com/brainbridge/brainbridge/brain"
)

const (
	// kindsQuery reads the whole table. ?2 is now, ?3 is the instant since which stale memories
	// were not used.
	kindsQuery = `SELECT m.memory_type, count(*), count(m.created), ifnull(sum(m.created / 1000), 0), sum(` + stale + `)
		FROM memory m NOT INDEXED WHERE m.brain = ?1 AND ` + isCurrent + ` GROUP BY 1`
	// stale is the condition of [brain.Survey.Stale].
	stale = `m.tier <> 'expired' AND (m.expires_at IS NULL OR m.expires_at > ?2) AND ifnull(ifnull(m.last_used, m.created) < ?3, 0)
		AND NOT ((m.tier IN ('working', 'shortTerm') OR m.tier = 'longTerm' AND m.entity_key IS NOT NULL)
			AND ifnull(ifnull(m.base_at, m.last_decay) >= ?3, 0))`
	judgedQuery = `SELECT m.helpful_count, m.not_helpful_count, count(*) FROM memory m INDEXED BY memory_judged
		WHERE m.brain = ?1 AND m.helpful_count + m.not_helpful_count > 0 AND ` + isCurrent + `
		GROUP BY m.helpful_count, m.not_helpful_count`
	// entities has the clauses that select the current entities.
	entities = ` FROM memory m INDEXED BY memory_entity
		WHERE m.brain = ?1 AND m.entity_key IS NOT NULL AND ` + isCurrent
	entitiesQuery = `SELECT count(*), ifnull(sum(` + untyped + `), 0)` + entities
	orphansQuery  = `SELECT m.id` + entities + ` AND ` + untyped + ` ORDER BY m.id LIMIT +?2`
	outdatedQuery = `SELECT m.id` + entities + ` AND m.memory_type = '` + brain.MarketResearch + `' AND m.created <= ?2
		ORDER BY m.created, m.id LIMIT +?3`
	// untyped is the condition that a memory has no typed relation.
	untyped = `NOT EXISTS (SELECT 1 FROM relation r WHERE r.brain = m.brain AND r.from_id = m.id AND ` + typed + `)
		AND NOT EXISTS (SELECT 1 FROM relation r WHERE r.brain = m.brain AND r.to_id = m.id AND ` + typed + `)`
	// typed is the condition that a relation is not of a built-in type.
	typed = `r.type NOT IN ('` + brain.HasMemory + `', '` + brain.PromotedTo + `', '` + brain.Supersedes + `')`
)

func (t *tx) Survey(now, since time.Time) (brain.Survey, error) {
	s := brain.Survey{ByType: map[string]int{}}
	counts, err := t.Counts(now)
	if err != nil {
		return s, err
	}
	s.ByTier = counts.ByTier
	for tier, n := range counts.Faded {
		s.Fade(tier, n)
	}
	type kind struct {
		name                         string
		memories, dated, born, stale int64
	}
	dest := func(k *kind) []any { return []any{&k.name, &k.memories, &k.dated, &k.born, &k.stale} }
	kinds, err := collect(t, dest, kindsQuery, t.s.brain, now.UnixMilli(), since.UnixMilli())
	if err != nil {
		return s, err
	}
	for _, k := range kinds {
		s.ByType[k.name] = int(k.memories)
		s.Dated += int(k.dated)
		s.Stale += int(k.stale)
		s.Days += float64(k.dated*(now.UnixMilli()/1000)-k.born) / (24 * time.Hour).Seconds()
	}
	type verdicts struct{ helpful, not, memories int }
	judged, err := collect(t, func(v *verdicts) []any { return []any{&v.helpful, &v.not, &v.memories} }, judgedQuery, t.s.brain)
	if err != nil {
		return s, err
	}
	for _, v := range judged {
		s.Judge(v.memories, v.helpful, v.not)
	}
	if err := t.one(t.ctx, entitiesQuery, []any{t.s.brain}, &s.Entities, &s.Orphans); err != nil {
		return s, err
	}
	if s.OrphanIDs, err = collect(t, text, orphansQuery, t.s.brain, brain.OrphanLimit); err != nil {
		return s, err
	}
	s.Outdated, err = collect(t, text, outdatedQuery, t.s.brain, now.Add(-brain.OutdatedAfter).UnixMilli(), brain.OutdatedLimit)
	return s, err
}
