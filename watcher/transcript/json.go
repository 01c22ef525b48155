package transcript

import (
	"bytes"

	"github.com/tidwall/gjson"
)

// The functions here walk JSON that is known to be valid and return slices of it. They
// decode only the values that somebody asks for: most of a transcript is dropped, so this
// makes reading fast.

// maxDepth is the most levels of a line, as in encoding/json. Without a limit, a line
// of brackets would overflow the stack.
const maxDepth = 10_000

// valid reports whether b is one JSON value.
func valid(b []byte) bool {
	if bytes.Count(b, []byte{'['})+bytes.Count(b, []byte{'{'}) > maxDepth {
		if _, depth := compoundEnd(b, 0); depth > maxDepth {
			return false
		}
	}
	return gjson.ValidBytes(b)
}

// stringEnd returns the index after the string that begins at i, or len(b).
func stringEnd(b []byte, i int) int {
	for i++; i < len(b); {
		n := bytes.IndexByte(b[i:], '"')
		if n < 0 {
			return len(b)
		}
		i += n
		slashes := 0
		for i-1-slashes >= 0 && b[i-1-slashes] == '\\' {
			slashes++
		}
		i++
		if slashes%2 == 0 {
			return i
		}
	}
	return len(b)
}

// valueEnd returns the index after the value that begins at i.
func valueEnd(b []byte, i int) int {
	if i >= len(b) {
		return len(b)
	}
	switch b[i] {
	case '"':
		return stringEnd(b, i)
	case '[', '{':
		end, _ := compoundEnd(b, i)
		return end
	}
	if n := bytes.IndexAny(b[i:], ",]} \t\r\n"); n >= 0 {
		return i + n
	}
	return len(b)
}

// compoundEnd returns the index after the array or object that begins at i, or
// len(b), and its depth.
func compoundEnd(b []byte, i int) (end, deepest int) {
	depth := 0
	for i < len(b) {
		switch b[i] {
		case '"':
			i = stringEnd(b, i)
			continue
		case '[', '{':
			depth++
			deepest = max(deepest, depth)
		case ']', '}':
			if depth--; depth == 0 {
				return i + 1, deepest
			}
		}
		i++
	}
	return len(b), deepest
}

// blank returns the index of the first byte from i on that is not a blank, comma or
// colon.
func blank(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == ',' || b[i] == ':' || b[i] == '\t' || b[i] == '\n' || b[i] == '\r') {
		i++
	}
	return i
}

// object has the members of a JSON object, in order.
type object []member

type member struct{ name, value []byte }

// objectIn returns the members of an object, none of anything else.
func objectIn(raw []byte) object {
	if !isObject(raw) {
		return nil
	}
	o := make(object, 0, 16)
	for i := blank(raw, 1); i < len(raw) && raw[i] == '"'; {
		end := stringEnd(raw, i)
		start := blank(raw, end)
		stop := valueEnd(raw, start)
		o = append(o, member{raw[i+1 : end-1], raw[start:stop]})
		i = blank(raw, stop)
	}
	return o
}

// get returns the value of a member, nil if there is none. Of a name that comes twice the
// last value counts.
func (o object) get(name string) []byte {
	for i := len(o) - 1; i >= 0; i-- {
		if string(o[i].name) == name {
			return o[i].value
		}
	}
	return nil
}

// str returns the value of a member that is a string, else "".
func (o object) str(name string) string { return str(o.get(name)) }

// in returns the members of a member that is an object.
func (o object) in(name string) object { return objectIn(o.get(name)) }

// isTrue reports whether the value of a member is the word true.
func (o object) isTrue(name string) bool { return string(o.get(name)) == "true" }

// elements calls visit with each element of an array.
func elements(raw []byte, visit func(value []byte)) {
	if !isArray(raw) {
		return
	}
	for i := blank(raw, 1); i < len(raw) && raw[i] != ']'; i = blank(raw, i) {
		end := valueEnd(raw, i)
		visit(raw[i:end])
		i = end
	}
}

func isString(raw []byte) bool { return len(raw) > 1 && raw[0] == '"' }
func isArray(raw []byte) bool  { return len(raw) > 1 && raw[0] == '[' }
func isObject(raw []byte) bool { return len(raw) > 1 && raw[0] == '{' }
func isNull(raw []byte) bool   { return len(raw) == 0 || string(raw) == "null" }

// str decodes a string; anything else is "".
func str(raw []byte) string {
	switch {
	case !isString(raw):
		return ""
	case bytes.IndexByte(raw, '\\') < 0:
		return string(raw[1 : len(raw)-1])
	}
	return gjson.ParseBytes(raw).Str
}
