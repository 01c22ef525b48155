package edit

import (
	"bytes"
	"errors"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// TOML is a TOML file with the places of its tables and keys, in order. What is
// inside of a table in braces has no place.
type TOML struct {
	Tables []Table
	Keys   []Key

	data []byte
}

// Table is the header of a table.
type Table struct {
	Path  []string
	Array bool // [[written in two brackets]]
	Span       // of the header, without its closing bracket
}

// Key is a key with its value.
type Key struct {
	Path  []string // from the top of the file
	Start int      // offset of the key
	Value Span
	Table int // index of the table that it is in, -1 above the first one
}

// ParseTOML reads a file. An error is a [*SyntaxError]. A duplicate key or table is an
// error only of [TOML.Decode].
func ParseTOML(data []byte) (*TOML, error) {
	t := &TOML{data: data}
	var p unstable.Parser
	p.Reset(data)
	var above []string
	for p.NextExpression() {
		e := p.Expression()
		path, name := keyOf(e)
		switch e.Kind {
		case unstable.Table, unstable.ArrayTable:
			above = path
			name.Start = bytes.LastIndexByte(data[:name.Start], '[')
			t.Tables = append(t.Tables, Table{Path: path, Array: e.Kind == unstable.ArrayTable, Span: name})
		case unstable.KeyValue:
			t.Keys = append(t.Keys, Key{
				Path: slices.Concat(above, path), Start: name.Start, Value: t.value(name.End, int(e.Raw.Offset+e.Raw.Length)), Table: len(t.Tables) - 1,
			})
		}
	}
	if err := p.Error(); err != nil {
		return nil, t.syntaxError(err)
	}
	return t, nil
}

// Bytes returns the file as edited.
func (t *TOML) Bytes() []byte { return t.data }

// Line returns the number of the line that has the byte at an offset.
func (t *TOML) Line(offset int) int { return lineOf(t.data, offset) }

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

// value returns the place of a value, between the end of its key and its own end.
func (t *TOML) value(keyEnd, end int) Span {
	return Span{end - len(bytes.TrimLeft(t.data[keyEnd:end], " \t=")), end}
}

// keyOf returns the path in an expression, and its place.
func keyOf(e *unstable.Node) (path []string, s Span) {
	for it := e.Key(); it.Next(); {
		n := it.Node()
		if path == nil {
			s.Start = int(n.Raw.Offset)
		}
		s.End = int(n.Raw.Offset + n.Raw.Length)
		path = append(path, string(n.Data))
	}
	return path, s
}
