package exchange

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/durable"
	"github.com/brainbridge/brainbridge/brain/graph"
	"github.com/brainbridge/brainbridge/brain/ingest"
)

// graphLine is a line of the reference memory server's file. Other servers
// write its type as _type, and observations as objects.
type graphLine struct {
	Type           string            `json:"type"`
	UnderscoreType string            `json:"_type"`
	Name           string            `json:"name"`
	EntityType     string            `json:"entityType"`
	Observations   []json.RawMessage `json:"observations"`
	From           string            `json:"from"`
	To             string            `json:"to"`
	RelationType   string            `json:"relationType"`
}

// graphReader is the state of reading one file of a memory server.
type graphReader struct {
	*reader
	entities  []pending
	index     map[string]int // index of an entity by its name
	relations []parsedRelation
	rejected  []string // lines that cannot be imported
}

// parsedRelation is a relation and the line it was read from.
type parsedRelation struct {
	brain.EntityRelation
	lineNo int
	rest   rest // unknown fields
}

// readGraph reads the file of a memory server and queues its entities, with the
// relations between them, for import.
func readGraph(r *reader, _ file) {
	g := graphReader{reader: r, index: map[string]int{}}
	lineNo := 0
	for text := range strings.Lines(r.source) {
		lineNo++
		if text = strings.TrimSpace(text); text != "" {
			g.parseLine(lineNo, text)
		}
	}
	if len(g.rejected) > 0 && len(g.entities)+len(g.relations) == 0 {
		r.refuse(0, "is not a memory server file: none of its lines can be read")
		return
	}
	g.saveRejected()
	g.relate()
	r.in.items = append(r.in.items, g.entities...)
}

// parseLine parses one line, or reports why it cannot be imported.
func (g *graphReader) parseLine(lineNo int, text string) {
	if strings.ContainsRune(text, 0) || !utf8.ValidString(text) {
		g.reject(lineNo, text, "contains a NUL byte or invalid UTF-8")
		return
	}
	var l graphLine
	if err := json.Unmarshal([]byte(text), &l); err != nil {
		g.reject(lineNo, text, "is not a valid line: "+notJSON(err))
		return
	}
	switch cmp.Or(l.Type, l.UnderscoreType) {
	case "entity":
		g.addEntity(lineNo, text, l)
	case "relation":
		if l.From == "" || l.To == "" || l.RelationType == "" {
			g.reject(lineNo, text, "is a relation without from, to or relationType")
			return
		}
		relation := brain.EntityRelation{From: l.From, To: l.To, RelationType: l.RelationType}
		if err := graph.CheckEntityRelation(relation); err != nil {
			g.reject(lineNo, text, "is not a valid relation: "+err.Error())
			return
		}
		g.relations = append(g.relations, parsedRelation{relation, lineNo, relationRest(text)})
	default:
		g.reject(lineNo, text, "is neither an entity nor a relation")
	}
}

func (g *graphReader) reject(lineNo int, text, why string) {
	g.rejected = append(g.rejected, text)
	g.problem(lineNo, "%s", why)
}

// addEntity adds an entity. If the file already has an entity of that name, its new
// observations are added to that entity.
func (g *graphReader) addEntity(lineNo int, text string, l graphLine) {
	if strings.TrimSpace(l.Name) == "" {
		g.reject(lineNo, text, "is an entity without a name")
		return
	}
	observations := []string{}
	for _, raw := range l.Observations {
		o, ok := observation(raw)
		if !ok {
			g.reject(lineNo, text, "has an observation without text")
			return
		}
		observations = append(observations, o)
	}
	if i, exists := g.index[l.Name]; exists {
		earlier := &g.entities[i].Memory
		for _, o := range observations {
			if !slices.Contains(earlier.Observations, o) {
				earlier.Observations = append(earlier.Observations, o)
			}
		}
		earlier.Extra = keptFields(earlier.Extra).and(entityFields(text)).raw()
		g.in.report.Duplicates++
		return
	}
	m := brain.Memory{
		ID: g.in.b.Base.IDOf("mcp-memory " + l.Name), Name: l.Name, MemoryType: l.EntityType, Observations: observations,
		Project: g.in.o.Project, Tags: brain.CleanTags(g.in.o.Tags), Created: brain.Instant(g.file.modified),
		Position: len(g.entities), Extra: entityFields(text).raw(),
	}
	m.Entity = true
	g.index[l.Name] = len(g.entities)
	g.entities = append(g.entities, pending{ingest.ImportItem{Memory: m}, g.file.rel, lineNo})
}

// relate attaches each relation to the entity it starts from. Relations to or from an
// entity outside the file are created after the import.
func (g *graphReader) relate() {
	extra := map[int][]json.RawMessage{} // by index of the entity that keeps it
	for _, r := range g.relations {
		from, fromHere := g.index[r.From]
		to, toHere := g.index[r.To]
		g.keepFields(r, extra)
		if !fromHere || !toHere {
			g.in.named = append(g.in.named, r.EntityRelation)
			continue
		}
		item := &g.entities[from]
		item.Relations = append(item.Relations, brain.Relation{From: item.Memory.ID, Type: r.RelationType, To: g.entities[to].Memory.ID})
	}
	for i, lines := range extra {
		m := &g.entities[i].Memory
		m.Extra = keptFields(m.Extra).withRelations(lines).raw()
	}
}

// keepFields saves the unknown fields of a relation, to be stored with one of its two
// entities.
func (g *graphReader) keepFields(r parsedRelation, extra map[int][]json.RawMessage) {
	if len(r.rest) == 0 {
		return
	}
	i, here := g.index[r.From]
	if !here {
		i, here = g.index[r.To]
	}
	if !here {
		g.problem(r.lineNo, "has extra fields that cannot be kept, because neither of its entities is in the file")
		return
	}
	extra[i] = append(extra[i], relationLine(r.EntityRelation, r.rest))
}

// saveRejected writes the rejected lines to a file next to the original, and reports
// its path.
func (g *graphReader) saveRejected() {
	if len(g.rejected) == 0 {
		return
	}
	path := g.file.path + ".unread"
	if g.in.o.DryRun {
		g.problem(0, "%d unreadable lines would be saved to %s", len(g.rejected), path)
		return
	}
	if err := durable.WriteFile(path, []byte(strings.Join(g.rejected, "\n")+"\n"), durable.Options{}); err != nil {
		g.problem(0, "cannot save the unreadable lines: %v", durable.Cause(err))
		return
	}
	g.problem(0, "%d unreadable lines saved to %s", len(g.rejected), path)
}
