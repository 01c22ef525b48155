package exchange

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"

	"github.com/brainbridge/brainbridge/brain"
)

// rest are the fields of a line of a memory server that a memory has no place
// for, by name. They are kept with the memory, and written again by an export.
type rest map[string]json.RawMessage

// relationFields is the name under which an entity keeps the fields of its
// relations, as a list of relations.
const relationFields = "brainbridge:relations"

// unknownFields returns the fields of a line but for its type and the known ones.
func unknownFields(line string, known ...string) rest {
	var all rest
	if json.Unmarshal([]byte(line), &all) != nil {
		return nil
	}
	known = append(known, "type", "_type")
	maps.DeleteFunc(all, func(name string, _ json.RawMessage) bool { return slices.Contains(known, name) })
	return all
}

// entityFields returns the unknown fields of an entity, and its observations if
// they say more than their text.
func entityFields(line string) rest {
	all := unknownFields(line, "name", "entityType", relationFields)
	if !bytes.Contains(all["observations"], []byte("{")) {
		delete(all, "observations")
	}
	return all
}

// keptFields returns the fields that a memory keeps.
func keptFields(extra json.RawMessage) rest {
	var all rest
	if json.Unmarshal(extra, &all) != nil {
		return nil
	}
	return all
}

// raw returns the fields as a memory keeps them, nil for none.
func (f rest) raw() json.RawMessage {
	if len(f) == 0 {
		return nil
	}
	return rawOf(f)
}

// and adds the fields of another line about the same: of a field that both
// have the first one stays, but observations are put together.
func (f rest) and(others rest) rest {
	both := rest{}
	maps.Copy(both, others)
	maps.Copy(both, f)
	if first, second := rawList(f["observations"]), rawList(others["observations"]); len(first)*len(second) > 0 {
		both["observations"] = rawOf(append(first, second...))
	}
	return both
}

// withRelations keeps the lines of relations that say more than the relation.
func (f rest) withRelations(lines []json.RawMessage) rest {
	all := rest{relationFields: rawOf(lines)}
	maps.Copy(all, f)
	return all
}

// relations calls add with the fields that are kept of relations.
func (f rest) relations(add func(brain.EntityRelation, rest)) {
	for _, raw := range rawList(f[relationFields]) {
		var r brain.EntityRelation
		if json.Unmarshal(raw, &r) == nil {
			add(r, relationRest(string(raw)))
		}
	}
}

// relationRest returns the unknown fields of a relation.
func relationRest(line string) rest { return unknownFields(line, "from", "to", "relationType") }

// observations returns texts as they were in the file, if that said more.
func (f rest) observations(texts []string) []json.RawMessage {
	said := map[string]json.RawMessage{}
	for _, raw := range rawList(f["observations"]) {
		if text, ok := observation(raw); ok && said[text] == nil {
			said[text] = raw
		}
	}
	all := make([]json.RawMessage, 0, len(texts))
	for _, text := range texts {
		raw, ok := said[text]
		if !ok {
			raw = rawOf(text)
		}
		all = append(all, raw)
	}
	return all
}

// observation returns the text of an observation: a string, or an object that
// has it under one of the names that servers use.
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

func rawList(raw json.RawMessage) []json.RawMessage {
	var all []json.RawMessage
	if json.Unmarshal(raw, &all) != nil {
		return nil
	}
	return all
}
