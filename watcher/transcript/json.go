package transcript

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/tidwall/gjson"
)

// maxDepth is the most levels of a line, as in encoding/json.
const maxDepth = 10_000

// valid reports whether b is one JSON value. Deep brackets would overflow gjson's stack.
func valid(b []byte) bool {
	if bytes.Count(b, []byte{'['})+bytes.Count(b, []byte{'{'}) > maxDepth {
		return json.Valid(b)
	}
	return gjson.ValidBytes(b)
}

// object has the members of a JSON object, in order.
type object []member

type member struct {
	name  string
	value gjson.Result
}

// objectIn returns the members of an object; it returns none for other values.
func objectIn(v gjson.Result) object { return make(object, 0, 6).with(v) }

func (o object) with(v gjson.Result) object {
	if !v.IsObject() {
		return o
	}
	v.ForEach(func(name, value gjson.Result) bool {
		o = append(o, member{name.Str, value})
		return true
	})
	return o
}

// get returns the last value of the first of these names that the object has.
func (o object) get(names ...string) gjson.Result {
	for _, name := range names {
		for _, m := range slices.Backward(o) {
			if m.name == name {
				return m.value
			}
		}
	}
	return gjson.Result{}
}

// str returns the value of a member that is a string, else "".
func (o object) str(name string) string { return str(o.get(name)) }

func (o object) in(name string) object { return objectIn(o.get(name)) }

func (o object) isTrue(name string) bool { return o.get(name).Type == gjson.True }

func elements(list gjson.Result, visit func(value gjson.Result)) {
	if list.IsArray() {
		list.ForEach(func(_, value gjson.Result) bool {
			visit(value)
			return true
		})
	}
}

func isString(v gjson.Result) bool { return v.Type == gjson.String }
func isNull(v gjson.Result) bool   { return v.Type == gjson.Null }

// str returns the text of a string, else "". It is a copy, because a part would keep the whole
// line in memory.
func str(v gjson.Result) string { return strings.Clone(v.Str) }
