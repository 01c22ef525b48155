package edit

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// Kind is the kind of a JSON value.
type Kind int

// The kinds. Scalar is a number, true, false or null.
const (
	Scalar Kind = iota
	String
	Object
	List
)

// Value is a JSON value and its place in the file.
type Value struct {
	Span
	Kind    Kind
	Text    string   // of a string, unquoted; of a scalar as written
	Members []Member // of an object or a list
}

// Member is a member of an object, or of a list without key and name.
type Member struct {
	Key   string
	Name  Span // the key as written, with its quotes
	Value Value
	comma int // the offset of the comma after it, 0 if there is none
}

func (m Member) start() int {
	if m.Name.End > 0 {
		return m.Name.Start
	}
	return m.Value.Start
}

// Get returns the value of a key, nil if the value is not an object with it.
func (v *Value) Get(key string) *Value {
	if v == nil || v.Kind != Object {
		return nil
	}
	if i := v.index(key); i >= 0 {
		return &v.Members[i].Value
	}
	return nil
}

const jsonBlanks = " \t\r\n"

// parser reads a JSON file from its start to its end. The first error ends it.
type parser struct {
	data  []byte
	at    int
	depth int
	err   error
}

func parseJSON(data []byte) (Value, error) {
	p := parser{data: data}
	if bom := []byte("\ufeff"); bytes.HasPrefix(data, bom) {
		p.at = len(bom)
	}
	v := p.value()
	if p.at < len(data) {
		p.fail("there is more after the end")
	}
	return v, p.err
}

// fail keeps the first error and skips the rest of the file.
func (p *parser) fail(text string) {
	if p.err == nil {
		p.err = &SyntaxError{Line: lineOf(p.data, p.at), Text: text}
	}
	p.at = len(p.data)
}

// peek returns the next byte, 0 at the end.
func (p *parser) peek() byte {
	if p.at < len(p.data) {
		return p.data[p.at]
	}
	return 0
}

// skipBlanks skips white space and comments.
func (p *parser) skipBlanks() {
	for p.at < len(p.data) {
		rest := p.data[p.at:]
		switch {
		case strings.IndexByte(jsonBlanks, rest[0]) >= 0:
			p.at++
		case bytes.HasPrefix(rest, []byte("//")):
			p.at = afterLine(p.data, p.at)
		case bytes.HasPrefix(rest, []byte("/*")):
			_, after, ends := bytes.Cut(rest[len("/*"):], []byte("*/"))
			if !ends {
				p.fail("a comment does not end")
				return
			}
			p.at = len(p.data) - len(after)
		default:
			return
		}
	}
}

// value reads a value and the blanks around it.
func (p *parser) value() (v Value) {
	p.skipBlanks()
	v.Start = p.at
	switch p.peek() {
	case '{':
		v.Kind, v.Members = Object, p.members('}')
	case '[':
		v.Kind, v.Members = List, p.members(']')
	case '"', '\'':
		v.Kind, v.Text = String, p.quoted()
	default:
		v.Text = p.word()
	}
	v.End = p.at
	p.skipBlanks()
	return v
}

// members reads the members of an object or a list.
func (p *parser) members(closing byte) (members []Member) {
	if p.depth++; p.depth > 100 {
		p.fail("values are nested too deeply")
	}
	p.at++
	for p.skipBlanks(); p.err == nil && p.peek() != closing; p.skipBlanks() {
		if n := len(members); n > 0 && members[n-1].comma == 0 {
			p.fail("a comma is missing")
		}
		var m Member
		if closing == '}' {
			m.Key, m.Name = p.key()
		}
		m.Value = p.value()
		if p.peek() == ',' {
			m.comma = p.at
			p.at++
		}
		members = append(members, m)
	}
	p.at++
	p.depth--
	return members
}

// key reads the key of a member with its colon.
func (p *parser) key() (key string, name Span) {
	name.Start = p.at
	if c := p.peek(); c == '"' || c == '\'' {
		key = p.quoted()
	} else {
		key = p.word()
	}
	name.End = p.at
	if p.skipBlanks(); p.peek() != ':' {
		p.fail("a colon is missing")
	}
	p.at++
	return key, name
}

// quoted reads a string. Of escapes that JSON does not have only \' is resolved.
func (p *parser) quoted() string {
	start, quote := p.at, p.peek()
	for p.at++; p.at < len(p.data); p.at++ {
		switch p.data[p.at] {
		case quote:
			p.at++
			return unquote(string(p.data[start:p.at]))
		case '\n':
			p.fail("a string does not end on its line")
			return ""
		case '\\':
			p.at++
		}
	}
	p.at = len(p.data)
	p.fail("a string does not end")
	return ""
}

func unquote(raw string) string {
	var text string
	if raw[0] == '"' && json.Unmarshal([]byte(raw), &text) == nil {
		return text
	}
	return strings.NewReplacer(`\\`, `\`, `\'`, `'`, `\"`, `"`, `\/`, `/`).Replace(raw[1 : len(raw)-1])
}

// word reads a number, true, false, null or an unquoted key.
func (p *parser) word() string {
	start := p.at
	for p.at < len(p.data) && strings.IndexByte(jsonBlanks+`,:{}[]"'/`, p.data[p.at]) < 0 {
		p.at++
	}
	if p.at == start || !utf8.Valid(p.data[start:p.at]) {
		p.fail("a value is missing")
		return ""
	}
	return string(p.data[start:p.at])
}
