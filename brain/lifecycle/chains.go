package lifecycle

import (
	"maps"
	"slices"

	"github.com/brainbridge/brainbridge/brain"
)

// Chain is a memory with all memories that it came from through PROMOTED_TO and SUPERSEDES.
type Chain struct {
	Memories  []brain.Memory   // the memory itself, then the others, nearest first
	Relations []brain.Relation // all that one of them has
}

// ReadChains returns the chains of memories with few reads. Inside Update it locks them.
func ReadChains(r brain.Reader, newest ...brain.Memory) ([]Chain, error) {
	var rels []brain.Relation
	older := map[string][]string{} // the direct predecessors of each memory
	for layer := brain.IDs(newest); len(layer) > 0; {
		found, err := r.Relations(layer...)
		if err != nil {
			return nil, err
		}
		rels = append(rels, found...)
		for _, id := range layer {
			older[id] = nil
		}
		layer = addOlder(older, found)
	}
	rels = brain.Unique(rels)
	slices.SortFunc(rels, brain.Relation.Compare)
	ms, err := r.Memories(slices.Sorted(maps.Keys(older))...)
	byID := brain.ByID(ms)
	return brain.Map(newest, func(m brain.Memory) Chain {
		ids := []string{m.ID}
		for i := 0; i < len(ids); i++ {
			ids = brain.Union(ids, older[ids[i]])
		}
		c := Chain{Memories: []brain.Memory{m}}
		for _, id := range ids[1:] {
			if old, ok := byID[id]; ok {
				c.Memories = append(c.Memories, old)
			}
		}
		for _, rel := range rels {
			if slices.Contains(ids, rel.From) || slices.Contains(ids, rel.To) {
				c.Relations = append(c.Relations, rel)
			}
		}
		return c
	}), err
}

// Versions returns, for archived and superseded memories, the ids of the memories that they were
// versions of. One that another memory replaced or was merged with is its own. ms has the present
// memories too; rels are relations of either.
func Versions(ms []brain.Memory, rels []brain.Relation) map[string]string {
	merged := map[string]bool{}
	for i := range ms {
		for _, id := range ms[i].MergedFrom {
			merged[id] = true
		}
	}
	of := map[string]string{}
	for _, rel := range rels {
		switch {
		case rel.Type == brain.PromotedTo:
			of[rel.From] = rel.To
		case rel.Type == brain.Supersedes && !merged[rel.To] && !brain.HasRelation(rels, brain.Relation{From: rel.From, Type: brain.Replaces, To: rel.To}):
			of[rel.To] = rel.From
		}
	}
	return of
}

// addOlder adds to older the predecessors of a layer of memories, from their relations. It
// returns the ids of new ones, which are the next layer.
func addOlder(older map[string][]string, rels []brain.Relation) (next []string) {
	for _, rel := range rels {
		newer, old := rel.From, rel.To
		switch rel.Type {
		case brain.PromotedTo:
			newer, old = old, newer
		case brain.Supersedes:
		default:
			continue
		}
		if _, known := older[newer]; !known {
			continue // it starts at a memory of the layer, which is then not the newest of its chain
		}
		older[newer] = brain.Union(older[newer], []string{old})
		if _, known := older[old]; !known {
			next = append(next, old)
		}
	}
	return brain.Unique(next)
}
