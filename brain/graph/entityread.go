package graph

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
)

// ReadGraph returns all entities and their relations, both in creation order.
func (s *Service) ReadGraph(ctx context.Context) (brain.Graph, error) {
	return s.readGraph(ctx, true, func(r brain.Reader) ([]brain.Memory, error) {
		return r.ListMemories(brain.ListFilter{Entities: true})
	})
}

// SearchEntities returns the entities whose name, type or an observation contains the
// query, ignoring case, and the relations that begin or end at one of them. An empty
// query matches every entity.
func (s *Service) SearchEntities(ctx context.Context, query string) (brain.Graph, error) {
	query = strings.ToLower(query)
	return s.readGraph(ctx, false, func(r brain.Reader) ([]brain.Memory, error) {
		all, err := r.ListMemories(brain.ListFilter{Entities: true})
		return slices.DeleteFunc(all, func(m brain.Memory) bool { return !matches(m, query) }), err
	})
}

// OpenEntities returns the entities with exactly these names in creation order, and the
// relations that begin or end at one of them. Unknown names are ignored.
func (s *Service) OpenEntities(ctx context.Context, names []string) (brain.Graph, error) {
	names = s.base.Redaction().List(names)
	return s.readGraph(ctx, false, func(r brain.Reader) ([]brain.Memory, error) {
		found, err := lifecycle.FindEntities(r, names)
		return distinct(found), err
	})
}

// distinct returns the entities in found without repetitions, ordered by id.
func distinct(found map[string]brain.Memory) []brain.Memory {
	ms := slices.SortedFunc(maps.Values(found), func(a, b brain.Memory) int { return cmp.Compare(a.ID, b.ID) })
	return slices.CompactFunc(ms, func(a, b brain.Memory) bool { return a.ID == b.ID })
}

// readGraph returns the chosen entities and their relations. With allPending it includes
// the pending relations that touch no chosen entity.
func (s *Service) readGraph(ctx context.Context, allPending bool, choose func(brain.Reader) ([]brain.Memory, error)) (brain.Graph, error) {
	g, err := lifecycle.Read(ctx, s.base, func(r brain.Reader) (brain.Graph, error) {
		chosen, err := choose(r)
		rels := lifecycle.Get(&err, r.Relations, brain.IDs(chosen)...)
		if err != nil {
			return brain.Graph{}, err
		}
		others, err := otherEnds(r, chosen, rels)
		if err != nil {
			return brain.Graph{}, err
		}
		pending, err := lifecycle.PendingEntityRelations(r)
		return newGraph(slices.Concat(chosen, others), chosen, rels, pending, allPending), err
	})
	return g, brain.Wrap(err, "read the knowledge graph")
}

// otherEnds reads the entities at the ends of rels that are missing from known.
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

// newGraph returns the chosen entities and their relations, both in creation order.
// Relations without a time of creation come first, in the order of their entities.
func newGraph(all, chosen []brain.Memory, rels []brain.Relation, pending []lifecycle.PendingEntityRelation, allPending bool) brain.Graph {
	all, chosen = byCreation(all), byCreation(chosen)
	g := brain.Graph{Entities: []brain.Entity{}, Relations: []brain.EntityRelation{}}
	names := map[string]bool{}
	for _, m := range chosen {
		names[m.Name] = true
		g.Entities = append(g.Entities, toEntity(m))
	}
	position := make(map[string]int, len(all))
	for i := range all {
		position[all[i].ID] = i
	}
	rels = slices.DeleteFunc(slices.Clone(rels), func(rel brain.Relation) bool {
		_, from := position[rel.From]
		_, to := position[rel.To]
		return !from || !to || brain.CheckRelationType(rel.Type) != nil
	})
	slices.SortFunc(rels, func(a, b brain.Relation) int {
		return cmp.Or(cmp.Compare(a.Made, b.Made), cmp.Compare(position[a.From], position[b.From]),
			cmp.Compare(position[a.To], position[b.To]), cmp.Compare(a.Type, b.Type))
	})
	created := map[brain.EntityRelation]int64{} // see [brain.Relation.Made]
	for _, rel := range rels {
		relation := brain.EntityRelation{From: all[position[rel.From]].Name, To: all[position[rel.To]].Name, RelationType: rel.Type}
		g.Relations, created[relation] = append(g.Relations, relation), rel.Made
	}
	for _, w := range pending {
		if _, seen := created[w.EntityRelation]; !seen && (allPending || names[w.From] || names[w.To]) {
			g.Relations, created[w.EntityRelation] = append(g.Relations, w.EntityRelation), w.Made
		}
	}
	slices.SortStableFunc(g.Relations, func(a, b brain.EntityRelation) int { return cmp.Compare(created[a], created[b]) })
	return g
}

// byCreation returns entities in creation order.
func byCreation(ms []brain.Memory) []brain.Memory {
	return slices.SortedFunc(slices.Values(ms), func(a, b brain.Memory) int {
		return cmp.Or(a.Created.Compare(b.Created), cmp.Compare(a.Position, b.Position), cmp.Compare(a.ID, b.ID))
	})
}

// toEntity returns a memory as an entity of the knowledge graph.
func toEntity(m brain.Memory) brain.Entity {
	return brain.Entity{Name: m.Name, EntityType: m.MemoryType, Observations: append([]string{}, m.Observations...)}
}

// matches reports whether a text of the entity contains query, which is in lower case.
func matches(m brain.Memory, query string) bool {
	return slices.ContainsFunc(append([]string{m.Name, m.MemoryType}, m.Observations...), func(text string) bool {
		return strings.Contains(strings.ToLower(text), query)
	})
}
