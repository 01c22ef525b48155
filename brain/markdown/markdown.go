// Package markdown reads the structure of Markdown text line by line: headings,
// code fences, list items, thematic breaks, front matter, wiki links. It takes
// text and returns positions in it; it never renders, so a person's file keeps
// its bytes. All work is linear in the length of the text.
//
// It reads the subset of Markdown that notes need, which differs from CommonMark
// in a few points:
//
//   - Only headings with number signs count. Underlined ones are text: "======="
//     also comes from merge conflicts.
//   - A code fence that is never closed is plain text and is listed in
//     [Document.Unclosed], so that a forgotten fence does not swallow the rest of
//     a file.
//   - A comment counts if it begins a line and nothing follows it: <!-- … --> and, as in
//     Obsidian, %% … %%. Headings in it are none.
//   - A fence indented by four columns or more belongs to a list item and ends
//     with it: at its closing fence, or before the first line that is indented by
//     less than four columns.
//
// A tab goes to the next multiple of four columns. Lines end with LF or CRLF.
package markdown

import (
	"iter"
	"regexp"
	"strings"
	"sync"
)

// CodeIndent is the first column at which a line is not read as a heading or a
// fence of its own.
const CodeIndent = 4

// Line is one line of a document.
type Line struct {
	Start, End int  // byte offsets without the line ending
	Level      int8 // of the heading, 1 to 6; 0 for any other line
	Blank      bool
	Opens      bool // the first line of a code fence
	Fenced     bool // a line of a code fence, its delimiters included
	Comment    bool // a line of a comment that begins a line
}

// Document is a text cut into lines.
type Document struct {
	Text     string
	Lines    []Line
	Unclosed []int // lines with a code fence that nothing closes
}

// Parse reads the structure of a text.
func Parse(text string) *Document {
	d := &Document{Text: text, Lines: make([]Line, 0, strings.Count(text, "\n")+1)}
	var fences []fenceLine
	at := 0
	for line := range strings.Lines(text) {
		s, ended := strings.CutSuffix(line, "\n")
		if ended {
			s = strings.TrimSuffix(s, "\r")
		}
		if f, ok := ParseFence(s); ok {
			fences = append(fences, fenceLine{Fence: f, line: len(d.Lines)})
		}
		d.Lines = append(d.Lines, Line{Start: at, End: at + len(s), Blank: IsBlank(s)})
		at += len(line)
	}
	d.markFences(fences)
	for i := range d.Lines {
		if l := &d.Lines[i]; !l.Blank && !l.Fenced {
			level, _ := Heading(d.Line(i))
			l.Level = int8(level)
		}
	}
	d.markComments()
	return d
}

// Line returns line i without its ending.
func (d *Document) Line(i int) string { return d.Text[d.Lines[i].Start:d.Lines[i].End] }

// Slice returns the text of the lines from a up to b, with their endings.
func (d *Document) Slice(a, b int) string { return d.Text[d.Offset(a):d.Offset(max(a, b))] }

// Offset returns where line i begins; behind the last line it is the end of the
// text.
func (d *Document) Offset(i int) int {
	if i < len(d.Lines) {
		return d.Lines[i].Start
	}
	return len(d.Text)
}

// Prose yields the lines outside code fences.
func (d *Document) Prose() iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		for i, l := range d.Lines {
			if !l.Fenced && !yield(i, d.Line(i)) {
				return
			}
		}
	}
}

// Rewrite returns the text with each line replaced. Line endings stay.
func (d *Document) Rewrite(replace func(i int, line string) string) string {
	var out strings.Builder
	out.Grow(len(d.Text))
	at := 0
	for i, l := range d.Lines {
		out.WriteString(d.Text[at:l.Start])
		out.WriteString(replace(i, d.Line(i)))
		at = l.End
	}
	out.WriteString(d.Text[at:])
	return out.String()
}

// maxMention is the maximum length of a name in double brackets, in bytes.
const maxMention = 256

var mention = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\[\[([^\[\]|#^]+)[^\[\]]*\]\]`) })

// Mentions returns the names in [[Name]], [[Name|alias]] and [[Name#place]] outside code
// fences, in order and without duplicates.
func Mentions(text string) (names []string) {
	if !strings.Contains(text, "[[") {
		return nil
	}
	seen := map[string]bool{"": true}
	for _, line := range Parse(text).Prose() {
		for _, found := range mention().FindAllStringSubmatch(line, -1) {
			name := strings.TrimSpace(found[1])
			if !seen[name] && len(name) <= maxMention {
				seen[name] = true
				names = append(names, name)
			}
		}
	}
	return names
}
