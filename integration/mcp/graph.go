package mcp

import (
	"context"
	"encoding/json"

	"github.com/brainbridge/brainbridge/brain"
)

// graphTools are the nine tools of the reference server.
func (s *Server) graphTools() map[string]call {
	return map[string]call{
		"create_entities":     s.createEntities,
		"create_relations":    s.createRelations,
		"add_observations":    s.addObservations,
		"delete_entities":     s.deleteEntities,
		"delete_observations": s.deleteObservations,
		"delete_relations":    s.deleteRelations,
		"read_graph":          s.readGraph,
		"search_nodes":        s.searchNodes,
		"open_nodes":          s.openNodes,
	}
}

// list answers with a list as text, and under its name for programs.
func list(name string, v any) (answer, error) {
	text, err := indented(v)
	return answer{text, map[string]any{name: v}}, err
}

// deleted answers to a deletion.
func deleted(what string, err error) (answer, error) {
	message := what + " deleted successfully"
	return answer{message, map[string]any{"success": true, "message": message}}, err
}

func (s *Server) createEntities(ctx context.Context, arguments json.RawMessage) (answer, error) {
	args, b, err := begin[struct{ Entities []brain.Entity }](ctx, s, arguments)
	if err != nil {
		return answer{}, err
	}
	made, err := b.CreateEntities(ctx, args.Entities)
	if err != nil {
		return answer{}, err
	}
	return list("entities", made)
}

func (s *Server) createRelations(ctx context.Context, arguments json.RawMessage) (answer, error) {
	args, b, err := begin[struct{ Relations []brain.EntityRelation }](ctx, s, arguments)
	if err != nil {
		return answer{}, err
	}
	made, err := b.CreateRelations(ctx, args.Relations)
	if err != nil {
		return answer{}, err
	}
	return list("relations", made)
}

// addedTo is what was added to one entity.
type addedTo struct {
	EntityName        string   `json:"entityName"`
	AddedObservations []string `json:"addedObservations"`
}

func (s *Server) addObservations(ctx context.Context, arguments json.RawMessage) (answer, error) {
	args, b, err := begin[struct{ Observations []brain.ObservationsOf }](ctx, s, arguments)
	if err != nil {
		return answer{}, err
	}
	added, err := b.AddObservations(ctx, args.Observations)
	if err != nil {
		return answer{}, err
	}
	results := make([]addedTo, 0, len(added))
	for _, o := range added {
		results = append(results, addedTo{o.EntityName, o.Contents})
	}
	return list("results", results)
}

func (s *Server) deleteEntities(ctx context.Context, arguments json.RawMessage) (answer, error) {
	args, b, err := begin[struct{ EntityNames []string }](ctx, s, arguments)
	if err != nil {
		return answer{}, err
	}
	return deleted("Entities", b.DeleteEntities(ctx, args.EntityNames))
}

func (s *Server) deleteObservations(ctx context.Context, arguments json.RawMessage) (answer, error) {
	type deletion struct {
		EntityName   string
		Observations []string
	}
	args, b, err := begin[struct{ Deletions []deletion }](ctx, s, arguments)
	if err != nil {
		return answer{}, err
	}
	all := make([]brain.ObservationsOf, 0, len(args.Deletions))
	for _, d := range args.Deletions {
		all = append(all, brain.ObservationsOf{EntityName: d.EntityName, Contents: d.Observations})
	}
	return deleted("Observations", b.DeleteObservations(ctx, all))
}

func (s *Server) deleteRelations(ctx context.Context, arguments json.RawMessage) (answer, error) {
	args, b, err := begin[struct{ Relations []brain.EntityRelation }](ctx, s, arguments)
	if err != nil {
		return answer{}, err
	}
	return deleted("Relations", b.DeleteRelations(ctx, args.Relations))
}

func (s *Server) readGraph(ctx context.Context, _ json.RawMessage) (answer, error) {
	return s.graph(ctx, func(b *brain.Brain) (brain.EntityGraph, error) { return b.ReadGraph(ctx) })
}

func (s *Server) searchNodes(ctx context.Context, arguments json.RawMessage) (answer, error) {
	args, err := decode[struct{ Query string }](arguments)
	if err != nil {
		return answer{}, err
	}
	return s.graph(ctx, func(b *brain.Brain) (brain.EntityGraph, error) { return b.SearchEntities(ctx, args.Query) })
}

func (s *Server) openNodes(ctx context.Context, arguments json.RawMessage) (answer, error) {
	args, err := decode[struct{ Names []string }](arguments)
	if err != nil {
		return answer{}, err
	}
	return s.graph(ctx, func(b *brain.Brain) (brain.EntityGraph, error) { return b.OpenEntities(ctx, args.Names) })
}

// graph answers with some of the graph.
func (s *Server) graph(ctx context.Context, read func(*brain.Brain) (brain.EntityGraph, error)) (answer, error) {
	b, err := s.o.Brain(ctx)
	if err != nil {
		return answer{}, err
	}
	g, err := read(b)
	if err != nil {
		return answer{}, err
	}
	text, err := indented(g)
	return answer{text, g}, err
}

// begin reads arguments and opens the brain.
func begin[T any](ctx context.Context, s *Server, arguments json.RawMessage) (T, *brain.Brain, error) {
	args, err := decode[T](arguments)
	if err != nil {
		return args, nil, err
	}
	b, err := s.o.Brain(ctx)
	return args, b, err
}
