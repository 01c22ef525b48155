package memorymd

import (
	"fmt"
	"strings"

	"github.com/brainbridge/brainbridge/brain"
)

// The lines between which the block stands.
const (
	BeginMarker = "<!-- brainbridge:begin -->"
	EndMarker   = "<!-- brainbridge:end -->"
)

const bom = "\ufeff"

// Block is where the managed block stands in a text.
type Block struct {
	Found bool
	// Start and End are offsets: the block begins with the first character of
	// the one marker and ends behind the last one of the other. The line end
	// behind it is the person's. Both are the text's length if none was found.
	Start, End int
	Line       int    // of the begin marker, from 1
	EOL        string // the line end of the file, "\n" or "\r\n"

	innerStart, innerEnd int
}

// Inner is what stands between the two markers: whole lines.
func (b Block) Inner(text []byte) []byte { return text[b.innerStart:b.innerEnd] }

// surround is what a block that is new needs before and behind it.
func (b Block) surround(text string) (sep, tail string) {
	if b.Found {
		return "", ""
	}
	switch {
	case strings.TrimPrefix(text, bom) == "", strings.HasSuffix(text, b.EOL+b.EOL):
	case strings.HasSuffix(text, "\n"):
		sep = b.EOL
	default:
		sep = b.EOL + b.EOL
	}
	return sep, b.EOL
}

// render is the whole block with the file's line ends.
func (b Block) render(content string) string {
	whole := BeginMarker + "\n" + content + EndMarker
	if b.EOL == "\n" {
		return whole
	}
	return strings.ReplaceAll(whole, "\n", b.EOL)
}

// markers are the lines of one kind.
type markers struct {
	plain, fenced []int
}

// find looks for the block. Markers count only as lines of their own, indented
// by at most three blanks and outside code fences, so that a person can write
// about them. What cannot be told safely (two blocks, half a one, one inside a
// code fence) is [brain.ErrInvalid]; its message names file and line.
func find(name, text string) (Block, error) {
	none := Block{Start: len(text), End: len(text), innerStart: len(text), innerEnd: len(text), EOL: eolOf(text)}
	if !strings.Contains(text, "brainbridge:") {
		return none, nil
	}
	p := scan(text)
	var begin, end markers
	for i := range p.lines {
		switch markerOf(p.content(i)) {
		case "begin":
			begin.add(p, i)
		case "end":
			end.add(p, i)
		}
	}
	if err := check(name, p, begin, end); err != nil {
		return Block{}, err
	}
	if len(begin.plain) == 0 {
		return none, nil
	}
	return p.block(begin.plain[0], end.plain[0]), nil
}

func (m *markers) add(p *page, i int) {
	if p.lines[i].fenced {
		m.fenced = append(m.fenced, i)
		return
	}
	m.plain = append(m.plain, i)
}

// block is the one between two marker lines.
func (p *page) block(begin, end int) Block {
	content := p.content(begin)
	from, to := p.lines[begin], p.lines[end]
	b := Block{
		Found:      true,
		Start:      int(from.start) + strings.Index(content, "<!--"),
		End:        int(to.start) + strings.Index(p.content(end), "-->") + len("-->"),
		Line:       begin + 1,
		innerStart: int(from.next),
		innerEnd:   int(to.start),
	}
	own := eolAt(p.text[:b.Start]) + eolAt(p.text[b.End:])
	b.EOL = "\n"
	if strings.HasPrefix(own, "\r\n") || own == "" && eolOf(p.text) == "\r\n" {
		b.EOL = "\r\n"
	}
	return b
}

// eolOf is the first line end of a text. Without one it is LF, unless the text
// ends with a lone CR, to which an LF of ours would make a CRLF.
func eolOf(text string) string {
	if eol := eolAt(text); eol == "\r\n" || eol == "" && strings.HasSuffix(text, "\r") {
		return "\r\n"
	}
	return "\n"
}

func eolAt(text string) string {
	n := strings.IndexByte(text, '\n')
	switch {
	case n < 0:
		return ""
	case n > 0 && text[n-1] == '\r':
		return "\r\n"
	}
	return "\n"
}

// markerOf is "begin", "end" or "". A line with anything else on it is none.
func markerOf(s string) string {
	s, ok := outdent(strings.TrimPrefix(s, bom))
	if !ok {
		return ""
	}
	s, open := strings.CutPrefix(s, "<!--")
	s, closed := strings.CutSuffix(strings.TrimRight(s, " \t"), "-->")
	word, ours := strings.CutPrefix(strings.Trim(s, " \t"), "brainbridge:")
	if open && closed && ours && (word == "begin" || word == "end") {
		return word
	}
	return ""
}

func check(name string, p *page, begin, end markers) error {
	b, e := begin.plain, end.plain
	switch {
	case len(b) == 0 && len(e) == 0:
		return checkFenced(name, p, begin.fenced)
	case len(b) > 1:
		return invalid(name, b[1]+1, "take one of the two out, with its markers",
			"a second managed block begins here, the first one on line %d", b[0]+1)
	case len(e) > 1:
		return invalid(name, e[1]+1, "take the marker out that is too much",
			"the managed block ends a second time here, the first time on line %d", e[0]+1)
	case len(b) == 0:
		return half(name, e[0]+1, begin, "ends", "begins", BeginMarker)
	case len(e) == 0:
		return half(name, b[0]+1, end, "begins", "ends", EndMarker)
	case e[0] < b[0]:
		return invalid(name, e[0]+1, "put the two markers in order", "the managed block ends here, before it begins on line %d", b[0]+1)
	}
	return nil
}

func half(name string, at int, other markers, does, lacks, marker string) error {
	if len(other.fenced) > 0 {
		return invalid(name, at, "close the code fence above the marker",
			"the managed block %s here, but the line where it %s (%d) stands inside a code fence", does, lacks, other.fenced[0]+1)
	}
	return invalid(name, at, fmt.Sprintf("put the line %s back, or take this one out", marker),
		"the managed block %s here, but there is no line where it %s", does, lacks)
}

// checkFenced tells a block that got into a code fence, because one was opened
// above it, from a text about the markers.
func checkFenced(name string, p *page, begins []int) error {
	for _, i := range begins {
		next := i + 1
		for next < len(p.lines) && p.blank(next) {
			next++
		}
		if next < len(p.lines) && (p.content(next) == headLine || dayOf(p.content(next)) != "") {
			return invalid(name, i+1, "close the code fence that is open above this line", "the managed block stands inside a code fence")
		}
	}
	return nil
}

func invalid(name string, line int, hint, format string, args ...any) error {
	return brain.Errorf(brain.ErrInvalid, hint, "%s:%d: %s; nothing was written", name, line, fmt.Sprintf(format, args...))
}
