package lifecycle

import (
	"maps"
	"slices"

	"github.com/brainbridge/brainbridge/brain"
)

// Chain is a memory with all that it came from over PROMOTED_TO and SUPERSEDES.
type Chain struct {
	Memories  []brain.Memory   // the memory itself, then the others, nearest first
	Relations []brain.Relation // all that one of them has
}

// ReadChains returns the chains of memories, with few reads for all of them. Inside
// Update their memories are locked.
func ReadChains(r brain.Reader, newest ...brain.Memory) ([]Chain, error) {
	var rels []brain.Relation
	older := map[string][]string{} // what a memory came from directly
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

// addOlder notes what the memories of older came from by relations of a layer of them,
// and returns the ids that are not in it yet.
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
			continue // it begins at one of the layer, which is not the newest of its chain
		}
		older[newer] = brain.Union(older[newer], []string{old})
		if _, known := older[old]; !known {
			next = append(next, old)
		}
	}
	return brain.Unique(next)
}
