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

type fenceLine struct {
	Fence
	line  int
	limit int // length of the longest mark further down that could close it
}

// markFences pairs opening with closing fences. Each knows the longest one further down that
// could close it, so one that is never closed costs no search.
func (d *Document) markFences(fences []fenceLine) {
	longest := map[byte]int{} // by the sign of the mark
	for i := len(fences) - 1; i >= 0; i-- {
		f := &fences[i]
		f.limit = longest[f.Mark[0]]
		if f.bare && !f.Deep {
			longest[f.Mark[0]] = max(f.limit, len(f.Mark))
		}
	}
	for i := 0; i < len(fences); {
		switch f := fences[i]; {
		case f.Deep:
			i = d.markDeep(fences, i)
		case f.limit >= len(f.Mark):
			i = d.markPlain(fences, i)
		default:
			d.Unclosed = append(d.Unclosed, f.line)
			i++
		}
	}
}

func (d *Document) markPlain(fences []fenceLine, i int) (next int) {
	j := i + 1
	for fences[j].Deep || !fences[j].Closes(fences[i].Fence) {
		j++
	}
	d.fence(fences[i].line, fences[j].line+1)
	return j + 1
}

func (d *Document) markDeep(fences []fenceLine, i int) (next int) {
	at, j := fences[i].line+1, i+1
	for ; at < len(d.Lines); at++ {
		if _, outdented := Outdent(d.Line(at)); outdented && !d.Lines[at].Blank {
			break
		}
		if j == len(fences) || fences[j].line != at {
			continue
		}
		if j++; fences[j-1].Closes(fences[i].Fence) {
			at++
			break
		}
	}
	d.fence(fences[i].line, at)
	return j
}

func (d *Document) fence(from, to int) {
	d.Lines[from].Opens = true
	for i := from; i < to; i++ {
		d.Lines[i].Fenced = true
	}
}
