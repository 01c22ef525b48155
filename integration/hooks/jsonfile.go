package hooks

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"
)

// A settings file is JSON as agents write it: with comments, commas at the end
// of a list, and, as in JSON5, keys without quotes and texts in single ones. It
// is never written anew: what is to change is found by position, and every
// other byte stays.

// jsonValue is a value and where it stands.
type jsonValue struct {
	start, end int
	kind       byte // '{', '[', '"' for a text, 'v' for all else
	text       string
	members    []jsonMember // of an object; of a list with empty keys
	comma      bool         // behind the last of them
}

type jsonMember struct {
	key   string
	start int // of the key, in a list of the value
	value jsonValue
	comma int // where the comma behind it stands, 0 for none
}

// member is the value of a key; nil where there is none.
func (v *jsonValue) member(key string) *jsonValue {
	for i := range v.members {
		if v.members[i].key == key {
			return &v.members[i].value
		}
	}
	return nil
}

// jsonParser reads a file once.
type jsonParser struct {
	data []byte
	at   int
	deep int
}

// maxDepth is more than any settings file needs.
const maxDepth = 100

// parseJSON reads a whole file. Its errors name the line.
func parseJSON(data []byte) (jsonValue, error) {
	p := jsonParser{data: data}
	if bytes.HasPrefix(data, []byte("\ufeff")) {
		p.at = len("\ufeff")
	}
	v, err := p.value()
	if err == nil {
		if err = p.blank(); err == nil && p.at < len(data) {
			err = p.fault("something stands behind the end")
		}
	}
	return v, err
}

func (p *jsonParser) fault(what string) error {
	return fmt.Errorf("line %d: %s", 1+bytes.Count(p.data[:min(p.at, len(p.data))], []byte("\n")), what)
}

func (p *jsonParser) peek() byte {
	if p.at < len(p.data) {
		return p.data[p.at]
	}
	return 0
}

// blank passes over blanks and comments.
func (p *jsonParser) blank() error {
	for p.at < len(p.data) {
		rest := p.data[p.at:]
		switch {
		case bytes.IndexByte([]byte(" \t\r\n"), rest[0]) >= 0:
			p.at++
		case bytes.HasPrefix(rest, []byte("//")):
			if n := bytes.IndexByte(rest, '\n'); n >= 0 {
				p.at += n
			} else {
				p.at = len(p.data)
			}
		case bytes.HasPrefix(rest, []byte("/*")):
			n := bytes.Index(rest, []byte("*/"))
			if n < 0 {
				return p.fault("a comment does not end")
			}
			p.at += n + len("*/")
		default:
			return nil
		}
	}
	return nil
}

func (p *jsonParser) value() (jsonValue, error) {
	if err := p.blank(); err != nil {
		return jsonValue{}, err
	}
	v := jsonValue{start: p.at, kind: p.peek()}
	var err error
	switch v.kind {
	case '{', '[':
		err = p.members(&v)
	case '"', '\'':
		v.kind = '"'
		v.text, err = p.quoted()
	default:
		v.kind = 'v'
		v.text, err = p.word()
	}
	v.end = p.at
	return v, err
}

// members reads an object or a list to its end.
func (p *jsonParser) members(v *jsonValue) error {
	if p.deep++; p.deep > maxDepth {
		return p.fault("too many levels")
	}
	closing := map[byte]byte{'{': '}', '[': ']'}[v.kind]
	p.at++
	for {
		if err := p.blank(); err != nil {
			return err
		}
		if p.peek() == closing {
			p.at++
			p.deep--
			return nil
		}
		if len(v.members) > 0 && !v.comma {
			return p.fault("a comma is missing")
		}
		m, err := p.memberOf(v.kind)
		if err != nil {
			return err
		}
		v.members = append(v.members, m)
		if err := p.blank(); err != nil {
			return err
		}
		if v.comma = p.peek() == ','; v.comma {
			v.members[len(v.members)-1].comma = p.at
			p.at++
		}
	}
}

func (p *jsonParser) memberOf(kind byte) (m jsonMember, err error) {
	m.start = p.at
	if kind == '{' {
		if c := p.peek(); c == '"' || c == '\'' {
			m.key, err = p.quoted()
		} else {
			m.key, err = p.word()
		}
		if err == nil {
			err = p.blank()
		}
		if err == nil && p.peek() != ':' {
			err = p.fault("a colon is missing")
		}
		p.at++
	}
	if err == nil {
		m.value, err = p.value()
	}
	return m, err
}

// quoted reads a text. Escapes beyond those of JSON's letters are left as they
// are: nothing that is looked for here has them.
func (p *jsonParser) quoted() (string, error) {
	quote := p.peek()
	var b strings.Builder
	for p.at++; p.at < len(p.data); p.at++ {
		switch c := p.data[p.at]; {
		case c == quote:
			p.at++
			return b.String(), nil
		case c == '\n':
			return "", p.fault("a text does not end on its line")
		case c == '\\' && p.at+1 < len(p.data):
			p.at++
			if strings.IndexByte(`"\/'`, p.data[p.at]) < 0 {
				b.WriteByte('\\')
			}
			b.WriteByte(p.data[p.at])
		default:
			b.WriteByte(c)
		}
	}
	return "", p.fault("a text does not end")
}

// word reads a number, true, false, null or a key without quotes.
func (p *jsonParser) word() (string, error) {
	start := p.at
	for p.at < len(p.data) && bytes.IndexByte([]byte(" \t\r\n,:{}[]\"'/"), p.data[p.at]) < 0 {
		p.at++
	}
	if p.at == start || !utf8.Valid(p.data[start:p.at]) {
		return "", p.fault("a value is missing")
	}
	return string(p.data[start:p.at]), nil
}
