package memorymd

import (
	"fmt"
	"strings"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/markdown"
)

const bom = "\ufeff"

// Block is the place of the managed block in a text.
type Block struct {
	Found bool
	// Start and End are offsets of the first character of the begin marker and
	// of the end of the end marker. The line end behind it is the person's. Both
	// are the text's length if there is no block.
	Start, End int
	Line       int    // of the begin marker, from 1
	EOL        string // the line end of the file, "\n" or "\r\n"

	innerStart, innerEnd int
}

// Inner returns the lines between the two markers.
func (b Block) Inner(text []byte) []byte { return text[b.innerStart:b.innerEnd] }

// render returns the whole block with the file's line ends.
func (b Block) render(content string) string {
	return strings.ReplaceAll(markdown.BlockBegin+"\n"+content+markdown.BlockEnd, "\n", b.EOL)
}

// find looks for the block. A marker counts only on a line of its own, indented
// by at most three blanks and outside code fences, so a person can write about
// markers. Anything but one begin marker and one end marker below it is
// [brain.ErrInvalid], with file and line in the message.
func find(name, text string) (Block, error) {
	none := Block{Start: len(text), End: len(text), innerStart: len(text), innerEnd: len(text), EOL: eolOf(text)}
	if !strings.Contains(text, "brainbridge:") {
		return none, nil
	}
	d := markdown.Parse(text)
	var markers []int // lines
	for i, line := range d.Prose() {
		kind := markerKind(line)
		if kind == "" {
			continue
		}
		markers = append(markers, i)
		if n := len(markers); n > 2 || (kind == "begin") != (n == 1) {
			return Block{}, wrongMarker(name, i)
		}
	}
	switch len(markers) {
	case 0:
		return none, nil
	case 1:
		return Block{}, wrongMarker(name, markers[0])
	}
	return blockAt(d, markers[0], markers[1]), nil
}

func wrongMarker(name string, line int) error {
	hint := fmt.Sprintf("keep one line %s and one line %s below it, outside of code fences", markdown.BlockBegin, markdown.BlockEnd)
	return invalid(name, line+1, hint, "this marker of the managed block has no counterpart, or is one too many")
}

// blockAt returns the block between two marker lines.
func blockAt(d *markdown.Document, begin, end int) Block {
	b := Block{
		Found:      true,
		Start:      d.Offset(begin) + strings.Index(d.Line(begin), "<!--"),
		End:        d.Offset(end) + strings.Index(d.Line(end), "-->") + len("-->"),
		Line:       begin + 1,
		innerStart: d.Offset(begin + 1),
		innerEnd:   d.Offset(end),
		EOL:        eolOf(d.Text),
	}
	// Our own line ends do not say what the person uses.
	for _, outside := range []string{d.Text[b.End:], d.Text[:b.Start]} {
		if strings.Contains(outside, "\n") {
			b.EOL = eolOf(outside)
		}
	}
	return b
}

// eolOf returns the first line end of a text. Without one it is LF, unless the
// text ends with a lone CR, which an LF would make a CRLF.
func eolOf(text string) string {
	n := strings.IndexByte(text, '\n')
	if n > 0 && text[n-1] == '\r' || n < 0 && strings.HasSuffix(text, "\r") {
		return "\r\n"
	}
	return "\n"
}

// markerKind returns "begin", "end" or "". A line with anything else on it is not
// a marker.
func markerKind(line string) string {
	s, ok := markdown.Outdent(strings.TrimPrefix(line, bom))
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

func invalid(name string, line int, hint, format string, args ...any) error {
	return brain.Errorf(brain.ErrInvalid, hint, "%s:%d: %s; nothing was written", name, line, fmt.Sprintf(format, args...))
}
