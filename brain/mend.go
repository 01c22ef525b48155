package brain

import (
	"context"
	"encoding/json"
)

// Defect is damage to the structure of a store, such as a missing index, or a property that
// does not follow from the others. Single records that cannot be read are [Unreadable].
type Defect struct {
	What     string // with the name of what is damaged
	Means    string // to a person
	Mendable bool   // Repair mends it
}

// Mender finds and mends damage. The order is Inspect, Repair, a new Scan, and SetAside of
// what it names.
type Mender interface {
	// Inspect reads the whole brain and what it needs of the database, and returns what is wrong
	// with its structure. It changes nothing, and works although reads and writes may fail.
	// Changes that a person made by hand on Neo4j are not damage.
	Inspect(ctx context.Context) ([]Defect, error)

	// Repair mends every defect that is mendable, also of a Neo4j brain that counts as lost, if it
	// was opened for a restore ([Watch].Replaces). It loses no content: what it takes out of the
	// store, like the second of two equal nodes, it hands to keep first, see SetAside.
	Repair(ctx context.Context, keep func(raw []json.RawMessage) error) error

	// SetAside removes nodes, records and relations that cannot be read, as Scan names them, from
	// the store and its indexes, with the relations of the nodes. Ids that the store does not have are ignored.
	// Before that it calls keep with the raw content of each: an [Aside] as JSON. keep may be
	// called several times, also with the same content again. After an error of keep, which is
	// returned unchanged, nothing of what it was called with was removed.
	SetAside(ctx context.Context, found []Unreadable, keep func(raw []json.RawMessage) error) error
}

// Aside is the raw content of what was taken out of a store.
type Aside struct {
	Kind      string           `json:"kind"` // see [Unreadable]
	ID        string           `json:"id"`
	Why       string           `json:"why"`
	Values    map[string]any   `json:"values"` // columns or properties; bytes are base64
	Relations []map[string]any `json:"relations,omitempty"`
}
