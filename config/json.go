package config

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/brainbridge/brainbridge/brain/plaintext"
)

// JSON is a JSON file of which single values are edited: every other byte stays. A path names
// a value in it from the top, by keys and by indexes of lists.
type JSON struct{ data []byte }

// ParseJSON reads a file; a blank one is an empty object. One that is not strict JSON, such as
// one with comments, is a [*SyntaxError]. A byte order mark stays.
func ParseJSON(data []byte) (*JSON, error) {
	if len(bytes.TrimSpace(data)) == 0 {
		return &JSON{[]byte("{}\n")}, nil
	}
	bare := bytes.TrimPrefix(data, []byte("\ufeff"))
	var raw json.RawMessage
	var syntax *json.SyntaxError
	switch err := json.Unmarshal(bare, &raw); {
	case errors.As(err, &syntax):
		return nil, &SyntaxError{lineOf(bare, int(syntax.Offset)-1), err.Error()}
	case err != nil:
		return nil, &SyntaxError{Text: err.Error()}
	}
	return &JSON{data}, nil
}

// Bytes returns the file as edited.
func (j *JSON) Bytes() []byte { return j.data }

// At returns the value at a path, as it is written in the file. If there is none, Exists of the
// result is false. The last of several equal keys counts, as for the programs that read the file.
func (j *JSON) At(path ...string) gjson.Result {
	text := strings.TrimRight(string(j.data), " \t\r\n")
	bare := strings.TrimLeft(text, "\ufeff \t\r\n")
	v := gjson.Parse(bare)
	v.Index = len(text) - len(bare)
	for _, step := range path {
		next := gjson.Result{}
		if v.Type == gjson.JSON {
			v.ForEach(func(key, value gjson.Result) bool {
				if key.String() == step {
					next = value
				}
				return true
			})
		}
		v = next
	}
	return v
}

// Set sets the value at a path of at least one key to JSON text, which is not reformatted.
// Missing objects on the path are created.
func (j *JSON) Set(raw string, path ...string) error {
	if old := j.At(path...); old.Exists() {
		j.data = splice(j.data, old.Index, old.Index+len(old.Raw), raw)
		return nil
	}
	above, key := path[:len(path)-1], path[len(path)-1]
	if !j.At(above...).Exists() {
		if err := j.Set("{}", above...); err != nil {
			return err
		}
	}
	object := j.At(above...)
	if !object.IsObject() {
		return fmt.Errorf("%s is not an object", cmp.Or(strings.Join(above, "."), "the file"))
	}
	j.add(object, plaintext.Quote(key)+": "+raw)
	return nil
}

// Append adds JSON text to the end of the list at a path, which is created if it is
// missing. The lines of the text are indented as the members of the list.
func (j *JSON) Append(raw string, path ...string) error {
	if !j.At(path...).Exists() {
		if err := j.Set("[]", path...); err != nil {
			return err
		}
	}
	list := j.At(path...)
	if !list.IsArray() {
		return fmt.Errorf("%s is not a list", strings.Join(path, "."))
	}
	j.add(list, strings.ReplaceAll(raw, "\n", lineEnd(j.data)+j.indentAt(list.Index)+j.IndentUnit()))
	return nil
}

// add adds a member after the last one of an object or a list, on a line of its own.
func (j *JSON) add(v gjson.Result, text string) {
	text = lineEnd(j.data) + j.indentAt(v.Index) + j.IndentUnit() + text
	if ends := memberEnds(v); len(ends) > 0 {
		last := ends[len(ends)-1]
		j.data = splice(j.data, last, last, ","+text)
		return
	}
	j.data = splice(j.data, v.Index+1, v.Index+len(v.Raw)-1, text+lineEnd(j.data)+j.indentAt(v.Index))
}

// memberEnds returns the offsets after the members of an object or a list.
func memberEnds(v gjson.Result) (all []int) {
	v.ForEach(func(_, value gjson.Result) bool {
		all = append(all, value.Index+len(value.Raw))
		return true
	})
	return all
}

// Value returns the value at a path as json.Unmarshal does, nil if there is none.
func (j *JSON) Value(path ...string) any { return j.At(path...).Value() }

// Remove removes the value at a path, if there is one, with its key and comma. Objects and
// lists around it that become empty are removed too, except those on the first keep steps of the
// path. The error is nil.
func (j *JSON) Remove(keep int, path ...string) error {
	for n := len(path); n > keep; n-- {
		v, above := j.At(path[:n]...), j.At(path[:n-1]...)
		if !v.Exists() {
			return nil
		}
		start, end, ends := above.Index+1, v.Index+len(v.Raw), memberEnds(above)
		switch {
		case len(ends) == 1:
			end = above.Index + len(above.Raw) - 1
		case end == ends[0]: // with the comma after it
			end += bytes.IndexByte(j.data[end:], ',') + 1
		default: // with the comma before it
			start = ends[slices.Index(ends, end)-1]
		}
		j.data = splice(j.data, start, end, "")
		if len(ends) > 1 {
			return nil
		}
	}
	return nil
}

// indentAt returns the indentation of the line that has the byte at an offset.
func (j *JSON) indentAt(offset int) string {
	line := j.data[lineStart(j.data, offset):offset]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// IndentUnit returns the indentation of the first indented line; two spaces without one.
func (j *JSON) IndentUnit() string {
	for line := range bytes.Lines(j.data) {
		trimmed := bytes.TrimLeft(line, " \t")
		if len(trimmed) < len(line) && len(bytes.TrimSpace(trimmed)) > 0 {
			return string(line[:len(line)-len(trimmed)])
		}
	}
	return "  "
}
