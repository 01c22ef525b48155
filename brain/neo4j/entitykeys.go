package neo4j

import (
	"context"
	"time"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/brainbridge/brainbridge/brain"
)

// fills are what migrations do that Cypher cannot, by their number. Each may be
// run again.
func (s *Store) fills() map[int]func(context.Context) error {
	return map[int]func(context.Context) error{7: s.fillEntityKeys}
}

// formerEntities are those, of all brains, whose key an earlier version made:
// the key of their name for lookups.
const formerEntities = `MATCH (n:Memory) WHERE n.entityKey = n.nameKey MATCH (b:BrainbridgeBrain {name: n.brain})
RETURN b.name, b.number, n.id ORDER BY n.id LIMIT $limit`

// fillEntityKeys gives these entities the key of their name letter for letter.
func (s *Store) fillEntityKeys(ctx context.Context) error {
	for {
		rows, err := s.askFor(ctx, indexBuild, driver.AccessModeRead, formerEntities, map[string]any{"limit": chunk})
		if err != nil || len(rows) == 0 {
			return err
		}
		for _, r := range rows {
			p := props{"brain": r.Values[0], "number": r.Values[1], "id": r.Values[2]}
			of := &Store{
				driver: s.driver, database: s.database, brain: p.str("brain"), uri: s.uri,
				timeout: s.timeout, log: s.log, lease: s.lease, vocabulary: newVocabulary(p.num("number")),
			}
			err := of.repeat(ctx, func(ctx context.Context) outcome {
				return of.once(ctx, driver.AccessModeWrite, func(t *tx) error { return t.mendEntity(p.str("id")) })
			})
			if err != nil {
				return err
			}
		}
	}
}

// mendEntity gives an entity its key. The elder of two of a name keeps it; the
// other is found by its id.
func (t *tx) mendEntity(id string) error {
	ms, err := t.Memories(id)
	if err != nil || len(ms) == 0 {
		return err
	}
	m := ms[0]
	m.Mend()
	held, err := t.MemoriesByEntity(m.EntityKey)
	if err != nil {
		return err
	}
	for _, other := range held {
		switch {
		case other.ID == m.ID:
		case born(other).After(born(m)):
			other.EntityKey = ""
			if err := t.PutLives(other); err != nil {
				return err
			}
		default:
			m.EntityKey = ""
		}
	}
	return t.PutLives(m)
}

func born(m brain.Memory) time.Time {
	if m.ValidFrom.IsZero() {
		return m.Created
	}
	return m.ValidFrom
}
