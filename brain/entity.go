package brain

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
