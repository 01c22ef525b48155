package config

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"github.com/brainbridge/brainbridge/brain/plaintext"
)

// TOML is a TOML file of which single keys are edited: every other byte stays.
type TOML struct {
	data  []byte
	parts []tomlPart
}

// tomlPart is the header of a table, or a key with its value. Keys inside of inline tables (in
// braces) are not parts.
type tomlPart struct {
	path       []string // from the top of the file
	table      []string // header of the table that it is in; of a header, its own path
	header     bool
	array      bool // the header is [[written in two brackets]]
	start, end int  // of a header without its closing bracket
	value      int  // offset of the value
}

// ParseTOML reads a file. An error is a [*SyntaxError]. A duplicate key or table is an
// error only of [TOML.Decode].
func ParseTOML(data []byte) (*TOML, error) {
	t := &TOML{data: data}
	var p unstable.Parser
	p.Reset(data)
	var table []string
	for p.NextExpression() {
		e := p.Expression()
		if e.Kind != unstable.Table && e.Kind != unstable.ArrayTable && e.Kind != unstable.KeyValue {
			continue
		}
		part := tomlPart{header: e.Kind != unstable.KeyValue, array: e.Kind == unstable.ArrayTable}
		var name []string
		for it := e.Key(); it.Next(); {
			n := it.Node()
			if name == nil {
				part.start = int(n.Raw.Offset)
			}
			part.end = int(n.Raw.Offset + n.Raw.Length)
			name = append(name, string(n.Data))
		}
		if part.header {
			table = name
			part.path, part.start = name, bytes.LastIndexByte(data[:part.start], '[')
		} else {
			part.path = slices.Concat(table, name)
			part.value = part.end
			part.end = int(e.Raw.Offset + e.Raw.Length)
			part.value = part.end - len(bytes.TrimLeft(data[part.value:part.end], " \t="))
		}
		part.table = table
		t.parts = append(t.parts, part)
	}
	if err := p.Error(); err != nil {
		return nil, t.syntaxError(err)
	}
	return t, nil
}

// Bytes returns the file as edited.
func (t *TOML) Bytes() []byte { return t.data }

// Decode stores the file in v. An error is a [*SyntaxError].
func (t *TOML) Decode(v any) error {
	if err := toml.Unmarshal(t.data, v); err != nil {
		return t.syntaxError(err)
	}
	return nil
}

func (t *TOML) syntaxError(err error) error {
	e := &SyntaxError{Text: strings.TrimPrefix(err.Error(), "toml: ")}
	var decode *toml.DecodeError
	var parse *unstable.ParserError
	switch {
	case errors.As(err, &decode):
		e.Line, _ = decode.Position()
	case errors.As(err, &parse) && len(parse.Highlight) > 0:
		e.Line = lineOf(t.data, cap(t.data)-cap(parse.Highlight)) // it is a slice of the file
	}
	return e
}

// ErrUnsafe says that a key cannot be edited without a change to others.
var ErrUnsafe = errors.New("the file is written in a way that cannot be edited safely")

// Set sets the key at a path to a literal. A new key goes below the last one of its table;
// a new table to the end of the file. On an error, which is [ErrUnsafe] or a [*SyntaxError],
// nothing is changed.
func (t *TOML) Set(literal string, path ...string) error {
	above := path[:len(path)-1]
	var beside *tomlPart // the last key or header of the table
	for i, part := range t.parts {
		switch {
		case !part.header && slices.Equal(part.path, path):
			return t.replace(splice(t.data, part.value, part.end, literal), true, path)
		case below(above, part.table) && below(part.path, above) && (part.header || len(part.path) > len(above)):
			beside = &t.parts[i]
		}
	}
	end, at, text := lineEnd(t.data), len(t.data), dotted(path[len(above):])+" = "+literal
	switch {
	case beside != nil:
		at, text = afterLine(t.data, beside.end), dotted(path[len(beside.table):])+" = "+literal
	case len(above) > 0:
		text = "[" + dotted(above) + "]" + end + text
		if at > 0 {
			text = end + text
		}
	case len(t.parts) > 0: // a key above the first table
		at, text = 0, text+end
	}
	if at > 0 && t.data[at-1] != '\n' { // the last line has no end
		text = end + text
	}
	return t.replace(splice(t.data, at, at, text+end), true, path)
}

// Value returns the value at a path, nil if there is none or the file cannot be decoded.
func (t *TOML) Value(path ...string) any {
	var all map[string]any
	if t.Decode(&all) != nil {
		return nil
	}
	var v any = all
	for _, key := range path {
		table, _ := v.(map[string]any)
		v = table[key]
	}
	return v
}

// Remove removes the lines of the key or table at a path and everything below it, with the
// blank line before a table. The headers of tables that become empty stay. A key inside braces
// cannot be removed; that is [ErrUnsafe].
func (t *TOML) Remove(_ int, path ...string) error {
	var lines [][2]int
	for _, part := range t.parts {
		if !below(part.path, path) {
			continue
		}
		start, end := lineStart(t.data, part.start), afterLine(t.data, part.end)
		if !part.header && below(part.table, path) { // with comments before it
			lines[len(lines)-1][1] = end
			continue
		}
		if above := lineStart(t.data, max(start-1, 0)); part.header && len(bytes.TrimRight(t.data[above:start], "\r\n")) == 0 {
			start = above
		}
		lines = append(lines, [2]int{start, end})
	}
	edited := t.data
	for _, s := range slices.Backward(lines) {
		edited = splice(edited, s[0], s[1], "")
	}
	return t.replace(edited, false, path)
}

// replace replaces the file by an edited one, unless that differs in another key than the one
// at a path, or has that key although it should not, or the other way round.
func (t *TOML) replace(edited []byte, exists bool, path []string) error {
	was, is := map[string]any{}, map[string]any{}
	if err := t.Decode(&was); err != nil {
		return err
	}
	after, err := ParseTOML(edited)
	if err == nil {
		err = after.Decode(&is)
	}
	if err != nil {
		return fmt.Errorf("%w: %w", ErrUnsafe, err)
	}
	deleteKey(was, path)
	if deleteKey(is, path) != exists || !reflect.DeepEqual(was, is) {
		return fmt.Errorf("%w: another key than %s would change", ErrUnsafe, strings.Join(path, "."))
	}
	*t = *after
	return nil
}

// deleteKey deletes a key, and tables that become empty. It reports whether the key existed.
func deleteKey(table map[string]any, path []string) (found bool) {
	key := path[0]
	if len(path) == 1 {
		_, found = table[key]
		delete(table, key)
		return found
	}
	if inner, ok := table[key].(map[string]any); ok {
		if found = deleteKey(inner, path[1:]); len(inner) == 0 {
			delete(table, key)
		}
	}
	return found
}

// below reports whether a path begins with another.
func below(path, top []string) bool {
	return len(path) >= len(top) && slices.Equal(path[:len(top)], top)
}

// dotted writes a path as a key.
func dotted(path []string) string {
	parts := slices.Clone(path)
	for i, part := range parts {
		if part == "" || strings.Trim(part, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") != "" {
			parts[i] = plaintext.Quote(part)
		}
	}
	return strings.Join(parts, ".")
}
