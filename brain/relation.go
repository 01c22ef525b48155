package brain

import (
	"cmp"
	"slices"
	"strings"
)

// The relation types that are relationship types of their own in the graph.
// Every other type is a typed relation between two memories.
const (
	HasMemory  = "HAS_MEMORY"  // source to memory
	PromotedTo = "PROMOTED_TO" // archived original to promoted memory
	Supersedes = "SUPERSEDES"  // newer or merged memory to what it replaces
)

// Replaces is the typed relation from a memory to one that somebody said it replaces. The
// replaced memory is superseded, and its validTo is the time at which it was replaced.
const Replaces = "replaces"

// BuiltIn reports whether only the program creates relations of a type.
func BuiltIn(relationType string) bool {
	switch relationType {
	case HasMemory, PromotedTo, Supersedes:
		return true
	}
	return false
}

// Relation joins two nodes by id. Two relations with the same From, Type and To are
// the same one; see [Relation.Key].
type Relation struct {
	From string `json:"from"`
	Type string `json:"type"`
	To   string `json:"to"`
	// Made orders the relations of the knowledge graph by their creation: the
	// microseconds from 1970 until then. It is 0 for all other relations.
	Made int64 `json:"made,omitempty"`
}

// Key returns what identifies a relation: itself without Made.
func (r Relation) Key() Relation {
	r.Made = 0
	return r
}

// HasRelation reports whether rels contains a relation.
func HasRelation(rs []Relation, r Relation) bool {
	return slices.ContainsFunc(rs, func(other Relation) bool { return other.Key() == r.Key() })
}

// Compare orders relations by From, Type and To.
func (r Relation) Compare(other Relation) int {
	return cmp.Or(cmp.Compare(r.From, other.From), cmp.Compare(r.Type, other.Type), cmp.Compare(r.To, other.To))
}

// CheckRelationType returns [ErrInvalid] if t is not valid as the type of a relation
// between two memories.
func CheckRelationType(t string) error {
	switch {
	case strings.TrimSpace(t) == "" || !IsWord(t, 128):
		return Errorf(ErrInvalid, "use a word such as related_to, applies_to, derived_from or part_of",
			"%.40q is not valid as the type of a relation", t)
	case BuiltIn(t):
		return Errorf(ErrInvalid, "use another type; `brainbridge correct` replaces a memory",
			"only the program creates relations of the type %s", t)
	}
	return nil
}

// NamedRelation is a relation to the memory with a name.
type NamedRelation struct {
	Type string `json:"type"`
	Name string `json:"name"`
}

// Entity is a named node of the knowledge graph of agents. It is stored as a memory that
// does not fade.
type Entity struct {
	Name         string   `json:"name"`
	EntityType   string   `json:"entityType"`
	Observations []string `json:"observations"`
}

// EntityRelation joins two names in the knowledge graph. Entities with these names need not
// exist.
type EntityRelation struct {
	From         string `json:"from"`
	To           string `json:"to"`
	RelationType string `json:"relationType"`
}

// Graph is the knowledge graph, or a part of it. Neither list is nil.
type Graph struct {
	Entities  []Entity         `json:"entities"`
	Relations []EntityRelation `json:"relations"`
}
