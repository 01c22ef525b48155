package storetest

import (
	"slices"
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/brain"
)

// FormerEntities are entities as an earlier version stored them, with the key
// of their name for lookups: alone, older than one that this version made of the
// same name, and younger than one.
func FormerEntities() (alone, elder, younger []brain.Memory) {
	entity := func(id, name string, born time.Time, key func(m *brain.Memory) string) brain.Memory {
		return Memory(id, func(m *brain.Memory) {
			m.ID, m.Root = id, id
			m.Entity, m.Name, m.NameKey, m.ValidFrom = true, name, brain.NameKey(name), born
			m.EntityKey = key(m)
		})
	}
	before := func(m *brain.Memory) string { return m.NameKey }
	now := func(m *brain.Memory) string { return brain.EntityKey(m.Name, m.IsTest) }
	alone = []brain.Memory{entity("alone", "Ada Lovelace", Hours(1), before)}
	elder = []brain.Memory{entity("elder-old", "Bob", Hours(2), before), entity("elder-new", "Bob", Hours(9), now)}
	younger = []brain.Memory{entity("younger-new", "Cyd", Hours(3), now), entity("younger-old", "Cyd", Hours(8), before)}
	return alone, elder, younger
}

// CheckFormerEntities wants those of FormerEntities by their names, the elder
// of two of a name, and all of them by their ids.
func CheckFormerEntities(t *testing.T, s brain.Store) {
	t.Helper()
	var found []string
	var byID []brain.Memory
	err := s.View(t.Context(), func(r brain.Reader) error {
		found = nil
		for _, name := range []string{"Ada Lovelace", "Bob", "Cyd"} {
			ms, err := r.MemoriesByEntity(brain.EntityKey(name, false))
			if err != nil {
				return err
			}
			for i := range ms {
				found = append(found, ms[i].ID)
			}
		}
		var err error
		byID, err = r.Memories("alone", "elder-old", "elder-new", "younger-new", "younger-old")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"alone", "elder-old", "younger-new"}; !slices.Equal(found, want) {
		t.Errorf("by their names are found %v, want %v", found, want)
	}
	if len(byID) != 5 {
		t.Errorf("%d of 5 are found by their ids", len(byID))
	}
}
