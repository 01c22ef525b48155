package neo4j

import (
	"math"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/tiers"
)

// Important memories that have expired have two more properties, so that one index
// has only these nodes and in their order: notable is the negative peak energy,
// notableCreated the negative milliseconds of created. An index is read upwards in
// all its columns.

// noInstant is the notableCreated of a memory without created, after all others.
const noInstant = math.MaxInt64

// wasNotable reports whether Notable may return the memory.
func wasNotable(m *brain.Memory) bool {
	return m.Tier == tiers.Expired && (m.Importance == brain.Critical || m.Importance == brain.Important)
}

// notableProps returns these properties, nil for another memory.
func notableProps(m *brain.Memory) (notable, created any) {
	if !wasNotable(m) {
		return nil, nil
	}
	if m.Created.IsZero() {
		return below(m.PeakEnergy), noInstant
	}
	return below(m.PeakEnergy), -m.Created.UnixMilli()
}

// below returns the negative energy, and 0 for 0: -0 has another place in an index.
func below(energy float64) float64 { return 0 - energy }

const (
	notableSeek = "MATCH (n:Memory) USING INDEX SEEK n:Memory(brain, notable, notableCreated, id) WHERE n.brain = $brain AND n.notable <= 0.0" +
		" AND n.notableCreated IS NOT NULL AND n.id IS NOT NULL "
	notable      = notableSeek + "RETURN n.packed, n.notable ORDER BY n.brain, n.notable, n.notableCreated, n.id LIMIT $limit"
	countNotable = notableSeek + "RETURN count(*)"
)

// Notable returns important memories that have expired.
func (t *tx) Notable(limit int) ([]brain.Memory, error) {
	return fetch(t, memories(), notable, map[string]any{"limit": max(limit, 0)}, func(m *brain.Memory, row []any) string {
		if value, _ := notableProps(m); value != row[0] {
			return ""
		}
		return m.ID
	})
}
