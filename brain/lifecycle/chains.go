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
	older, rels, err := readOlder(r, newest)
	if err != nil {
		return nil, err
	}
	ms, err := r.Memories(slices.Sorted(maps.Keys(older))...)
	byID := brain.ByID(ms)
	return brain.Map(newest, func(m brain.Memory) Chain {
		c, ids := Chain{Memories: []brain.Memory{m}}, []string{m.ID}
		for i := 0; i < len(ids); i++ {
			ids = brain.Union(ids, older[ids[i]])
			if old, ok := byID[ids[i]]; ok && i > 0 {
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

// readOlder returns the direct predecessors of each memory of some chains, and the relations of
// all of them.
func readOlder(r brain.Reader, newest []brain.Memory) (older map[string][]string, rels []brain.Relation, err error) {
	older = map[string][]string{}
	for layer := brain.IDs(newest); len(layer) > 0; {
		found, err := r.Relations(layer...)
		if err != nil {
			return nil, nil, err
		}
		rels = append(rels, found...)
		for _, id := range layer {
			older[id] = nil
		}
		layer = nil
		for _, rel := range found {
			next, old := rel.From, rel.To
			if rel.Type == brain.PromotedTo {
				next, old = old, next
			}
			// Another one begins at a memory of the layer, which is not the newest of its chain.
			if _, known := older[next]; known && (rel.Type == brain.PromotedTo || rel.Type == brain.Supersedes) {
				older[next] = brain.Union(older[next], []string{old})
				if _, known := older[old]; !known {
					layer = brain.Union(layer, []string{old})
				}
			}
		}
	}
	rels = brain.Unique(rels)
	slices.SortFunc(rels, brain.Relation.Compare)
	return older, rels, nil
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
