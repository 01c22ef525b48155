package exchange

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
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
	lineNo   int
	position int // among the entities of the file
	unknown  unknownFields
}

type graphRelation struct {
	brain.EntityRelation
	lineNo  int
	unknown unknownFields
	made    int64 // see [brain.Relation]
}

// graphReader reads a file twice: first its relations and the names of its entities, then the
// entities.
type graphReader struct {
	*reader
	lines     map[string]int             // number of lines with an entity of a name that are still to come
	relations map[string][]graphRelation // between entities of the file, by the one they start from
	extended  map[string][]json.RawMessage
	merged    map[string]*graphEntity // entities with several lines, until the last of them is read
}

// readGraph reads the entities of a memory server's file, and the relations between them.
func readGraph(r *reader) {
	g := graphReader{
		reader: r, lines: map[string]int{}, relations: map[string][]graphRelation{},
		extended: map[string][]json.RawMessage{}, merged: map[string]*graphEntity{},
	}
	var relations []graphRelation
	r.eachLine(func(no int, text string) {
		entity, relation, problem := readGraphLine(no, text)
		switch {
		case problem != "":
			r.rejected = append(r.rejected, text)
			r.problem(no, "%s", problem)
		case relation != nil:
			relations = append(relations, *relation)
		default:
			g.lines[entity.Name]++
		}
	})
	if len(r.rejected) > 0 && len(g.lines)+len(relations) == 0 {
		r.rejected = nil
		r.refuse(0, "is not a memory server file: none of its lines can be read")
		return
	}
	start := r.base.Now().UnixMicro() - int64(len(relations)) // so that they sort before relations made from now on
	for i, relation := range relations {
		relation.made = start + int64(i)
		g.relate(relation)
	}
	position, total := 0, strings.Count(r.source, "\n")+1
	r.eachLine(func(no int, text string) {
		if e, _, _ := readGraphLine(no, text); e != nil {
			e.position = position
			position++
			g.addEntity(e)
		}
		r.progress(no, total)
	})
}

// eachLine calls fn with every line that is not blank, and its number.
func (r *reader) eachLine(fn func(no int, line string)) {
	no := 0
	for line := range strings.Lines(r.source) {
		no++
		if text := strings.TrimSpace(line); text != "" && r.err == nil {
			fn(no, text)
		}
	}
}

// readGraphLine reads one line as an entity or a relation, or returns why it cannot be imported.
func readGraphLine(lineNo int, text string) (_ *graphEntity, _ *graphRelation, problem string) {
	const longest = 8 * brain.MaxContent // a memory of maximum content in which every character is escaped
	if len(text) > longest {
		return nil, nil, fmt.Sprintf("has %d bytes, more than the limit of %d", len(text), longest)
	}
	if strings.ContainsRune(text, 0) || !utf8.ValidString(text) {
		return nil, nil, "contains a NUL byte or invalid UTF-8"
	}
	var l graphLine
	if err := json.Unmarshal([]byte(text), &l); err != nil {
		return nil, nil, "is not a valid line: " + notJSON(err)
	}
	fields := fieldsExcept(text)
	switch cmp.Or(l.Type, l.UnderscoreType) {
	case "entity":
		if fields["name"] == nil { // an empty name is allowed
			return nil, nil, "is an entity without a name"
		}
		for _, raw := range l.Observations {
			if _, ok := observation(raw); !ok {
				return nil, nil, "has an observation without text"
			}
		}
		return &graphEntity{graphLine: l, lineNo: lineNo, unknown: fieldsExcept(text, "name", "entityType", observationsField, relationsField)}, nil, ""
	case "relation":
		if fields["from"] == nil || fields["to"] == nil || l.RelationType == "" {
			return nil, nil, "is a relation without from, to or relationType"
		}
		if err := graph.CheckEntityRelation(l.EntityRelation); err != nil {
			return nil, nil, "is not a valid relation: " + err.Error()
		}
		return nil, &graphRelation{EntityRelation: l.EntityRelation, lineNo: lineNo, unknown: fieldsExcept(text, "from", "to", "relationType")}, ""
	}
	return nil, nil, "is neither an entity nor a relation"
}

// addEntity imports an entity, when the last line with its name is read. The observations and
// fields of later lines are added to those of the first.
func (g *graphReader) addEntity(e *graphEntity) {
	if first, exists := g.merged[e.Name]; exists {
		g.report.Duplicates++
		first.Observations = append(first.Observations, e.Observations...)
		maps.Copy(e.unknown, first.unknown)
		first.unknown, e = e.unknown, first
	}
	if g.lines[e.Name]--; g.lines[e.Name] > 0 {
		g.merged[e.Name] = e
		return
	}
	delete(g.merged, e.Name)
	g.pushEntity(e)
}

// relate keeps a relation for the entity it starts from, or for those that are created after the
// import if an end is not in the file. Unknown fields are stored with one of the ends.
func (g *graphReader) relate(r graphRelation) {
	inFile := func(name string) bool { return g.lines[name] > 0 }
	if inFile(r.From) && inFile(r.To) {
		g.relations[r.From] = append(g.relations[r.From], r)
	} else {
		g.named = append(g.named, r.EntityRelation)
	}
	if len(r.unknown) == 0 {
		return
	}
	line := withFields(fileRelation{"relation", r.EntityRelation}, r.unknown)
	switch {
	case inFile(r.From):
		g.extended[r.From] = append(g.extended[r.From], line)
	case inFile(r.To):
		g.extended[r.To] = append(g.extended[r.To], line)
	default:
		g.problem(r.lineNo, "has extra fields that cannot be kept, because neither of its entities is in the file")
	}
}

// entityID returns the id of the entity with a name; importing a file again finds it.
func (r *reader) entityID(name string) string { return r.base.IDOf("mcp-memory " + name) }

func (g *graphReader) pushEntity(e *graphEntity) {
	m := brain.Memory{
		ID: g.entityID(e.Name), Name: e.Name, MemoryType: e.EntityType, Observations: []string{},
		Project: g.o.Project, Tags: brain.CleanTags(g.o.Tags), Created: brain.Instant(g.file.modified), Position: e.position,
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
	if extended := g.extended[e.Name]; len(extended) > 0 {
		e.unknown[relationsField] = rawOf(extended)
	}
	if len(e.unknown) > 0 {
		m.Extra = rawOf(e.unknown)
	}
	relations := brain.Map(g.relations[e.Name], func(r graphRelation) brain.Relation {
		return brain.Relation{From: m.ID, Type: r.RelationType, To: g.entityID(r.To), Made: r.made}
	})
	g.push(ingest.ImportItem{Memory: m, Relations: relations}, e.lineNo)
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
