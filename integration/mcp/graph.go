package mcp

import (
	"context"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/graph"
)

// onGraph returns the function of a tool of the graph.
func onGraph[T any](fn func(ctx context.Context, g *graph.Service, args T) (answer, error)) toolFunc {
	return decoded(func(ctx context.Context, c call, args T) (answer, error) {
		return fn(ctx, c.Graph(ctx), args)
	})
}

// observations are the observations of an entity to delete.
type observations struct {
	EntityName string   `json:"entityName"`
	Contents   []string `json:"observations"`
}

// addedObservations are the observations that were added to an entity.
type addedObservations struct {
	EntityName string   `json:"entityName"`
	Contents   []string `json:"addedObservations"`
}

// graphTools returns the nine tools of the reference server.
func graphTools() map[string]toolFunc {
	return map[string]toolFunc{
		"create_entities": onGraph(func(ctx context.Context, g *graph.Service, args struct{ Entities []brain.Entity }) (answer, error) {
			made, err := g.CreateEntities(ctx, args.Entities)
			return jsonAnswer(made, map[string]any{"entities": made}, err)
		}),
		"create_relations": onGraph(func(ctx context.Context, g *graph.Service, args struct{ Relations []brain.EntityRelation }) (answer, error) {
			made, err := g.CreateRelations(ctx, args.Relations)
			return jsonAnswer(made, map[string]any{"relations": made}, err)
		}),
		"add_observations": onGraph(func(ctx context.Context, g *graph.Service, args struct{ Observations []graph.ObservationsOf }) (answer, error) {
			added, err := g.AddObservations(ctx, args.Observations)
			results := brain.Map(added, func(o graph.ObservationsOf) addedObservations { return addedObservations(o) })
			return jsonAnswer(results, map[string]any{"results": results}, err)
		}),
		"delete_entities": onGraph(func(ctx context.Context, g *graph.Service, args struct{ EntityNames []string }) (answer, error) {
			return deletionAnswer("Entities", g.DeleteEntities(ctx, args.EntityNames))
		}),
		"delete_observations": onGraph(func(ctx context.Context, g *graph.Service, args struct{ Deletions []observations }) (answer, error) {
			all := brain.Map(args.Deletions, func(o observations) graph.ObservationsOf { return graph.ObservationsOf(o) })
			return deletionAnswer("Observations", g.DeleteObservations(ctx, all))
		}),
		"delete_relations": onGraph(func(ctx context.Context, g *graph.Service, args struct{ Relations []brain.EntityRelation }) (answer, error) {
			return deletionAnswer("Relations", g.DeleteRelations(ctx, args.Relations))
		}),
		"read_graph": onGraph(func(ctx context.Context, g *graph.Service, _ struct{}) (answer, error) {
			return graphAnswer(g.ReadGraph(ctx))
		}),
		"search_nodes": onGraph(func(ctx context.Context, g *graph.Service, args struct{ Query string }) (answer, error) {
			return graphAnswer(g.SearchEntities(ctx, args.Query))
		}),
		"open_nodes": onGraph(func(ctx context.Context, g *graph.Service, args struct{ Names []string }) (answer, error) {
			return graphAnswer(g.OpenEntities(ctx, args.Names))
		}),
	}
}

// jsonAnswer answers with a value as text, and another form of it for programs.
func jsonAnswer(v, structured any, err error) (answer, error) {
	if err != nil {
		return answer{}, err
	}
	return answer{indented(v), structured}, nil
}

// graphAnswer answers with a part of the graph.
func graphAnswer(g brain.Graph, err error) (answer, error) { return jsonAnswer(g, g, err) }

// deletionAnswer answers to a deletion.
func deletionAnswer(what string, err error) (answer, error) {
	message := what + " deleted successfully"
	return answer{message, map[string]any{"success": true, "message": message}}, err
}
