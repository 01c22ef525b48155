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
	// Start is the offset of the begin marker, End that after the end marker. The line
	// ending after it belongs to the person. Both are the text's length if there is no
	// block.
	Start, End int
	Line       int    // of the begin marker, from 1
	Run        string // that wrote it, "" for a marker that names none
	EOL        string // the line end of the file, "\n" or "\r\n"

	innerStart, innerEnd int // of the lines between the markers
}

func (b Block) inner(text string) string { return text[b.innerStart:b.innerEnd] }

func (b Block) render(content, run string) string {
	begin := markdown.BlockBegin
	if run != "" {
		begin = markdown.BlockBeginPrefix + " " + run + " -->"
	}
	return strings.ReplaceAll(begin+"\n"+content+markdown.BlockEnd, "\n", b.EOL)
}

// around returns what of a text is before the block, a separator for a new one, and what is after
// it, with moved below the line of the end marker.
func (b Block) around(text, moved string) (before, sep, after string) {
	before, after = text[:b.Start], text[b.End:]
	if !b.Found {
		return before, markdown.Gap(strings.TrimPrefix(text, bom), b.EOL), b.EOL + after
	}
	if moved == "" {
		return before, "", after
	}
	rest, below, hasEnd := strings.Cut(after, "\n")
	if !hasEnd {
		return before, "", after + b.EOL + b.EOL + moved
	}
	if below != "" && !strings.HasPrefix(strings.TrimPrefix(below, "\r"), "\n") {
		moved += b.EOL
	}
	return before, "", rest + "\n" + b.EOL + moved + below
}

// find looks for the block. A marker counts only if it is alone on a line, indented by at
// most three blanks and outside code fences, so a person can write about markers. Anything
// other than one begin marker and one end marker below it is [brain.ErrInvalid], with file
// and line in the message.
func find(name, text string) (Block, error) {
	b := Block{Start: len(text), End: len(text), innerStart: len(text), innerEnd: len(text), EOL: eolOf(text)}
	if !strings.Contains(text, "brainbridge:") {
		return b, nil
	}
	d := markdown.Parse(text)
	begin, end, wrong := -1, -1, -1 // lines
	for i, line := range d.Prose() {
		switch kind, run := marker(line); {
		case kind == "":
		case kind == "begin" && begin < 0:
			begin, b.Run = i, run
		case kind == "end" && begin >= 0 && end < 0:
			end = i
		case wrong < 0:
			wrong = i
		}
	}
	if begin >= 0 && end < 0 && wrong < 0 {
		wrong = begin
	}
	if wrong >= 0 {
		hint := fmt.Sprintf("keep one line %s and one line %s below it, outside of code fences", markdown.BlockBegin, markdown.BlockEnd)
		return b, invalid(name, wrong+1, hint, "this marker of the managed block has no counterpart, or is one too many")
	}
	if begin < 0 {
		return b, nil
	}
	b.Found, b.Line = true, begin+1
	b.Start = d.Offset(begin) + strings.Index(d.Line(begin), "<!--")
	b.End = d.Offset(end) + strings.Index(d.Line(end), "-->") + len("-->")
	b.innerStart, b.innerEnd = d.Offset(begin+1), d.Offset(end)
	// The line endings of the block do not show what the person uses.
	for _, outside := range []string{text[b.End:], text[:b.Start]} {
		if strings.Contains(outside, "\n") {
			b.EOL = eolOf(outside)
		}
	}
	return b, nil
}

// eolOf returns the first line ending of a text. Without one it is LF, unless the text ends
// with a single CR, which an LF would turn into CRLF.
func eolOf(text string) string {
	n := strings.IndexByte(text, '\n')
	if n > 0 && text[n-1] == '\r' || n < 0 && strings.HasSuffix(text, "\r") {
		return "\r\n"
	}
	return "\n"
}

// marker returns "begin" with the run that it names, "end" or "". A marker is alone on its line.
func marker(line string) (kind, run string) {
	s, ok := markdown.Outdent(strings.TrimPrefix(line, bom))
	if !ok {
		return "", ""
	}
	s, open := strings.CutPrefix(s, "<!--")
	s, closed := strings.CutSuffix(strings.TrimRight(s, " \t"), "-->")
	word, ours := strings.CutPrefix(strings.Trim(s, " \t"), "brainbridge:")
	word, run, _ = strings.Cut(word, " ")
	if open && closed && ours && (word == "begin" && !strings.Contains(run, " ") || word == "end" && run == "") {
		return word, run
	}
	return "", ""
}

func invalid(name string, line int, hint, format string, args ...any) error {
	return brain.Errorf(brain.ErrInvalid, hint, "%s:%d: %s; nothing was written", name, line, fmt.Sprintf(format, args...))
}
