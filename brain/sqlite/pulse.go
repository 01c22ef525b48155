package sqlite

import (
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/tiers"
)

// pulseColumns are those of a life that a touch moves. SQLite writes every index
// that knows a column of an UPDATE, changed or not, and most indexes know the
// columns that are not among these.
const pulseColumns = `energy, peak_energy, last_decay, base, base_at, expires_at, promote_due,
	session_count, access_count, recall_count, use_count, confirmations, last_accessed`

func pulse(m *brain.Memory) []any {
	return []any{
		&m.Energy, &m.PeakEnergy,
		instant{&m.LastDecay},
		&m.Base,
		instant{&m.BaseAt},
		instant{&m.ExpiresAt},
		instant{&m.PromoteDue},
		&m.SessionCount, &m.AccessCount, &m.RecallCount, &m.UseCount, &m.Confirmations,
		instant{&m.LastAccessed},
	}
}

// standing is the rest of a life.
type standing struct {
	tier, expiredFrom            tiers.Tier
	validFrom, validTo, lastUsed time.Time
	entity                       bool
	helpful, notHelpful          int
	entityKey                    string
	version                      int
	source, group                string
	position                     int
}

func standingOf(m *brain.Memory) standing {
	return standing{
		tier: m.Tier, expiredFrom: m.ExpiredFrom, validFrom: m.ValidFrom, validTo: m.ValidTo, lastUsed: m.LastUsed,
		entity: m.Entity, helpful: m.HelpfulCount, notHelpful: m.NotHelpfulCount, entityKey: m.EntityKey,
		version: m.Version, source: m.SourceNodeID, group: m.Group, position: m.Position,
	}
}

func standingAt(m *brain.Memory) *standing {
	s := standingOf(m)
	return &s
}
