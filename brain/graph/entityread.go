package graph

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
)

// ReadGraph returns the whole knowledge graph: every entity in the order in
// which they were made, and the relations between them, those that wait for a
// name last.
func (b *Service) ReadGraph(ctx context.Context) (brain.Graph, error) {
	return b.graph(ctx, true, func(r brain.Reader) (all, chosen []brain.Memory, err error) {
		all, err = r.Entities()
		return all, all, err
	})
}

// SearchEntities returns the entities of which the name, the type or an observation
// holds the query, whatever its case, and the relations that begin or end at one of
// them. The empty query finds every entity.
func (b *Service) SearchEntities(ctx context.Context, query string) (brain.Graph, error) {
	query = strings.ToLower(query)
	return b.graph(ctx, false, func(r brain.Reader) (all, chosen []brain.Memory, err error) {
		all, err = r.Entities()
		return all, slices.DeleteFunc(slices.Clone(all), func(m brain.Memory) bool { return !matches(m, query) }), err
	})
}

// OpenEntities returns the entities of these names, letter for letter, in the
// order in which they were made, and the relations that begin or end at one of
// them. Names that no entity has are left out.
func (b *Service) OpenEntities(ctx context.Context, names []string) (brain.Graph, error) {
	names = b.base.Redaction().List(names)
	return b.graph(ctx, false, func(r brain.Reader) (all, chosen []brain.Memory, err error) {
		found, err := lifecycle.FindEntities(r, names)
		chosen = distinct(found)
		return chosen, chosen, err
	})
}

// distinct returns the entities that names lead to, each once, by id.
func distinct(found map[string]brain.Memory) []brain.Memory {
	ms := slices.SortedFunc(maps.Values(found), func(a, z brain.Memory) int { return cmp.Compare(a.ID, z.ID) })
	return slices.CompactFunc(ms, func(a, z brain.Memory) bool { return a.ID == z.ID })
}

// graph returns the chosen entities and their relations, with whole also those
// relations of which no end exists. choose may return more entities than it
// chooses, so that they are not read again.
func (b *Service) graph(ctx context.Context, whole bool, choose func(brain.Reader) (all, chosen []brain.Memory, err error)) (brain.Graph, error) {
	g, err := lifecycle.Read(ctx, b.base, func(r brain.Reader) (brain.Graph, error) {
		all, chosen, err := choose(r)
		if err != nil {
			return brain.Graph{}, err
		}
		rels, err := r.Relations(brain.IDs(chosen)...)
		if err != nil {
			return brain.Graph{}, err
		}
		others, err := otherEnds(r, all, rels)
		if err != nil {
			return brain.Graph{}, err
		}
		waiting, err := lifecycle.PendingEntityRelations(r)
		return newGraph(slices.Concat(all, others), chosen, rels, waiting, whole), err
	})
	if err != nil {
		return brain.Graph{}, fmt.Errorf("read the knowledge graph: %w", err)
	}
	return g, nil
}

// otherEnds reads the entities at the ends of relations that are not known yet.
func otherEnds(r brain.MemoryReader, known []brain.Memory, rels []brain.Relation) ([]brain.Memory, error) {
	others := map[string]bool{}
	for _, rel := range rels {
		others[rel.From], others[rel.To] = true, true
	}
	for i := range known {
		delete(others, known[i].ID)
	}
	ms, err := r.Memories(slices.Sorted(maps.Keys(others))...)
	return slices.DeleteFunc(ms, func(m brain.Memory) bool { return !m.Entity || !m.Current() }), err
}

// newGraph returns the chosen ones of all entities with their relations: first those
// between entities, in the order of these, then those that wait for a name.
func newGraph(all, chosen []brain.Memory, rels []brain.Relation, waiting []lifecycle.WaitingRelation, whole bool) brain.Graph {
	all, chosen = byBirth(all), byBirth(chosen)
	g := brain.Graph{Entities: []brain.Entity{}, Relations: []brain.EntityRelation{}}
	names := map[string]bool{}
	for _, m := range chosen {
		names[m.Name] = true
		g.Entities = append(g.Entities, entityOf(m))
	}
	at := make(map[string]int, len(all))
	for i := range all {
		at[all[i].ID] = i + 1
	}
	rels = slices.DeleteFunc(slices.Clone(rels), func(rel brain.Relation) bool {
		return at[rel.From] == 0 || at[rel.To] == 0 || brain.CheckRelationType(rel.Type) != nil
	})
	slices.SortFunc(rels, func(a, z brain.Relation) int {
		return cmp.Or(cmp.Compare(at[a.From], at[z.From]), cmp.Compare(at[a.To], at[z.To]), cmp.Compare(a.Type, z.Type))
	})
	joined := map[brain.EntityRelation]bool{}
	for _, rel := range rels {
		named := brain.EntityRelation{From: all[at[rel.From]-1].Name, To: all[at[rel.To]-1].Name, RelationType: rel.Type}
		joined[named] = true
		g.Relations = append(g.Relations, named)
	}
	for _, w := range waiting {
		if (whole || names[w.From] || names[w.To]) && !joined[w.EntityRelation] {
			g.Relations = append(g.Relations, w.EntityRelation)
		}
	}
	return g
}

// byBirth returns entities in the order in which they were made.
func byBirth(ms []brain.Memory) []brain.Memory {
	return slices.SortedFunc(slices.Values(ms), func(a, z brain.Memory) int {
		return cmp.Or(a.ValidFrom.Compare(z.ValidFrom), cmp.Compare(a.Position, z.Position), cmp.Compare(a.ID, z.ID))
	})
}

// entityOf returns a memory as a node of the knowledge graph.
func entityOf(m brain.Memory) brain.Entity {
	return brain.Entity{Name: m.Name, EntityType: m.MemoryType, Observations: append([]string{}, m.Observations...)}
}

// matches reports whether a query in lower case is part of a text of an entity.
func matches(m brain.Memory, query string) bool {
	return slices.ContainsFunc(append([]string{m.Name, m.MemoryType}, m.Observations...), func(text string) bool {
		return strings.Contains(strings.ToLower(text), query)
	})
}
