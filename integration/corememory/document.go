package corememory

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/brainbridge/brainbridge/config/edit"
)

// bom may begin a file that was written on Windows; it stays.
const bom = "\ufeff"

// document is the text of the file, a JSON object.
type document struct{ *edit.JSON }

// parse reads a document.
func parse(text []byte) (document, error) {
	bare := bytes.TrimPrefix(text, []byte(bom))
	var object map[string]json.RawMessage
	err := json.Unmarshal(bare, &object)
	var syntax *json.SyntaxError
	switch {
	case !utf8.Valid(text):
		return document{}, errors.New("it is not UTF-8")
	case errors.As(err, &syntax):
		line := 1 + bytes.Count(bare[:min(int(syntax.Offset), len(bare))], []byte("\n"))
		return document{}, fmt.Errorf("line %d: %w", line, err)
	case object == nil:
		return document{}, errors.New("it is not a JSON object")
	}
	j, err := edit.ParseJSON(text)
	return document{j}, err
}

// mustParse reads a document that is known to be valid.
func mustParse(text string) document {
	d, err := parse([]byte(text))
	if err != nil {
		panic(err)
	}
	return d
}

// raw returns a value as it is written.
func (d document) raw(v edit.Value) string { return d.Raw(v.Span) }

// find returns the value of a key; ok is false if the object has none, or several.
func find(object *edit.Value, key string) (value edit.Value, ok bool) {
	n := 0
	for _, m := range object.Members {
		if m.Key == key {
			value, n = m.Value, n+1
		}
	}
	return value, n == 1
}

func has(object *edit.Value, key string) bool { return object.Get(key) != nil }

// section returns the object of a key of the root; ok is false if its value is not
// an object, and sec is empty then.
func (d document) section(key string) (sec *edit.Value, ok bool) {
	v, ok := find(d.Root(), key)
	if !ok || v.Kind != edit.Object {
		return &edit.Value{}, false
	}
	return &v, true
}

// set sets the value at a path, which the document has at most once.
func (d document) set(raw string, path ...string) {
	if err := d.Set(raw, path...); err != nil {
		panic(err) // the callers check that the section is an object
	}
}
