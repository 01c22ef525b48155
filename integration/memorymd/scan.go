package memorymd

import "strings"

// line is one line of a text. The offsets are small, since a file of ten
// million blank lines is still a file.
type line struct {
	start, end, next int32 // next is behind the line's end mark
	level            int8  // of a heading outside fences, else 0
	fenced           bool  // the lines of a code fence and all between them
}

// page is a text cut into lines, with its code fences and headings.
type page struct {
	text     string
	lines    []line
	unclosed []int // lines that open a code fence which nothing closes: plain text
}

// fence is a line that could open or close a code fence.
type fence struct {
	line, n int
	char    byte
	bare    bool   // no info string: may close
	limit   [2]int // the longest closing fence after it, of backticks and of tildes
}

// scan cuts a text into lines. Fences indented by four columns or more stand in
// list items or are code themselves; neither can hold a marker or a heading,
// because both end at a line that is indented less.
func scan(text string) *page {
	p := &page{text: text, lines: make([]line, 0, strings.Count(text, "\n")+1)}
	var found []fence
	for at := 0; at < len(text); {
		l := cutLine(text, at)
		if f, ok := fenceOf(text[l.start:l.end]); ok {
			f.line = len(p.lines)
			found = append(found, f)
		}
		p.lines = append(p.lines, l)
		at = int(l.next)
	}
	p.markFences(found)
	for i := range p.lines {
		if l := &p.lines[i]; !l.fenced {
			l.level = int8(headingLevel(p.content(i)))
		}
	}
	return p
}

func cutLine(text string, at int) line {
	end, next := len(text), len(text)
	if n := strings.IndexByte(text[at:], '\n'); n >= 0 {
		end, next = at+n, at+n+1
	}
	if next > end && end > at && text[end-1] == '\r' {
		end--
	}
	return line{start: int32(at), end: int32(end), next: int32(next)}
}

// content is line i without its end mark.
func (p *page) content(i int) string { return p.text[p.lines[i].start:p.lines[i].end] }

// slice is the text of the lines from a up to b, as it stands.
func (p *page) slice(a, b int) string {
	if a >= b {
		return ""
	}
	return p.text[p.lines[a].start:p.lines[b-1].next]
}

func (p *page) blank(i int) bool { return strings.TrimSpace(p.content(i)) == "" }

// markFences pairs opening with closing fences. Each one knows the longest
// closing fence after it, so that one without an end is known at once and the
// whole is linear.
func (p *page) markFences(found []fence) {
	var longest [2]int
	for i := len(found) - 1; i >= 0; i-- {
		f := &found[i]
		f.limit = longest
		if k := kindOf(f.char); f.bare {
			longest[k] = max(longest[k], f.n)
		}
	}
	for i := 0; i < len(found); i++ {
		f := found[i]
		if f.limit[kindOf(f.char)] < f.n {
			p.unclosed = append(p.unclosed, f.line)
			continue
		}
		for i++; !found[i].closes(f); {
			i++
		}
		for k := f.line; k <= found[i].line; k++ {
			p.lines[k].fenced = true
		}
	}
}

func kindOf(char byte) int {
	if char == '~' {
		return 1
	}
	return 0
}

func (f fence) closes(open fence) bool {
	return f.bare && f.char == open.char && f.n >= open.n
}

func fenceOf(s string) (fence, bool) {
	s, ok := outdent(s)
	if !ok || !strings.HasPrefix(s, "```") && !strings.HasPrefix(s, "~~~") {
		return fence{}, false
	}
	info := strings.TrimLeft(s, s[:1])
	if s[0] == '`' && strings.Contains(info, "`") {
		return fence{}, false
	}
	return fence{n: len(s) - len(info), char: s[0], bare: strings.TrimSpace(info) == ""}, true
}

// headingLevel is 1 to 6 for a heading with number signs, else 0.
func headingLevel(s string) int {
	s, ok := outdent(s)
	if !ok {
		return 0
	}
	rest := strings.TrimLeft(s, "#")
	level := len(s) - len(rest)
	if level > 6 || rest != "" && rest[0] != ' ' && rest[0] != '\t' {
		return 0
	}
	return level
}

// outdent takes up to three blanks off the start of a line; ok is false where
// there are more, which is code to Markdown.
func outdent(s string) (rest string, ok bool) {
	rest = strings.TrimLeft(s, " ")
	return rest, len(s)-len(rest) < 4 && !strings.HasPrefix(rest, "\t")
}
