package edit

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/brainbridge/brainbridge/brain/plaintext"
)

// JSON is a JSON file. A path names a value in it from the top, by keys and indexes of lists.
type JSON struct{ data []byte }

// ParseJSON reads a file; a blank one is an empty object. An error is a [*SyntaxError].
func ParseJSON(data []byte) (*JSON, error) {
	j := &JSON{data: data}
	if len(bytes.TrimSpace(data)) == 0 {
		j.data = []byte("{}\n")
	}
	if _, err := parseJSON(j.data); err != nil {
		return nil, err
	}
	return j, nil
}

// Bytes returns the file as edited.
func (j *JSON) Bytes() []byte { return j.data }

// Root returns the top value.
func (j *JSON) Root() *Value {
	v, _ := parseJSON(j.data) // it was valid, and edits keep it valid
	return &v
}

// Raw returns the bytes in a span.
func (j *JSON) Raw(s Span) string { return string(j.data[s.Start:s.End]) }

// At returns the value at a path, nil if there is none. A path through another
// value than an object or a list is an error.
func (j *JSON) At(path ...string) (*Value, error) {
	v := j.Root()
	for i, step := range path {
		if v.Kind != Object && v.Kind != List {
			return nil, fmt.Errorf("%s is not an object", cmp.Or(strings.Join(path[:i], "."), "the file"))
		}
		n := v.index(step)
		if n < 0 {
			return nil, nil
		}
		v = &v.Members[n].Value
	}
	return v, nil
}

// index returns which member a step of a path names, -1 if none.
func (v *Value) index(step string) int {
	if v.Kind == Object {
		return slices.IndexFunc(v.Members, func(m Member) bool { return m.Key == step })
	}
	if n, err := strconv.Atoi(step); err == nil && n >= 0 && n < len(v.Members) {
		return n
	}
	return -1
}

// Set sets the value at a path of keys to JSON text, which is not reformatted. Missing
// objects on the path are created.
func (j *JSON) Set(raw string, path ...string) error {
	above, err := j.container(Object, path[:len(path)-1])
	if err != nil {
		return err
	}
	key := path[len(path)-1]
	if old := above.Get(key); old != nil {
		j.data = splice(j.data, old.Span, raw)
		return nil
	}
	j.add(above, plaintext.Quote(key)+": "+raw)
	return nil
}

// Append adds JSON text to the end of the list at a path, which is created if it is
// missing. The lines of the text are indented as the members of the list.
func (j *JSON) Append(raw string, path ...string) error {
	list, err := j.container(List, path)
	if err == nil {
		j.add(list, strings.ReplaceAll(raw, "\n", j.memberLine(list)))
	}
	return err
}

// memberLine returns a line break with the indentation of the members of a value.
func (j *JSON) memberLine(v *Value) string {
	return lineEnd(j.data) + j.indentAt(v.Start) + j.IndentUnit()
}

// container returns the object or list at a path, and creates it if it is missing.
func (j *JSON) container(kind Kind, path []string) (*Value, error) {
	v, err := j.At(path...)
	if err != nil {
		return nil, err
	}
	if v == nil {
		empty := map[Kind]string{Object: "{}", List: "[]"}[kind]
		if err := j.Set(empty, path...); err != nil {
			return nil, err
		}
		return j.At(path...)
	}
	if v.Kind != kind {
		name := map[Kind]string{Object: "an object", List: "a list"}[kind]
		return nil, fmt.Errorf("%s is not %s", cmp.Or(strings.Join(path, "."), "the file"), name)
	}
	return v, nil
}

// add adds a member after the last one of an object or a list, on a separate line.
func (j *JSON) add(v *Value, text string) {
	text = j.memberLine(v) + text
	n := len(v.Members)
	switch {
	case n > 0 && v.Members[n-1].comma > 0:
		after := v.Members[n-1].comma + 1
		j.data = splice(j.data, Span{after, after}, text+",")
	case n > 0:
		after := v.Members[n-1].Value.End
		j.data = splice(j.data, Span{after, after}, ","+text)
	case strings.TrimSpace(j.inside(v)) == "":
		j.data = splice(j.data, Span{v.Start + 1, v.End - 1}, text+lineEnd(j.data)+j.indentAt(v.Start))
	default: // it contains a comment
		j.data = splice(j.data, Span{v.Start + 1, v.Start + 1}, text)
	}
}

// Remove removes the value at a path, if there is one, with its key, its comma
// and the blanks before it.
func (j *JSON) Remove(path ...string) error {
	above, err := j.At(path[:len(path)-1]...)
	if err != nil || above == nil {
		return err
	}
	i := above.index(path[len(path)-1])
	if i < 0 {
		return nil
	}
	m := above.Members[i]
	s := Span{m.start(), m.Value.End}
	for s.Start > above.Start+1 && strings.IndexByte(jsonBlanks, j.data[s.Start-1]) >= 0 {
		s.Start--
	}
	rest := string(j.data[s.End : above.End-1])
	switch {
	case m.comma > 0:
		s.End = m.comma + 1
	case i == 0 && s.Start == above.Start+1 && strings.TrimSpace(rest) == "":
		s.End = above.End - 1
	}
	j.data = splice(j.data, s, "")
	if m.comma == 0 && i > 0 { // the one before is the last now
		comma := above.Members[i-1].comma
		j.data = splice(j.data, Span{comma, comma + 1}, "")
	}
	return nil
}

// RemoveEmpty removes the object or list at a path if it is empty, without even a comment,
// and then parents that are empty without it.
func (j *JSON) RemoveEmpty(path ...string) error {
	for n := len(path); n > 0; n-- {
		v, err := j.At(path[:n]...)
		if err != nil || v == nil || v.Kind != Object && v.Kind != List || strings.TrimSpace(j.inside(v)) != "" {
			return err
		}
		if err := j.Remove(path[:n]...); err != nil {
			return err
		}
	}
	return nil
}

// inside returns what is between the brackets of an object or a list.
func (j *JSON) inside(v *Value) string { return j.Raw(Span{v.Start + 1, v.End - 1}) }

// indentAt returns the indentation of the line that has the byte at an offset.
func (j *JSON) indentAt(offset int) string {
	line := j.data[lineStart(j.data, offset):offset]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// IndentUnit returns the indentation of the first indented line; two spaces without one.
func (j *JSON) IndentUnit() string {
	for line := range bytes.Lines(j.data) {
		trimmed := bytes.TrimLeft(line, " \t")
		if len(trimmed) < len(line) && len(bytes.TrimSpace(trimmed)) > 0 && trimmed[0] != '*' {
			return string(line[:len(line)-len(trimmed)])
		}
	}
	return "  "
}
