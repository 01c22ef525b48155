package dailynote

import "strings"

// line is one line of a text; start and end leave out its line ending.
type line struct {
	start, end int
	level      uint8 // of a heading outside fences, else 0
	blank      bool
	opens      bool // the first line of a code fence
	fenced     bool // the lines of a code fence and all between them
}

// doc is a text cut into lines.
type doc struct {
	text     string
	lines    []line
	unclosed []int // lines that open a fence which nothing closes
}

// fence is a line that could open or close a code fence.
type fence struct {
	line  int
	char  byte
	n     int    // length of the run
	bare  bool   // no info string: may close
	deep  bool   // indented like the content of a list item
	limit [2]int // the longest closing fence after it, by kindOf
}

// deepIndent is the first column at which Markdown no longer sees a fence or
// heading of its own.
const deepIndent = 4

// scan cuts a text into lines and finds its headings and code fences. With
// fences false only those inside list items count.
func scan(text string, fences bool) doc {
	d := doc{text: text, lines: make([]line, 0, strings.Count(text, "\n")+1)}
	var found []fence
	for at := 0; at < len(text); {
		l, next := cutLine(text, at)
		s := text[l.start:l.end]
		l.blank = isBlank(s)
		if f, ok := fenceOf(s); ok && (fences || f.deep) {
			f.line = len(d.lines)
			found = append(found, f)
		}
		d.lines = append(d.lines, l)
		at = next
	}
	d.markFences(found)
	d.markLevels()
	return d
}

func cutLine(text string, at int) (l line, next int) {
	end := strings.IndexByte(text[at:], '\n')
	if end < 0 {
		end, next = len(text), len(text)
	} else {
		end += at
		next = end + 1
	}
	if end > at && text[end-1] == '\r' {
		end--
	}
	return line{start: at, end: end}, next
}

// content is line i without its ending.
func (d *doc) content(i int) string { return d.text[d.lines[i].start:d.lines[i].end] }

// slice is the text of the lines from a up to b, as it stands.
func (d *doc) slice(a, b int) string { return d.text[d.offset(a):d.offset(b)] }

func (d *doc) offset(i int) int {
	if i < len(d.lines) {
		return d.lines[i].start
	}
	return len(d.text)
}

func (d *doc) markLevels() {
	for i := range d.lines {
		l := &d.lines[i]
		if l.blank || l.fenced {
			continue
		}
		level, _ := headingOf(d.text[l.start:l.end])
		l.level = uint8(level)
	}
}

// markFences pairs opening with closing fences. Each fence knows the longest
// one after it that could close, so that an opener without an end is known at
// once and the whole is linear.
func (d *doc) markFences(found []fence) {
	var longest [2]int
	for i := len(found) - 1; i >= 0; i-- {
		f := &found[i]
		f.limit = longest
		if f.bare && !f.deep {
			longest[kindOf(f.char)] = max(longest[kindOf(f.char)], f.n)
		}
	}
	for i := 0; i < len(found); {
		f := found[i]
		switch {
		case f.deep:
			i = d.markDeep(found, i)
		case f.limit[kindOf(f.char)] >= f.n:
			i = d.markPlain(found, i)
		default:
			d.unclosed = append(d.unclosed, f.line)
			i++
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

func (d *doc) markPlain(found []fence, i int) int {
	j := i + 1
	for found[j].deep || !found[j].closes(found[i]) {
		j++
	}
	d.fence(found[i].line, found[j].line+1)
	return j + 1
}

func (d *doc) markDeep(found []fence, i int) int {
	at, j := found[i].line+1, i+1
	for ; at < len(d.lines) && !d.outdented(at); at++ {
		if j == len(found) || found[j].line != at {
			continue
		}
		if j++; found[j-1].closes(found[i]) {
			at++
			break
		}
	}
	d.fence(found[i].line, at)
	return j
}

func (d *doc) outdented(i int) bool {
	if d.lines[i].blank {
		return false
	}
	columns, _ := indentOf(d.content(i))
	return columns < deepIndent
}

func (d *doc) fence(a, b int) {
	d.lines[a].opens = true
	for i := a; i < b; i++ {
		d.lines[i].fenced = true
	}
}

func fenceOf(s string) (fence, bool) {
	columns, at := indentOf(s)
	rest := s[at:]
	if !fenceLike(rest) {
		return fence{}, false
	}
	n := len(rest) - len(strings.TrimLeft(rest, rest[:1]))
	info := rest[n:]
	if rest[0] == '`' && strings.IndexByte(info, '`') >= 0 {
		return fence{}, false
	}
	return fence{char: rest[0], n: n, bare: isBlank(info), deep: columns >= deepIndent}, true
}

func fenceLike(s string) bool {
	return strings.HasPrefix(s, "```") || strings.HasPrefix(s, "~~~")
}

// headingOf returns the level of a heading (0 if s is none) and its text.
func headingOf(s string) (level int, text string) {
	columns, at := indentOf(s)
	s = s[at:]
	if columns >= deepIndent {
		return 0, ""
	}
	for level < len(s) && s[level] == '#' {
		level++
	}
	if level == 0 || level > 6 {
		return 0, ""
	}
	if level < len(s) && s[level] != ' ' && s[level] != '\t' {
		return 0, ""
	}
	return level, strings.TrimSpace(s[level:])
}

// plainHeading is the text of a heading without a closing row of signs.
func plainHeading(s string) string {
	_, text := headingOf(s)
	cut := strings.TrimRight(text, "#")
	if cut == "" || strings.HasSuffix(cut, " ") || strings.HasSuffix(cut, "\t") {
		return strings.TrimSpace(cut)
	}
	return text
}

// indentOf counts the columns before the first other character, tabs going to
// the next multiple of four, and the bytes they take.
func indentOf(s string) (columns, size int) {
	for size < len(s) {
		switch s[size] {
		case ' ':
			columns++
		case '\t':
			columns += 4 - columns%4
		default:
			return columns, size
		}
		size++
	}
	return columns, size
}

func isBlank(s string) bool { return strings.Trim(s, " \t\r\v\f") == "" }

// isRule tells whether s is the line that closes a captured outcome.
func isRule(s string) bool {
	columns, at := indentOf(s)
	return columns < deepIndent && strings.TrimRight(s[at:], " \t") == "---"
}
