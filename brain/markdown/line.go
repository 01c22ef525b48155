package markdown

import "strings"

// Indent returns the number of columns before the first character of a line that
// is not a blank or a tab, and the bytes they take.
func Indent(line string) (columns, size int) {
	for size < len(line) {
		switch line[size] {
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

// Dedent removes at most n columns of blanks and tabs from the start of a line.
func Dedent(line string, n int) string {
	columns := 0
	for line != "" && columns < n {
		switch line[0] {
		case ' ':
			columns++
		case '\t':
			columns += 4 - columns%4
		default:
			return line
		}
		line = line[1:]
	}
	return line
}

// Outdent returns a line without its indentation; ok is false if it is indented so far that
// it is code.
func Outdent(line string) (rest string, ok bool) {
	columns, at := Indent(line)
	return line[at:], columns < CodeIndent
}

// IsBlank reports whether s is empty or only white space.
func IsBlank(s string) bool { return strings.Trim(s, " \t\r\n\v\f") == "" }

// TrimBlank cuts off blank lines at both ends, and white space at the end of the
// last line.
func TrimBlank(s string) string {
	s = strings.TrimRight(s, " \t\r\n\v\f")
	for {
		head, rest, ok := strings.Cut(s, "\n")
		if !ok || !IsBlank(head) {
			return s
		}
		s = rest
	}
}

// Gap returns the line ends that separate a text by one blank line from what is
// appended to it. A text without content needs none.
func Gap(text, eol string) string {
	switch {
	case text == "", strings.HasSuffix(text, "\n\n"), strings.HasSuffix(text, "\n\r\n"):
		return ""
	case strings.HasSuffix(text, "\n"):
		return eol
	}
	return eol + eol
}

// Heading returns the level and the text of a heading, 0 for any other line. The
// text includes a closing row of number signs, see [HeadingText].
func Heading(line string) (level int, text string) {
	s, ok := Outdent(line)
	rest := strings.TrimLeft(s, "#")
	level = len(s) - len(rest)
	if !ok || level == 0 || level > 6 || rest != "" && rest[0] != ' ' && rest[0] != '\t' {
		return 0, ""
	}
	return level, strings.TrimSpace(rest)
}

// HeadingText returns the text of a heading without a closing row of number
// signs.
func HeadingText(line string) string {
	_, text := Heading(line)
	bare := strings.TrimRight(text, "#")
	if bare == "" || strings.HasSuffix(bare, " ") || strings.HasSuffix(bare, "\t") {
		return strings.TrimSpace(bare)
	}
	return text
}

// Item is the marker of a list item.
type Item struct {
	Indent  int // columns before the marker
	Content int // columns before the text, as its further lines are indented
	Text    int // byte offset of the text, behind one blank
	Ordered bool
}

// ParseItem reads a line that starts with a list marker: -, *, + or a number of
// up to nine digits with a full stop or a closing bracket.
func ParseItem(line string) (Item, bool) {
	columns, at := Indent(line)
	rest := line[at:]
	if rest == "" {
		return Item{}, false
	}
	width := 1
	ordered := strings.IndexByte("-*+", rest[0]) < 0
	if ordered {
		digits := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
		if digits == 0 || digits > 9 || digits == len(rest) || rest[digits] != '.' && rest[digits] != ')' {
			return Item{}, false
		}
		width = digits + 1
	}
	item := Item{Indent: columns, Content: columns + width + 1, Text: at + width + 1, Ordered: ordered}
	if len(rest) == width {
		item.Text--
		return item, true
	}
	return item, (rest[width] == ' ' || rest[width] == '\t') && !IsBreak(line)
}

// IsBreak reports whether a line is a thematic break: three or more of one sign,
// with or without blanks between.
func IsBreak(line string) bool {
	s, ok := Outdent(line)
	if !ok || s == "" || strings.IndexByte("-*_", s[0]) < 0 {
		return false
	}
	return strings.Count(s, s[:1]) >= 3 && strings.Trim(s, " \t\r"+s[:1]) == ""
}

// The lines around a block that brainbridge manages in a file of a person.
const (
	BlockBegin = BlockBeginPrefix + " -->"
	BlockEnd   = BlockEndPrefix + " -->"

	BlockBeginPrefix = "<!-- brainbridge:begin"
	BlockEndPrefix   = "<!-- brainbridge:end"
)

// WithoutBlocks returns a text with blank lines in place of the blocks that brainbridge
// manages, and calls found with the line at which each begins, counted from 1. A block
// without an end stays, and so does one in a code fence.
func WithoutBlocks(text string, found func(line int)) string {
	if !strings.Contains(text, BlockBeginPrefix) {
		return text
	}
	d := Parse(text)
	has := func(i int, mark string) bool {
		return !d.Lines[i].Fenced && strings.HasPrefix(strings.TrimSpace(d.Line(i)), mark)
	}
	last := len(d.Lines) - 1
	for last >= 0 && !has(last, BlockEndPrefix) {
		last--
	}
	inside := false
	return d.Rewrite(func(i int, line string) string {
		before := inside
		if !inside && i < last && has(i, BlockBeginPrefix) {
			inside = true
			found(i + 1)
		}
		if inside = inside && !has(i, BlockEndPrefix); inside || before {
			return ""
		}
		return line
	})
}
