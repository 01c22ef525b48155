package brain

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
)

// ReadGraph returns the whole knowledge graph: every entity in the order in
// which they were made, and the relations between them, those that wait for a
// name last.
func (b *Brain) ReadGraph(ctx context.Context) (EntityGraph, error) {
	return b.graph(ctx, func(r Reader) (entityView, error) {
		all, err := r.Entities()
		return entityView{all: all, chosen: all, whole: true}, err
	})
}

// SearchEntities returns the entities whose name, type or one of whose
// observations holds the query, whatever its case, and the relations that begin
// or end at one of them. The empty query finds every entity.
func (b *Brain) SearchEntities(ctx context.Context, query string) (EntityGraph, error) {
	query = strings.ToLower(query)
	return b.graph(ctx, func(r Reader) (entityView, error) {
		all, err := r.Entities()
		v := entityView{all: all}
		for _, m := range all {
			if m.entity().holds(query) {
				v.chosen = append(v.chosen, m)
			}
		}
		return v, err
	})
}

// holds reports whether a query in small letters is part of the entity.
func (e Entity) holds(query string) bool {
	return slices.ContainsFunc(append([]string{e.Name, e.EntityType}, e.Observations...), func(text string) bool {
		return strings.Contains(strings.ToLower(text), query)
	})
}

// OpenEntities returns the entities of these names, letter for letter, in the
// order in which they were made, and the relations that begin or end at one of
// them. Names that no entity has are left out.
func (b *Brain) OpenEntities(ctx context.Context, names []string) (EntityGraph, error) {
	names = b.cleaner().list(names)
	return b.graph(ctx, func(r Reader) (entityView, error) {
		held, err := findEntities(r, names)
		v := entityView{}
		seen := map[string]bool{}
		for _, m := range held.found {
			if !seen[m.ID] {
				seen[m.ID] = true
				v.chosen = append(v.chosen, m)
			}
		}
		v.all = v.chosen
		return v, err
	})
}

// entityView is what is shown of the graph.
type entityView struct {
	all    []Memory // entities known, chosen ones among them
	chosen []Memory // those shown
	whole  bool     // relations between names that nobody has too
}

func (b *Brain) graph(ctx context.Context, choose func(Reader) (entityView, error)) (EntityGraph, error) {
	var out EntityGraph
	err := b.store.View(ctx, func(r Reader) error {
		v, err := choose(r)
		if err != nil {
			return err
		}
		byBirth(v.chosen)
		out = EntityGraph{Entities: []Entity{}, Relations: []EntityRelation{}}
		for i := range v.chosen {
			out.Entities = append(out.Entities, v.chosen[i].entity())
		}
		out.Relations, err = v.relations(r)
		return err
	})
	if err != nil {
		return EntityGraph{}, fmt.Errorf("read the knowledge graph: %w", err)
	}
	return out, nil
}

// relations are those of the chosen entities: first what joins entities, in
// their order, then what waits for a name.
func (v *entityView) relations(r Reader) ([]EntityRelation, error) {
	ids := make([]string, 0, len(v.chosen))
	names := map[string]bool{}
	for i := range v.chosen {
		ids = append(ids, v.chosen[i].ID)
		names[v.chosen[i].Name] = true
	}
	held, err := r.Relations(ids...)
	if err != nil {
		return nil, err
	}
	if err := v.readOthers(r, held); err != nil {
		return nil, err
	}
	out := v.named(held)
	known := map[EntityRelation]bool{}
	for _, rel := range out {
		known[rel] = true
	}
	waiting, err := waitingRelations(r)
	for _, w := range waiting {
		if (v.whole || names[w.From] || names[w.To]) && !known[w.EntityRelation] {
			out = append(out, w.EntityRelation)
		}
	}
	return out, err
}

// readOthers reads the other ends of relations.
func (v *entityView) readOthers(r MemoryReader, rels []Relation) error {
	known := map[string]bool{}
	for i := range v.all {
		known[v.all[i].ID] = true
	}
	others := map[string]bool{}
	for _, rel := range rels {
		for _, id := range []string{rel.From, rel.To} {
			if !known[id] {
				others[id] = true
			}
		}
	}
	ms, err := r.Memories(sortedKeys(others)...)
	for _, m := range ms {
		if m.Entity && m.Current() && !m.IsTest {
			v.all = append(slices.Clip(v.all), m)
		}
	}
	return err
}

// named are the relations between entities, by name, in the order of those.
func (v *entityView) named(rels []Relation) []EntityRelation {
	byBirth(v.all)
	at := make(map[string]int, len(v.all))
	for i := range v.all {
		at[v.all[i].ID] = i + 1
	}
	rels = slices.DeleteFunc(slices.Clone(rels), func(rel Relation) bool {
		return at[rel.From] == 0 || at[rel.To] == 0 || checkRelationType(rel.Type) != nil
	})
	slices.SortFunc(rels, func(a, z Relation) int {
		return cmp.Or(cmp.Compare(at[a.From], at[z.From]), cmp.Compare(at[a.To], at[z.To]), cmp.Compare(a.Type, z.Type))
	})
	out := make([]EntityRelation, 0, len(rels))
	for _, rel := range rels {
		out = append(out, EntityRelation{v.all[at[rel.From]-1].Name, v.all[at[rel.To]-1].Name, rel.Type})
	}
	return out
}
