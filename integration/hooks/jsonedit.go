package hooks

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// errShape says that a place in a settings file holds something else than it
// has to.
var errShape = errors.New("holds something else than expected")

// jsonEdit changes a settings file.
type jsonEdit struct {
	data []byte
}

// at follows keys from the top; nil where the way ends.
func (e *jsonEdit) at(path ...string) (*jsonValue, error) {
	v, err := parseJSON(e.data)
	if err != nil {
		return nil, err
	}
	here := &v
	for i, key := range path {
		if here.kind != '{' {
			return nil, fmt.Errorf("%s %w: an object is expected", place(path[:i]), errShape)
		}
		if here = here.member(key); here == nil {
			return nil, nil
		}
	}
	return here, nil
}

func place(path []string) string {
	if len(path) == 0 {
		return "the file"
	}
	return strings.Join(path, ".")
}

// begin makes an empty file an object.
func (e *jsonEdit) begin() {
	if len(bytes.TrimSpace(e.data)) == 0 {
		e.data = []byte("{}\n")
	}
}

// ensure makes sure that there is an object or a list at a path, and returns it.
func (e *jsonEdit) ensure(kind byte, path ...string) (*jsonValue, error) {
	v, err := e.at(path...)
	if err != nil {
		return nil, err
	}
	if v == nil {
		if _, err := e.ensure('{', path[:len(path)-1]...); err != nil {
			return nil, err
		}
		empty := map[byte]string{'{': "{}", '[': "[]"}[kind]
		if err := e.put(empty, path...); err != nil {
			return nil, err
		}
		if v, err = e.at(path...); err != nil {
			return nil, err
		}
	}
	if v.kind != kind {
		return nil, fmt.Errorf("%s %w", place(path), errShape)
	}
	return v, nil
}

// put sets the last key of a path in the object before it, which is there.
func (e *jsonEdit) put(value string, path ...string) error {
	above, err := e.at(path[:len(path)-1]...)
	if err != nil {
		return err
	}
	key := path[len(path)-1]
	if old := above.member(key); old != nil {
		e.splice(old.start, old.end, indentLines(value, e.indentAt(old.start)))
		return nil
	}
	e.add(above, strconv.Quote(key)+": "+value)
	return nil
}

// add puts a member behind the last one of an object or a list.
func (e *jsonEdit) add(v *jsonValue, text string) {
	outer := e.indentAt(v.start)
	inner := outer + e.unit()
	end := lineEnd(e.data)
	text = strings.ReplaceAll("\n"+inner+indentLines(text, inner), "\n", end)
	if len(v.members) == 0 {
		if strings.TrimSpace(string(e.data[v.start+1:v.end-1])) == "" {
			e.splice(v.start+1, v.end-1, text+end+outer)
		} else { // comments stand in it
			e.splice(v.start+1, v.start+1, text)
		}
		return
	}
	last := v.members[len(v.members)-1]
	if v.comma {
		e.splice(last.comma+1, last.comma+1, text+",")
		return
	}
	e.splice(last.value.end, last.value.end, ","+text)
}

// remove takes the i-th member out of an object or a list, with its comma and
// the blanks before it.
func (e *jsonEdit) remove(v *jsonValue, i int) {
	m := v.members[i]
	start, end := m.start, m.value.end
	for start > v.start+1 && bytes.IndexByte([]byte(" \t\r\n"), e.data[start-1]) >= 0 {
		start--
	}
	switch {
	case m.comma > 0:
		end = m.comma + 1
	case i == 0:
		if strings.TrimSpace(string(e.data[end:v.end-1])) == "" && start == v.start+1 {
			end = v.end - 1
		}
	}
	e.splice(start, end, "")
	if m.comma == 0 && i > 0 { // the one before is the last one now
		e.splice(v.members[i-1].comma, v.members[i-1].comma+1, "")
	}
}

// drop takes the last key of a path away, if it is there.
func (e *jsonEdit) drop(path ...string) error {
	above, err := e.at(path[:len(path)-1]...)
	if err != nil || above == nil || above.kind != '{' {
		return err
	}
	for i := range above.members {
		if above.members[i].key == path[len(path)-1] {
			e.remove(above, i)
			return nil
		}
	}
	return nil
}

func (e *jsonEdit) splice(start, end int, text string) {
	e.data = append(append(append([]byte(nil), e.data[:start]...), text...), e.data[end:]...)
}

// indentAt is the blanks that the line begins with in which a byte stands.
func (e *jsonEdit) indentAt(at int) string {
	line := e.data[bytes.LastIndexByte(e.data[:at], '\n')+1 : at]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// unit is what the file indents by: as its first indented line, else two blanks.
func (e *jsonEdit) unit() string {
	for line := range bytes.Lines(e.data) {
		trimmed := bytes.TrimLeft(line, " \t")
		if len(trimmed) < len(line) && len(bytes.TrimSpace(trimmed)) > 0 && trimmed[0] != '*' {
			return string(line[:len(line)-len(trimmed)])
		}
	}
	return "  "
}

func indentLines(text, by string) string { return strings.ReplaceAll(text, "\n", "\n"+by) }
