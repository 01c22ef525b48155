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

// Differences are DIFFERS_FROM relations, by the ids at their ends. The memories about one
// subject form a chain, from the newest to the oldest.
type Differences struct {
	newer map[string][]string
	older map[string][]string
}

// ReadDifferences returns the differences of memories and all newer ones of their chains.
func ReadDifferences(r brain.DifferenceReader, ids ...string) (Differences, error) {
	rels, err := r.Differences(ids...)
	return NewDifferences(rels), err
}

// NewDifferences returns the Differences of stored relations.
func NewDifferences(rels []brain.Relation) Differences {
	d := Differences{map[string][]string{}, map[string][]string{}}
	for _, rel := range rels {
		d.newer[rel.To] = append(d.newer[rel.To], rel.From)
		d.older[rel.From] = append(d.older[rel.From], rel.To)
	}
	return d
}

// ContestedBy returns the newer memory that applies instead of one, "" if there is none.
func (d Differences) ContestedBy(id string) string {
	if by := d.Newest(id, ""); by != id {
		return by
	}
	return ""
}

// Newest returns the newest memory of the chain of one, as if except did not exist. It is
// id itself if nothing newer differs from it. In a cycle it is the last one before id.
func (d Differences) Newest(id, except string) string {
	seen := map[string]bool{except: true}
	for {
		seen[id] = true
		i := slices.IndexFunc(d.newer[id], func(by string) bool { return !seen[by] })
		if i < 0 {
			return id
		}
		id = d.newer[id][i]
	}
}

// Newer returns all newer memories of the chain of one.
func (d Differences) Newer(id string) []string {
	all := slices.Clone(d.newer[id])
	for i := 0; i < len(all); i++ {
		for _, by := range d.newer[all[i]] {
			if by != id && !slices.Contains(all, by) {
				all = append(all, by)
			}
		}
	}
	return all
}

// Len returns the number of relations in the chains of some memories.
func (d Differences) Len(of ...string) (n int) {
	of = brain.Unique(of)
	for i := 0; i < len(of); i++ {
		n += len(d.older[of[i]])
		of = brain.Union(brain.Union(of, d.older[of[i]]), d.newer[of[i]])
	}
	return n
}

// DiffersFrom returns the older memories that one differs from directly.
func (d Differences) DiffersFrom(id string) []string { return d.older[id] }
