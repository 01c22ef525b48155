package exchange

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// member is one of a JSON object.
type member struct {
	key    string
	line   int    // of the key
	raw    string // the value as it was written
	begins int    // the line on which the value begins
}

// members returns the members of a JSON object that begins on a line, in their
// order; false if it is none. A key that comes again takes the place of the
// earlier one.
func (r *reader) members(raw string, line int) (all []member, ok bool) {
	d := json.NewDecoder(strings.NewReader(raw))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, false
	}
	lineAt := func(offset int) int { return line + strings.Count(raw[:offset], "\n") }
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, false
		}
		m := member{key: fmt.Sprint(key), line: lineAt(int(d.InputOffset()))}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil, false
		}
		m.raw, m.begins = string(value), lineAt(int(d.InputOffset())-len(value))
		all = slices.DeleteFunc(all, func(earlier member) bool {
			if earlier.key == m.key {
				r.leave(earlier.line, fmt.Sprintf("%q comes again on line %d, which counts", m.key, m.line))
			}
			return earlier.key == m.key
		})
		all = append(all, m)
	}
	return all, true
}

// asText returns the text of a JSON string; of any other value the JSON itself,
// and false.
func asText(raw json.RawMessage) (text string, ok bool) {
	if json.Unmarshal(raw, &text) != nil {
		return string(raw), false
	}
	return text, true
}

// lineOf returns the line of a mistake in the JSON of the file.
func (r *reader) lineOf(err error) int {
	at := 0
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		at = int(syntax.Offset)
	}
	return 1 + strings.Count(r.source[:min(at, len(r.source))], "\n")
}

// notJSON returns what is wrong with JSON.
func notJSON(err error) string {
	var syntax *json.SyntaxError
	var other *json.UnmarshalTypeError
	switch {
	case errors.As(err, &other) && other.Field == "":
		return "it is not a JSON object"
	case errors.As(err, &other):
		return fmt.Sprintf("its %s has another type: a JSON %s", other.Field, other.Value)
	case errors.As(err, &syntax) && strings.Contains(syntax.Error(), "unexpected end"):
		return "the JSON ends in the middle"
	}
	return "it is not JSON from here on"
}
