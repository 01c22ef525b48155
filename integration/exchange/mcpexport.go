package exchange

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/durable"
	"github.com/brainbridge/brainbridge/brain/plaintext"
	"github.com/brainbridge/brainbridge/brain/services"
)

// exportGraph writes the graph as the reference memory server keeps it, with
// the fields that came with it from elsewhere.
func exportGraph(ctx context.Context, b *services.Services, o ExportOptions) (ExportReport, error) {
	report := ExportReport{Problems: []Problem{}}
	graph, err := b.Graph.ReadGraph(ctx)
	if err != nil {
		return report, err
	}
	kept, err := graphFields(ctx, b)
	if err != nil {
		return report, err
	}
	var out bytes.Buffer
	for _, e := range graph.Entities {
		out.Write(entityLine(e, kept.entities[e.Name]))
		out.WriteByte('\n')
	}
	for _, r := range graph.Relations {
		out.Write(relationLine(r, kept.relations[r]))
		out.WriteByte('\n')
	}
	report.Memories = len(graph.Entities)
	if held, err := os.ReadFile(o.Dir); err == nil && bytes.Equal(held, out.Bytes()) {
		report.Unchanged = 1
		return report, nil
	}
	report.Written = 1
	if o.DryRun {
		return report, nil
	}
	return report, durable.WriteFile(filepath.Clean(o.Dir), out.Bytes(), durable.Options{})
}

// keptOfGraph has the fields that entities keep, by name, and those of their
// relations.
type keptOfGraph struct {
	entities  map[string]rest
	relations map[brain.EntityRelation]rest
}

func graphFields(ctx context.Context, b *services.Services) (keptOfGraph, error) {
	var kept keptOfGraph
	err := b.Base.Store.View(ctx, func(r brain.Reader) error {
		kept = keptOfGraph{map[string]rest{}, map[brain.EntityRelation]rest{}}
		all, err := r.Entities()
		for i := range all {
			fields := keptFields(all[i].Extra)
			kept.entities[all[i].Name] = fields
			fields.relations(func(rel brain.EntityRelation, more rest) { kept.relations[rel] = more })
		}
		return err
	})
	return kept, err
}

// fileEntity and fileRelation are lines of the file.
type fileEntity struct {
	Type         string            `json:"type"`
	Name         string            `json:"name"`
	EntityType   string            `json:"entityType"`
	Observations []json.RawMessage `json:"observations"`
}

type fileRelation struct {
	Type string `json:"type"`
	brain.EntityRelation
}

func entityLine(e brain.Entity, kept rest) json.RawMessage {
	more := maps.Clone(kept)
	delete(more, relationFields)
	delete(more, "observations")
	return withFields(fileEntity{"entity", e.Name, e.EntityType, kept.observations(e.Observations)}, more)
}

func relationLine(r brain.EntityRelation, more rest) json.RawMessage {
	return withFields(fileRelation{"relation", r}, more)
}

// withFields returns a value as a JSON object with more fields, sorted by name.
func withFields(v any, more rest) json.RawMessage {
	raw := rawOf(v)
	if len(more) == 0 {
		return raw
	}
	return slices.Concat(raw[:len(raw)-1], []byte{','}, rawOf(more)[1:])
}

// rawOf returns a value as JSON, without escaped letters.
func rawOf(v any) json.RawMessage {
	line, err := plaintext.JSON(v, "")
	if err != nil { // texts, lists and objects of them can be written
		return json.RawMessage("null")
	}
	return bytes.TrimSuffix(line, []byte("\n"))
}
