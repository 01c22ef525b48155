package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// schema is the part of JSON Schema that the tools use.
type schema struct {
	Type       string            `json:"type"`
	Properties map[string]schema `json:"properties"`
	Required   []string          `json:"required"`
	Items      *schema           `json:"items"`
	Enum       []string          `json:"enum"`
	Minimum    *int64            `json:"minimum"`
}

// check returns arguments as a tool reads them, see [schema.plain], and their errors in the
// words of the reference server, "" if there are none. If the tool is strict, a name that its
// schema lacks is an error.
func (t tool) check(arguments json.RawMessage) (json.RawMessage, string) {
	var s schema
	if err := json.Unmarshal(t.schema, &s); err != nil {
		panic(err) // the schema is part of the program
	}
	var v any
	d := json.NewDecoder(bytes.NewReader(arguments))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		return nil, "Invalid input: " + err.Error()
	}
	if changed := s.plain(v); changed {
		arguments = json.RawMessage(compact(v))
	}
	c := checker{strict: t.strict}
	c.value(s, v, true, "")
	return arguments, strings.Join(c.errors, "\n")
}

// plain makes arguments those that clients mean, and reports whether it changed any: null for
// an optional argument is none, and an integer may come as 5.0 or 5e0.
func (s schema) plain(v any) (changed bool) {
	switch v := v.(type) {
	case map[string]any:
		for name, value := range v {
			of, known := s.Properties[name]
			switch n, isNumber := value.(json.Number); {
			case known && value == nil && !slices.Contains(s.Required, name):
				delete(v, name)
				changed = true
			case isNumber && of.Type == "integer":
				if i, ok := wholeNumber(n); ok && i != n {
					v[name], changed = i, true
				}
			default:
				changed = of.plain(value) || changed
			}
		}
	case []any:
		for i := range v {
			if s.Items != nil {
				changed = s.Items.plain(v[i]) || changed
			}
		}
	}
	return changed
}

// wholeNumber returns a whole number without a fraction or exponent.
func wholeNumber(n json.Number) (json.Number, bool) {
	const exact = 1 << 53
	f, err := n.Float64()
	if _, notInt := n.Int64(); notInt == nil || err != nil || f != math.Trunc(f) || math.Abs(f) > exact {
		return n, false
	}
	return json.Number(strconv.FormatInt(int64(f), 10)), true
}

// checker collects the errors of arguments.
type checker struct {
	strict bool
	errors []string
}

func (c *checker) say(path, format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if path != "" {
		text += " at " + path
	}
	c.errors = append(c.errors, text)
}

// value checks one value; given reports whether there is one.
func (c *checker) value(s schema, v any, given bool, path string) {
	got := "undefined"
	if given {
		got = typeOf(v)
	}
	want := s.Type
	if n, isNumber := v.(json.Number); isNumber && want == "integer" {
		i, err := n.Int64()
		if err == nil {
			want = "number"
		}
		if err == nil && s.Minimum != nil && i < *s.Minimum {
			c.say(path, "Too small: expected number to be >=%d", *s.Minimum)
		}
	}
	if want != "" && got != want {
		c.say(path, "Invalid input: expected %s, received %s", want, got)
		return
	}
	switch v := v.(type) {
	case map[string]any:
		c.object(s, v, path)
	case []any:
		for i := range v {
			if s.Items != nil {
				c.value(*s.Items, v[i], true, fmt.Sprintf("%s[%d]", path, i))
			}
		}
	case string:
		if len(s.Enum) > 0 && !slices.Contains(s.Enum, v) {
			c.say(path, "Invalid option: expected one of %q", strings.Join(s.Enum, "|"))
		}
	}
}

func (c *checker) object(s schema, v map[string]any, path string) {
	for _, name := range slices.Sorted(maps.Keys(v)) {
		if _, known := s.Properties[name]; !known && c.strict {
			c.say(path, "Unrecognized key: %q; known are %s", name, strings.Join(slices.Sorted(maps.Keys(s.Properties)), ", "))
		}
	}
	names := slices.Clone(s.Required)
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		if _, given := v[name]; given && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, name := range names {
		value, given := v[name]
		c.value(s.Properties[name], value, given, strings.TrimPrefix(path+"."+name, "."))
	}
}

// typeOf returns the name of the JSON type of a value.
func typeOf(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case json.Number:
		return "number"
	case string:
		return "string"
	case []any:
		return "array"
	}
	return "object"
}
