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
	lineNo    int
	unknown   unknownFields
	relations []brain.Relation  // that start from it
	extended  []json.RawMessage // lines of relations with unknown fields
}

type graphRelation struct {
	brain.EntityRelation
	lineNo  int
	unknown unknownFields
}

// readGraph reads the entities of a memory server's file, and the relations between them. The
// observations and fields of later lines of an entity are added to those of the first. Unknown
// fields of a relation are stored with one of its ends.
func readGraph(r *reader) {
	var entities []*graphEntity
	var relations []graphRelation
	byName := map[string]*graphEntity{}
	r.eachLine(func(no int, text string) {
		entity, relation, problem := readGraphLine(no, text)
		switch {
		case problem != "":
			r.rejected = append(r.rejected, text)
			r.problem(no, "%s", problem)
		case relation != nil:
			relations = append(relations, *relation)
		case byName[entity.Name] != nil:
			first := byName[entity.Name]
			r.report.Duplicates++
			first.Observations = append(first.Observations, entity.Observations...)
			maps.Copy(entity.unknown, first.unknown)
			first.unknown = entity.unknown
		default:
			entities, byName[entity.Name] = append(entities, entity), entity
		}
	})
	if len(r.rejected) > 0 && len(entities)+len(relations) == 0 {
		r.rejected = nil
		r.refuse(0, "is not a memory server file: none of its lines can be read")
		return
	}
	made := r.base.Now().UnixMicro() - int64(len(relations)) // so that they sort before relations made from now on
	for i, relation := range relations {
		from, to := byName[relation.From], byName[relation.To]
		if from != nil && to != nil {
			from.relations = append(from.relations, brain.Relation{
				From: r.entityID(from.Name), Type: relation.RelationType, To: r.entityID(to.Name), Made: made + int64(i),
			})
		} else {
			r.named = append(r.named, relation.EntityRelation)
		}
		switch end := cmp.Or(from, to); {
		case len(relation.unknown) == 0:
		case end == nil:
			r.problem(relation.lineNo, "has extra fields that cannot be kept, because neither of its entities is in the file")
		default:
			end.extended = append(end.extended, withFields(fileRelation{"relation", relation.EntityRelation}, relation.unknown))
		}
	}
	for i, e := range entities {
		r.graphEntity(e, i)
		r.progress(i+1, len(entities))
	}
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
		return nil, nil, "is not JSON of an entity or a relation"
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

// entityID returns the id of the entity with a name; importing a file again finds it.
func (r *reader) entityID(name string) string { return r.base.IDOf("mcp-memory " + name) }

// graphEntity imports an entity, at a position among those of the file.
func (r *reader) graphEntity(e *graphEntity, position int) {
	m := brain.Memory{
		ID: r.entityID(e.Name), Name: e.Name, MemoryType: e.EntityType, Observations: []string{},
		Project: r.o.Project, Tags: brain.CleanTags(r.o.Tags), Created: brain.Instant(r.file.modified), Position: position,
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
