package transcript

import (
	"bytes"

	"github.com/tidwall/gjson"
)

// The functions here walk JSON that is known to be valid and return slices of it.
// They skip values that nobody asks for and never decode them. Most of a transcript
// is dropped, so this makes reading fast.

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
	for i < len(b) && !endsScalar(b[i]) {
		i++
	}
	return i
}

func endsScalar(c byte) bool {
	return c == ',' || c == ']' || c == '}' || c == ' ' || c == '\t' || c == '\r' || c == '\n'
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

// members calls visit with each member of an object: the key without its
// quotes, and the value. Of anything but an object there is none.
func members(raw []byte, visit func(key, value []byte)) {
	i := blank(raw, 0)
	if i >= len(raw) || raw[i] != '{' {
		return
	}
	for i = blank(raw, i+1); i < len(raw) && raw[i] == '"'; {
		end := stringEnd(raw, i)
		key := raw[i+1 : end-1]
		start := blank(raw, end)
		end = valueEnd(raw, start)
		visit(key, raw[start:end])
		i = blank(raw, end)
	}
}

// elements calls visit with each element of an array.
func elements(raw []byte, visit func(value []byte)) {
	i := blank(raw, 0)
	if i >= len(raw) || raw[i] != '[' {
		return
	}
	for i = blank(raw, i+1); i < len(raw) && raw[i] != ']'; i = blank(raw, i) {
		end := valueEnd(raw, i)
		visit(raw[i:end])
		i = end
	}
}

// field is a member of an object that pick looks for.
type field struct {
	name  string
	value *[]byte
}

// pick sets the value of each field that an object has. Of a name that comes
// twice the last value counts.
func pick(raw []byte, fields ...field) {
	members(raw, func(key, value []byte) {
		for _, f := range fields {
			if string(key) == f.name {
				*f.value = value
			}
		}
	})
}

// member returns one member of an object, nil if it is not there.
func member(raw []byte, name string) []byte {
	var value []byte
	pick(raw, field{name, &value})
	return value
}

func isString(raw []byte) bool { return len(raw) > 1 && raw[0] == '"' }
func isArray(raw []byte) bool  { return len(raw) > 1 && raw[0] == '[' }
func isObject(raw []byte) bool { return len(raw) > 1 && raw[0] == '{' }
func isNull(raw []byte) bool   { return len(raw) == 0 || string(raw) == "null" }
func isTrue(raw []byte) bool   { return string(raw) == "true" }

// str decodes a string; anything else is "".
func str(raw []byte) string {
	if !isString(raw) {
		return ""
	}
	return gjson.ParseBytes(raw).Str
}

// is compares a string with a word that needs no escapes, without decoding it.
func is(raw []byte, word string) bool {
	return len(raw) == len(word)+2 && raw[0] == '"' && string(raw[1:len(raw)-1]) == word
}
