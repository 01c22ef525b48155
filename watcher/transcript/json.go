package transcript

import (
	"bytes"
	"encoding/json"
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
	name, raw string // raw is JSON: most values are not asked for, and long ones take time to decode
}

// objectIn returns the members of an object that is valid; it returns none for other values.
func objectIn(v gjson.Result) object { return make(object, 0, 6).with(v) }

func (o object) with(v gjson.Result) object {
	if !v.IsObject() {
		return o
	}
	for s, end := v.Raw, 1; ; {
		at := strings.IndexByte(s[end:], '"')
		if at < 0 || s[end] == '}' {
			return o
		}
		begin := end + at
		colon := stringEnd(s, begin)
		name := s[begin+1 : colon-1]
		if strings.Contains(name, `\`) {
			name = gjson.Parse(s[begin:colon]).Str
		}
		colon += strings.IndexByte(s[colon:], ':')
		end = valueEnd(s, colon+1)
		o = append(o, member{name, strings.TrimSpace(s[colon+1 : end])})
	}
}

// stringEnd returns the end of the string that begins at s[i].
func stringEnd(s string, i int) int {
	for {
		i += 1 + strings.IndexByte(s[i+1:], '"')
		escapes := 0
		for s[i-1-escapes] == '\\' {
			escapes++
		}
		if escapes%2 == 0 {
			return i + 1
		}
	}
}

// valueEnd returns the index of the comma or the brace after the member value that begins at s[i].
func valueEnd(s string, i int) int {
	for depth := 0; ; i++ {
		switch s[i] {
		case '"':
			i = stringEnd(s, i) - 1
		case '{', '[':
			depth++
		case ',', '}':
			if depth == 0 {
				return i
			}
			if s[i] == '}' {
				depth--
			}
		case ']':
			depth--
		}
	}
}

// raw returns the last value of the first of these names that the object has, as JSON.
func (o object) raw(names ...string) string {
	for _, name := range names {
		for i := len(o) - 1; i >= 0; i-- {
			if o[i].name == name {
				return o[i].raw
			}
		}
	}
	return ""
}

// get returns the last value of the first of these names that the object has.
func (o object) get(names ...string) gjson.Result { return gjson.Parse(o.raw(names...)) }

// str returns the value of a member that is a string, else "".
func (o object) str(name string) string { return str(o.get(name)) }

func (o object) in(name string) object { return objectIn(o.get(name)) }

func (o object) isTrue(name string) bool { return o.raw(name) == "true" }

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

// str returns the text of a string, else "". It is a copy, as an unescaped text is already,
// because a part would keep the whole line in memory.
func str(v gjson.Result) string {
	if len(v.Str) < len(v.Raw)-len(`""`) {
		return v.Str
	}
	return strings.Clone(v.Str)
}
