package exchange

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// asText returns the text of a JSON string; of any other value the JSON itself.
func asText(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) != nil {
		return string(raw)
	}
	return text
}

// refuseJSON refuses a file whose JSON cannot be read as what it should be.
func (r *reader) refuseJSON(what string, err error) {
	at := 0
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		at = min(int(syntax.Offset), len(r.source))
	}
	r.refuse(r.lineAt(at), "is not %s: %s", what, notJSON(err))
}

// lineAt returns the number of the line at an offset in the text.
func (r *reader) lineAt(offset int) int { return 1 + strings.Count(r.source[:offset], "\n") }

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
