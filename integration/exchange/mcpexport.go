package exchange

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/durable"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/brain/plaintext"
	"github.com/brainbridge/brainbridge/brain/services"
)

// exportGraph writes the graph as the reference memory server keeps it. Entities have the
// fields, too, that came with them from another server.
func exportGraph(ctx context.Context, b *services.Services, o ExportOptions) (ExportReport, error) {
	report := ExportReport{Problems: []Problem{}}
	graph, err := b.Graph.ReadGraph(ctx)
	if err != nil {
		return report, err
	}
	stored, err := lifecycle.Read(ctx, b.Base, brain.Reader.Entities)
	if err != nil {
		return report, err
	}
	text := graphText(graph, stored)
	report.Memories = len(graph.Entities)
	if held, err := os.ReadFile(o.Dir); err == nil && bytes.Equal(held, text) {
		report.Unchanged = 1
		return report, nil
	}
	report.Written = 1
	if o.DryRun {
		return report, nil
	}
	return report, durable.WriteFile(filepath.Clean(o.Dir), text, durable.Options{})
}

// fileEntity and fileRelation are lines of the file.
type (
	fileEntity struct {
		Type string `json:"type"`
		brain.Entity
	}
	fileRelation struct {
		Type string `json:"type"`
		brain.EntityRelation
	}
)

// graphText returns the lines of a graph.
func graphText(graph brain.Graph, stored []brain.Memory) []byte {
	unknown := map[string]unknownFields{}
	for i := range stored {
		var fields unknownFields
		if json.Unmarshal(stored[i].Extra, &fields) == nil {
			delete(fields, observationsField)
			unknown[stored[i].Name] = fields
		}
	}
	var out bytes.Buffer
	for _, e := range graph.Entities {
		line := rawOf(fileEntity{"entity", e})
		if more := unknown[e.Name]; len(more) > 0 {
			line = slices.Concat(line[:len(line)-1], []byte{','}, rawOf(more)[1:])
		}
		out.Write(append(line, '\n'))
	}
	for _, r := range graph.Relations {
		out.Write(append(rawOf(fileRelation{"relation", r}), '\n'))
	}
	return out.Bytes()
}

// rawOf returns a value as JSON, without escaped letters.
func rawOf(v any) json.RawMessage {
	line, err := plaintext.JSON(v, "")
	if err != nil { // texts, lists and objects of them can be written
		return json.RawMessage("null")
	}
	return bytes.TrimSuffix(line, []byte("\n"))
}
