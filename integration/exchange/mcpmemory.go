package exchange

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/graph"
	"github.com/brainbridge/brainbridge/brain/ingest"
)

// graphLine is a line of the reference memory server's file. Other servers write the
// type as _type, and observations as objects.
type graphLine struct {
	Type           string            `json:"type"`
	UnderscoreType string            `json:"_type"`
	Name           string            `json:"name"`
	EntityType     string            `json:"entityType"`
	Observations   []json.RawMessage `json:"observations"`
	brain.EntityRelation
}

// unknownFields are the fields of a line that a memory has no field for, by name. They
// are stored with the memory, and an export writes them again.
type unknownFields map[string]json.RawMessage

// Fields of an entity that are stored with its unknown fields: the observations, if
// one of them is an object, and the lines of relations that have unknown fields.
const (
	observationsField = "observations"
	relationsField    = "brainbridge:relations"
)

// fieldsExcept returns the fields of a line except its type and the known fields.
func fieldsExcept(line string, known ...string) unknownFields {
	var all unknownFields
	if json.Unmarshal([]byte(line), &all) != nil {
		return nil
	}
	maps.DeleteFunc(all, func(name string, _ json.RawMessage) bool {
		return name == "type" || name == "_type" || slices.Contains(known, name)
	})
	return all
}

// graphEntity is an entity, with the content of all lines with its name.
type graphEntity struct {
	graphLine
	lineNo    int
	unknown   unknownFields
	relations []brain.Relation
	extended  []json.RawMessage // lines of relations that have unknown fields
}

type graphRelation struct {
	brain.EntityRelation
	lineNo  int
	unknown unknownFields
	made    int64 // see [brain.Relation]
}

type graphReader struct {
	*reader
	entities  []*graphEntity
	byName    map[string]*graphEntity
	relations []graphRelation
}

// readGraph reads the entities of a memory server's file, and the relations between them.
func readGraph(r *reader) {
	g := graphReader{reader: r, byName: map[string]*graphEntity{}}
	lineNo := 0
	for text := range strings.Lines(r.source) {
		lineNo++
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		if problem := g.readLine(lineNo, text); problem != "" {
			r.rejected = append(r.rejected, text)
			r.problem(lineNo, "%s", problem)
		}
	}
	if len(r.rejected) > 0 && len(g.entities)+len(g.relations) == 0 {
		r.rejected = nil
		r.refuse(0, "is not a memory server file: none of its lines can be read")
		return
	}
	start := r.base.Now().UnixMicro() - int64(len(g.relations)) // so that they sort before relations made from now on
	for i, relation := range g.relations {
		relation.made = start + int64(i)
		g.relate(relation)
	}
	for _, e := range g.entities {
		r.pushEntity(e)
	}
}

// readLine reads one line, or returns why it cannot be imported.
func (g *graphReader) readLine(lineNo int, text string) (problem string) {
	if strings.ContainsRune(text, 0) || !utf8.ValidString(text) {
		return "contains a NUL byte or invalid UTF-8"
	}
	var l graphLine
	if err := json.Unmarshal([]byte(text), &l); err != nil {
		return "is not a valid line: " + notJSON(err)
	}
	fields := fieldsExcept(text)
	switch cmp.Or(l.Type, l.UnderscoreType) {
	case "entity":
		if fields["name"] == nil { // an empty name is allowed
			return "is an entity without a name"
		}
		return g.addEntity(&graphEntity{graphLine: l, lineNo: lineNo, unknown: fieldsExcept(text, "name", "entityType", observationsField, relationsField)})
	case "relation":
		if fields["from"] == nil || fields["to"] == nil || l.RelationType == "" {
			return "is a relation without from, to or relationType"
		}
		if err := graph.CheckEntityRelation(l.EntityRelation); err != nil {
			return "is not a valid relation: " + err.Error()
		}
		g.relations = append(g.relations, graphRelation{EntityRelation: l.EntityRelation, lineNo: lineNo, unknown: fieldsExcept(text, "from", "to", "relationType")})
		return ""
	}
	return "is neither an entity nor a relation"
}

// addEntity adds an entity. If the file already has an entity of that name, its new
// observations and fields are added to that entity.
func (g *graphReader) addEntity(e *graphEntity) (problem string) {
	for _, raw := range e.Observations {
		if _, ok := observation(raw); !ok {
			return "has an observation without text"
		}
	}
	earlier, exists := g.byName[e.Name]
	if !exists {
		g.byName[e.Name] = e
		g.entities = append(g.entities, e)
		return ""
	}
	g.report.Duplicates++
	earlier.Observations = append(earlier.Observations, e.Observations...)
	maps.Copy(e.unknown, earlier.unknown)
	earlier.unknown = e.unknown
	return ""
}

// relate adds a relation to the entity it starts from, or to those that are created after the
// import if an end is not in the file. Unknown fields are stored with one of the ends.
func (g *graphReader) relate(r graphRelation) {
	from, to := g.byName[r.From], g.byName[r.To]
	if from != nil && to != nil {
		from.relations = append(from.relations, brain.Relation{From: g.entityID(r.From), Type: r.RelationType, To: g.entityID(r.To), Made: r.made})
	} else {
		g.named = append(g.named, r.EntityRelation)
	}
	switch keeper := cmp.Or(from, to); {
	case len(r.unknown) == 0:
	case keeper == nil:
		g.problem(r.lineNo, "has extra fields that cannot be kept, because neither of its entities is in the file")
	default:
		keeper.extended = append(keeper.extended, withFields(fileRelation{"relation", r.EntityRelation}, r.unknown))
	}
}

// entityID returns the id of the entity with a name; importing a file again finds it.
func (r *reader) entityID(name string) string { return r.base.IDOf("mcp-memory " + name) }

func (r *reader) pushEntity(e *graphEntity) {
	m := brain.Memory{
		ID: r.entityID(e.Name), Name: e.Name, MemoryType: e.EntityType, Observations: []string{},
		Project: r.o.Project, Tags: brain.CleanTags(r.o.Tags), Created: brain.Instant(r.file.modified), Position: len(r.items),
	}
	m.Entity = true
	objects := false
	for _, raw := range e.Observations {
		text, _ := observation(raw)
		if !slices.Contains(m.Observations, text) {
			m.Observations = append(m.Observations, text)
		}
		objects = objects || bytes.HasPrefix(raw, []byte("{"))
	}
	if objects {
		e.unknown[observationsField] = rawOf(e.Observations)
	}
	if len(e.extended) > 0 {
		e.unknown[relationsField] = rawOf(e.extended)
	}
	if len(e.unknown) > 0 {
		m.Extra = rawOf(e.unknown)
	}
	r.push(ingest.ImportItem{Memory: m, Relations: e.relations}, e.lineNo)
}

// observation returns the text of an observation, which is a string or an object with a
// text field. Servers use different names for that field.
func observation(raw json.RawMessage) (string, bool) {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text, true
	}
	var object map[string]any
	if json.Unmarshal(raw, &object) != nil {
		return "", false
	}
	for _, key := range []string{"text", "content", "observation", "value"} {
		if text, ok := object[key].(string); ok {
			return text, true
		}
	}
	return "", false
}
