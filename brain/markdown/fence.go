package markdown

import "strings"

// Fence is a line that can open a code fence.
type Fence struct {
	Mark string // the run of backticks or tildes
	Deep bool   // indented by four columns or more
	bare bool   // nothing follows the mark, so it can close a fence, too
}

// ParseFence reads a line that begins with three backticks or tildes, at any
// indentation.
func ParseFence(line string) (Fence, bool) {
	columns, at := Indent(line)
	rest := line[at:]
	if !strings.HasPrefix(rest, "```") && !strings.HasPrefix(rest, "~~~") {
		return Fence{}, false
	}
	info := strings.TrimLeft(rest, rest[:1])
	if rest[0] == '`' && strings.IndexByte(info, '`') >= 0 {
		return Fence{}, false // code within a line
	}
	return Fence{Mark: rest[:len(rest)-len(info)], Deep: columns >= CodeIndent, bare: IsBlank(info)}, true
}

// Closes reports whether f closes the code fence that open opened.
func (f Fence) Closes(open Fence) bool {
	return f.bare && f.Mark[0] == open.Mark[0] && len(f.Mark) >= len(open.Mark)
}

// Unfence returns the text within the code fence that begins on the first line of
// text, or text if there is none. The closing fence may be missing.
func Unfence(text string) string {
	text = strings.TrimSpace(text)
	first, rest, _ := strings.Cut(text, "\n")
	open, fenced := ParseFence(first)
	if !fenced {
		return text
	}
	rest = strings.TrimRight(rest, " \t\r\n")
	return strings.TrimSuffix(rest, open.Mark)
}

// fenceLine is a fence in a document.
type fenceLine struct {
	Fence
	line  int
	limit int // length of the longest mark further down that could close it
}

// markFences pairs opening with closing fences, which are both deep or both not. Each
// fence knows the longest one further down that could close it, so a fence that is
// never closed costs no search.
func (d *Document) markFences(fences []fenceLine) {
	type kind struct {
		sign byte
		deep bool
	}
	longest := map[kind]int{}
	for i := len(fences) - 1; i >= 0; i-- {
		f := &fences[i]
		k := kind{f.Mark[0], f.Deep}
		if f.limit = longest[k]; f.bare {
			longest[k] = max(f.limit, len(f.Mark))
		}
	}
	for i := 0; i < len(fences); i++ {
		open := fences[i]
		if open.limit < len(open.Mark) {
			d.Unclosed = append(d.Unclosed, open.line)
			continue
		}
		for i++; fences[i].Deep != open.Deep || !fences[i].Closes(open.Fence); {
			i++
		}
		d.Lines[open.line].Opens = true
		for l := open.line; l <= fences[i].line; l++ {
			d.Lines[l].Fenced = true
		}
	}
}
