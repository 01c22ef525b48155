package hooks

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// tomlPart is a table of a TOML file with what stands in it, or one key, and
// where: whole lines, without the blank ones and comments behind them.
type tomlPart struct {
	path       []string // from the top of the file
	table      bool
	start, end int
	value      [2]int // of a key: where a text or a list begins and ends; else 0
}

// tomlParts are all tables and keys of a file, in order.
func tomlParts(data []byte) ([]tomlPart, error) {
	var parts []tomlPart
	var above []string
	var p unstable.Parser
	p.Reset(data)
	for p.NextExpression() {
		e := p.Expression()
		part := tomlPart{table: e.Kind == unstable.Table || e.Kind == unstable.ArrayTable}
		at := -1
		for it := e.Key(); it.Next(); {
			if at < 0 {
				at = int(it.Node().Raw.Offset)
			}
			part.path = append(part.path, string(it.Node().Data))
		}
		if at < 0 {
			continue // a comment
		}
		part.start = bytes.LastIndexByte(data[:at], '\n') + 1
		if part.table {
			above = part.path
		} else {
			part.path = slices.Concat(above, part.path)
			part.value = tomlValue(data, e.Value())
		}
		parts = append(parts, part)
	}
	if err := p.Error(); err != nil {
		return nil, tomlFault(data, err)
	}
	for i := range parts {
		parts[i].end = lastLine(data, parts[i].start, nextPart(parts, i, len(data)))
	}
	return parts, nil
}

// nextPart is where what follows a part begins: behind a table the next table.
func nextPart(parts []tomlPart, i, end int) int {
	for _, next := range parts[i+1:] {
		if next.table || !parts[i].table {
			return next.start
		}
	}
	return end
}

// lastLine is where the last line before an end ends that is more than a
// comment.
func lastLine(data []byte, start, end int) int {
	for end > start {
		line := bytes.LastIndexByte(data[start:end-1], '\n') + 1 + start
		if text := bytes.TrimSpace(data[line:end]); len(text) > 0 && text[0] != '#' {
			break
		}
		end = line
	}
	return end
}

// tomlValue is where a text or a list of texts stands.
func tomlValue(data []byte, v *unstable.Node) [2]int {
	if v.Kind == unstable.String {
		return [2]int{int(v.Raw.Offset), int(v.Raw.Offset + v.Raw.Length)}
	}
	start, end := 0, 0
	for it := v.Children(); v.Kind == unstable.Array && it.Next(); {
		n := it.Node()
		if n.Kind != unstable.String {
			return [2]int{}
		}
		if start == 0 {
			start = bytes.LastIndexByte(data[:n.Raw.Offset], '[')
		}
		end = int(n.Raw.Offset + n.Raw.Length)
	}
	if end == 0 {
		return [2]int{}
	}
	for ; data[end] != ']'; end++ {
		if data[end] == '#' {
			end += bytes.IndexByte(data[end:], '\n')
		}
	}
	return [2]int{start, end + 1}
}

// tomlFault is an error of a TOML file that names the line.
func tomlFault(data []byte, err error) error {
	var decode *toml.DecodeError
	var parse *unstable.ParserError
	switch {
	case errors.As(err, &decode):
		row, _ := decode.Position()
		return fmt.Errorf("line %d: %w", row, err)
	case errors.As(err, &parse) && len(parse.Highlight) > 0:
		at := cap(data) - cap(parse.Highlight) // it is a piece of the file
		return fmt.Errorf("line %d: %w", 1+bytes.Count(data[:min(max(at, 0), len(data))], []byte("\n")), err)
	}
	return err
}

// below reports whether a path leads to another or further.
func below(path, top []string) bool {
	return len(path) >= len(top) && slices.Equal(path[:len(top)], top)
}

// tomlSet sets the text or the list of texts at a path, which is there.
func tomlSet(data []byte, value string, path ...string) ([]byte, error) {
	parts, err := tomlParts(data)
	if err != nil {
		return nil, err
	}
	for _, p := range parts {
		if !p.table && slices.Equal(p.path, path) && p.value[1] > 0 {
			return slices.Concat(data[:p.value[0]], []byte(value), data[p.value[1]:]), nil
		}
	}
	return nil, fmt.Errorf("%s is written in braces: write it as a table of its own", place(path[:len(path)-1]))
}

// lineEnd is how the lines of a file end.
func lineEnd(data []byte) string {
	if bytes.Contains(data, []byte("\r\n")) {
		return "\r\n"
	}
	return "\n"
}

// tomlDrop takes away what is at a path and below it, with the blank line before
// a table.
func tomlDrop(data []byte, top ...string) ([]byte, error) {
	parts, err := tomlParts(data)
	if err != nil {
		return nil, err
	}
	var left []byte
	from := 0
	for _, p := range parts {
		if !below(p.path, top) || p.start < from { // which went with its table
			continue
		}
		left = append(left, data[from:p.start]...)
		if p.table {
			left = withoutBlankLine(left)
		}
		from = p.end
	}
	return append(left, data[from:]...), nil
}

// withoutBlankLine is a text without the blank line that it ends with, if it
// does.
func withoutBlankLine(text []byte) []byte {
	shorter := bytes.TrimSuffix(bytes.TrimSuffix(text, []byte("\n")), []byte("\r"))
	if len(shorter) == 0 || shorter[len(shorter)-1] == '\n' {
		return shorter
	}
	return text
}
