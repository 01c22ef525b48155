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
	"github.com/brainbridge/brainbridge/brain/plaintext"
	"github.com/brainbridge/brainbridge/brain/services"
)

// exportGraph writes the graph as the reference memory server does, with unknown fields.
func exportGraph(ctx context.Context, b *services.Services, o ExportOptions) (ExportReport, error) {
	report := ExportReport{Problems: []Problem{}}
	graph, err := b.Graph.ReadGraph(ctx)
	if err != nil {
		return report, err
	}
	var stored []brain.Memory
	err = b.Base.Store.View(ctx, func(r brain.Reader) (err error) {
		stored, err = r.ListMemories(brain.ListFilter{Entities: true})
		return err
	})
	if err != nil {
		return report, err
	}
	var out bytes.Buffer
	for _, line := range graphLines(graph.Entities, graph.Relations, stored) {
		out.Write(line)
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

// graphLines returns the lines of entities and relations with their unknown fields.
func graphLines(entities []brain.Entity, relations []brain.EntityRelation, stored []brain.Memory) (all []json.RawMessage) {
	unknown := map[string]unknownFields{}
	lines := map[brain.EntityRelation]json.RawMessage{}
	for i := range stored {
		var fields unknownFields
		if json.Unmarshal(stored[i].Extra, &fields) != nil {
			continue
		}
		unknown[stored[i].Name] = fields
		for _, line := range rawList(fields[relationsField]) {
			var r brain.EntityRelation
			if json.Unmarshal(line, &r) == nil {
				lines[r] = line
			}
		}
	}
	for _, e := range entities {
		fields := unknown[e.Name]
		line := fileEntity{"entity", e.Name, e.EntityType, asStored(e.Observations, rawList(fields[observationsField]))}
		delete(fields, observationsField)
		delete(fields, relationsField)
		all = append(all, withFields(line, fields))
	}
	for _, r := range relations {
		line, ok := lines[r]
		if !ok {
			line = rawOf(fileRelation{"relation", r})
		}
		all = append(all, line)
	}
	return all
}

// asStored returns observations as JSON: the stored object of a text, or the text.
func asStored(texts []string, stored []json.RawMessage) []json.RawMessage {
	byText := map[string]json.RawMessage{}
	for _, raw := range slices.Backward(stored) {
		if text, ok := observation(raw); ok {
			byText[text] = raw
		}
	}
	all := make([]json.RawMessage, len(texts))
	for i, text := range texts {
		raw, ok := byText[text]
		if !ok {
			raw = rawOf(text)
		}
		all[i] = raw
	}
	return all
}

func rawList(raw json.RawMessage) []json.RawMessage {
	var all []json.RawMessage
	if json.Unmarshal(raw, &all) != nil {
		return nil
	}
	return all
}

// withFields returns a value as a JSON object with more fields, sorted by name.
func withFields(v any, more unknownFields) json.RawMessage {
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
