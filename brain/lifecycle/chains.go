package lifecycle

import (
	"cmp"
	"maps"
	"slices"

	"github.com/brainbridge/brainbridge/brain"
)

// Chains reads the chains of many memories with few queries, and answers from
// what it has read: all of a page in a handful of round trips.
type Chains struct {
	brain.Reader
	memories  map[string]*brain.Memory // nil: there is none
	sources   map[string]*brain.Source
	relations map[string][]brain.Relation // of each id that was asked for
}

// NewChains returns chains that are read from r.
func NewChains(r brain.Reader) *Chains {
	return &Chains{
		Reader: r, memories: map[string]*brain.Memory{}, sources: map[string]*brain.Source{}, relations: map[string][]brain.Relation{},
	}
}

// Load reads memories, what they came from and became, and sources.
func (c *Chains) Load(memories, sources []string) error {
	all := slices.Clone(memories)
	for layer := memories; len(layer) > 0; {
		if _, err := c.Relations(layer...); err != nil {
			return err
		}
		layer = c.beyond(layer)
		all = append(all, layer...)
	}
	ms, err := c.Memories(all...)
	if err != nil {
		return err
	}
	for i := range ms {
		if id := ms[i].SourceNodeID; id != "" {
			sources = append(sources, id)
		}
	}
	_, err = c.Sources(sources...)
	return err
}

// beyond are the next links of chains whose relations are not known yet.
func (c *Chains) beyond(layer []string) []string {
	next := map[string]bool{}
	for _, id := range layer {
		for _, r := range c.relations[id] {
			if r.Type != brain.PromotedTo && r.Type != brain.Supersedes {
				continue
			}
			for _, end := range []string{r.From, r.To} {
				if _, known := c.relations[end]; !known {
					next[end] = true
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(next))
}

// Memories implements [brain.MemoryReader] and reads each memory once.
func (c *Chains) Memories(ids ...string) ([]brain.Memory, error) {
	return readOnce(c.memories, ids, c.Reader.Memories, func(m *brain.Memory) string { return m.ID })
}

// Sources implements [brain.SourceReader] and reads each source once.
func (c *Chains) Sources(ids ...string) ([]brain.Source, error) {
	return readOnce(c.sources, ids, c.Reader.Sources, func(s *brain.Source) string { return s.ID })
}

// readOnce returns the nodes with these ids in their order, each once. It reads those
// that were not asked for before, and holds them.
func readOnce[V any](held map[string]*V, ids []string, read func(ids ...string) ([]V, error), idOf func(*V) string) ([]V, error) {
	if missing := unknown(held, ids); len(missing) > 0 {
		fresh, err := read(missing...)
		if err != nil {
			return nil, err
		}
		for _, id := range missing {
			held[id] = nil
		}
		for i := range fresh {
			held[idOf(&fresh[i])] = &fresh[i]
		}
	}
	var all []V
	seen := map[string]bool{}
	for _, id := range ids {
		if v := held[id]; v != nil && !seen[id] {
			seen[id] = true
			all = append(all, *v)
		}
	}
	return all, nil
}

// Relations implements [brain.RelationReader] and reads the relations of each id once.
func (c *Chains) Relations(ids ...string) ([]brain.Relation, error) {
	missing := unknown(c.relations, ids)
	if len(missing) > 0 {
		rels, err := c.Reader.Relations(missing...)
		if err != nil {
			return nil, err
		}
		fresh := make(map[string]bool, len(missing))
		for _, id := range missing {
			c.relations[id], fresh[id] = nil, true
		}
		for _, r := range rels {
			for _, end := range []string{r.From, r.To} {
				if fresh[end] {
					c.relations[end] = append(c.relations[end], r)
				}
			}
		}
	}
	var all []brain.Relation
	for _, id := range ids {
		all = append(all, c.relations[id]...)
	}
	slices.SortFunc(all, func(a, z brain.Relation) int {
		return cmp.Or(cmp.Compare(a.From, z.From), cmp.Compare(a.Type, z.Type), cmp.Compare(a.To, z.To))
	})
	return slices.Compact(all), nil
}

// unknown returns the different ids that were not asked for before.
func unknown[V any](held map[string]V, ids []string) []string {
	fresh := map[string]bool{}
	for _, id := range ids {
		if _, ok := held[id]; !ok {
			fresh[id] = true
		}
	}
	return slices.Sorted(maps.Keys(fresh))
}

// HasMemory reports whether a source has a memory.
func (c *Chains) HasMemory(source string) bool {
	return slices.ContainsFunc(c.relations[source], func(r brain.Relation) bool { return r.Type == brain.HasMemory && r.From == source })
}
