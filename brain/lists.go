package brain

import (
	"time"

	"github.com/brainbridge/brainbridge/tiers"
)

// Key is a field that memories, sources or records are listed by.
type Key string

// The keys of memories, of outcomes and of records.
const (
	ByEntity Key = "entityKey"
	ByName   Key = "nameKey"
	ByText   Key = "textKey" // see [Memory.TextKey]

	ByTitle Key = "titleKey"
	ByFile  Key = "file"
	ByKey   Key = "key" // also of records

	ByOwner Key = "owner"
)

// ListFilter chooses memories and their order: with Group that of freshness, otherwise with
// Tier that of strength, otherwise by id. Ties are by id ascending.
type ListFilter struct {
	// By lists the live and expired memories with one of Keys, by id.
	By   Key
	Keys []string
	// Entities lists the memories with an entity key, by id.
	Entities bool
	// Tiers lists the memories of these tiers, by id.
	Tiers []tiers.Tier
	// Due lists the memories of live tiers whose promoteDue or expiresAt is not after this
	// instant, by id.
	Due time.Time
	// Group lists the live and expired memories of a group by [Memory.Freshness], latest
	// instant first.
	Group FreshGroup
	// Newest lists the live and expired memories by created, newest first, none last.
	Newest bool
	// Tier lists the memories of one tier by expiresAt, none first, latest first. Memories
	// with promoteDue set fade at the rate of another tier, so they are in a separate list:
	// DueOnly lists them instead of the others. Without all of these, live and expired memories
	// are listed.
	Tier    tiers.Tier
	DueOnly bool
	Type    string
	Tag     string
	Project *string   // nil: any; pointer to "": no project
	Since   time.Time // created at or after
	// Unexpired leaves out memories with expiresAt at or before this instant.
	Unexpired time.Time
	// Faded leaves out memories without expiresAt and those with a later one.
	Faded time.Time
	// After continues a list by id after this one. Lists in another order, in which a memory may
	// move, are not read in pages.
	After string
	// Limit is the number of memories, 0 for all. With By, which must be [ByName], it is that of
	// each key: entities first, then newest created, ties by id.
	Limit int
}

// Counts holds numbers of memories.
type Counts struct {
	ByTier map[tiers.Tier]int // as stored
	Faded  map[tiers.Tier]int // of live tiers: past expiresAt
}

// Current returns the number of live and expired memories.
func (c Counts) Current() int {
	n := 0
	for t, count := range c.ByTier {
		if t.Current() {
			n += count
		}
	}
	return n
}
