package corememory

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/brainbridge/brainbridge/brain"
)

// bom may begin a file that came from Windows; it stays.
const bom = "\ufeff"

// document is the text of the file, with the places of its members. Changes go
// into the text, so that everything else stays byte for byte.
type document struct {
	text  string
	edits []edit // that were made, in their order
}

// span is a part of a text.
type span struct{ start, end int }

func (s span) of(text string) string { return text[s.start:s.end] }

// member is one key of an object with its value.
type member struct {
	key   string
	name  span // the key as written, quotes included
	value span
}

// object is a JSON object in a text, braces included.
type object struct {
	span
	members []member
}

// parse reads a document that is a JSON object.
func parse(text []byte) (document, error) {
	d := document{text: string(text)}
	bare := strings.TrimPrefix(d.text, bom)
	switch {
	case !utf8.ValidString(bare):
		return d, errors.New("it is not UTF-8")
	case !json.Valid([]byte(bare)):
		return d, whyInvalid(bare)
	case !strings.HasPrefix(strings.TrimLeft(bare, blanks), "{"):
		return d, errors.New("it is no JSON object")
	}
	return d, nil
}

// whyInvalid names the place of a mistake.
func whyInvalid(text string) error {
	var v any
	err := json.Unmarshal([]byte(text), &v)
	var at *json.SyntaxError
	if !errors.As(err, &at) {
		return errors.New("it is empty")
	}
	line := 1 + strings.Count(text[:min(int(at.Offset), len(text))], "\n")
	return fmt.Errorf("line %d: %w", line, err)
}

const blanks = " \t\r\n"

// root is the object that the document is.
func (d document) root() object {
	start := 0
	if strings.HasPrefix(d.text, bom) {
		start = len(bom)
	}
	return d.object(d.skip(start))
}

// object reads the members of the object that begins at a place.
func (d document) object(at int) object {
	o := object{span: span{at, at + 1}}
	for i := d.skip(at + 1); d.text[i] != '}'; {
		if d.text[i] == ',' {
			i = d.skip(i + 1)
		}
		m := member{name: span{i, d.value(i)}}
		m.key = unquote(m.name.of(d.text))
		colon := d.skip(m.name.end)
		begin := d.skip(colon + 1)
		m.value = span{begin, d.value(begin)}
		o.members = append(o.members, m)
		i = d.skip(m.value.end)
		o.end = i + 1
	}
	if len(o.members) == 0 {
		o.end = d.skip(at+1) + 1
	}
	return o
}

func unquote(raw string) string {
	var s string
	if json.Unmarshal([]byte(raw), &s) != nil {
		return raw // cannot be: the document is valid
	}
	return s
}

func (d document) skip(i int) int {
	for i < len(d.text) && strings.IndexByte(blanks, d.text[i]) >= 0 {
		i++
	}
	return i
}

// value is the end of the value that begins at a place of a valid document.
func (d document) value(i int) int {
	switch d.text[i] {
	case '"':
		for i++; d.text[i] != '"'; i++ {
			if d.text[i] == '\\' {
				i++
			}
		}
		return i + 1
	case '{', '[':
		return d.nested(i)
	}
	n := strings.IndexAny(d.text[i:], ",}]"+blanks)
	if n < 0 {
		return len(d.text)
	}
	return i + n
}

func (d document) nested(i int) int {
	for depth := 0; ; {
		switch d.text[i] {
		case '"':
			i = d.value(i)
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
		i++
	}
}

// find is the member of a key; false where there is none, or more than one,
// of which nobody knows which is meant.
func (o object) find(key string) (member, bool) {
	var found []member
	for _, m := range o.members {
		if m.key == key {
			found = append(found, m)
		}
	}
	if len(found) != 1 {
		return member{}, false
	}
	return found[0], true
}

func (o object) has(key string) bool {
	return slices.ContainsFunc(o.members, func(m member) bool { return m.key == key })
}

// section is the object of a key of the root; false where its value is none.
func (d document) section(key string) (object, bool) {
	m, ok := d.root().find(key)
	if !ok || d.text[m.value.start] != '{' {
		return object{}, false
	}
	return d.object(m.value.start), true
}

// replace puts a raw value in the place of a member's.
func (d *document) replace(m member, raw string) {
	d.splice(m.value, raw)
}

// insert adds a member at the end of an object, in the style of its neighbours.
func (d *document) insert(o object, key, raw string) {
	name := brain.CoreValue(key)
	if n := len(o.members); n > 0 {
		last := o.members[n-1]
		lead := d.text[d.before(o, n-1)+1 : last.name.start]
		colon := d.text[last.name.end:last.value.start]
		d.splice(span{last.value.end, last.value.end}, ","+lead+name+colon+raw)
		return
	}
	outer, unit, ok := d.indent(o)
	if !ok {
		d.splice(span{o.start, o.end}, "{"+name+": "+raw+"}")
		return
	}
	d.splice(span{o.start, o.end}, "{"+outer+unit+name+": "+raw+outer+"}")
}

// before is the place of the brace or comma before a member.
func (d document) before(o object, i int) int {
	if i == 0 {
		return o.start
	}
	return o.members[i-1].value.end + strings.IndexByte(d.text[o.members[i-1].value.end:], ',')
}

// indent is the line break with the indentation of the line that an object
// begins on, and one step of indentation; false in a document of one line.
func (d document) indent(o object) (outer, unit string, ok bool) {
	at := strings.LastIndexByte(d.text[:o.start], '\n')
	root := d.root()
	if len(root.members) > 0 {
		lead := d.text[root.start+1 : root.members[0].name.start]
		if i := strings.LastIndexByte(lead, '\n'); i >= 0 {
			unit, ok = lead[i+1:], true
		}
	}
	if !ok {
		return "", "", false
	}
	line := d.text[at+1:]
	outer = line[:len(line)-len(strings.TrimLeft(line, " \t"))]
	if at < 0 {
		outer = ""
	}
	if strings.Contains(d.text, "\r\n") {
		return "\r\n" + outer, unit, true
	}
	return "\n" + outer, unit, true
}

// remove takes a member out, with the comma that goes with it.
func (d *document) remove(o object, key string) {
	i := slices.IndexFunc(o.members, func(m member) bool { return m.key == key })
	if i < 0 {
		return
	}
	from, to := d.before(o, i), o.members[i].value.end
	switch {
	case i+1 < len(o.members): // what stands before it stays, for the next one
		d.splice(span{from + 1, d.before(o, i+1) + 1}, "")
	case i > 0:
		d.splice(span{from, to}, "")
	default: // the last one: {} is left
		d.splice(span{from + 1, o.end - 1}, "")
	}
}

func (d *document) splice(s span, text string) {
	d.edits = append(d.edits, edit{At: s.start, Old: s.of(d.text), New: text})
	d.text = d.text[:s.start] + text + d.text[s.end:]
}
