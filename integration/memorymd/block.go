package memorymd

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/dustin/go-humanize/english"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/markdown"
	"github.com/brainbridge/brainbridge/brain/plaintext"
	"github.com/brainbridge/brainbridge/brain/statement"
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

// maxLineText is the length of a line's text in characters.
const maxLineText = 120

const refSize = 8

const headLine = "Memory kept by brainbridge: the strongest entries, by type. " +
	"`brainbridge show ID` prints one whole, `brainbridge recall WORDS` finds what is not here. " +
	"Edit a line to correct it; delete it to keep it out."

// lineText returns the text of the line of an entry, before escaping.
func (e Entry) lineText() string {
	return plaintext.Shorten(plaintext.OneLine(cmp.Or(e.Statement, e.Title, e.Text)), maxLineText)
}

func (e Entry) line(ref string) string {
	date := plaintext.OneLine(e.Date)
	if date != "" {
		date += " "
	}
	place := "brainbridge show " + ref
	if pointer := plaintext.OneLine(e.Pointer); pointer != "" {
		place = strings.ReplaceAll(pointer, "`", "'") + "`, `" + ref
	}
	text := statement.WithFormer(e.lineText()+e.Due, e.Was)
	switch id := e.Other.ID[:min(refSize, len(e.Other.ID))]; {
	case e.Other.Newer:
		text = statement.NamingNewer(text, e.Other.Date, id)
	case id != "":
		text = statement.NamingOlder(text, e.Other.Date, id)
	}
	return "- " + date + escape(text) + " (`" + place + "`)"
}

// textIn returns the text of an entry in its line as the person left it: without
// the sign of the list, the date, the due date, what held before and the pointer.
func textIn(line string, w Written) string {
	s := plaintext.OneLine(line)
	if it, ok := markdown.ParseItem(s); ok && !it.Ordered {
		s = s[it.Text:]
	}
	if w.Date != "" {
		s = strings.TrimPrefix(s, w.Date+" ")
	}
	for _, id := range []string{w.ID, w.Ref} {
		if before, after, ok := strings.Cut(s, id); ok && id != "" {
			s = withoutPointer(before, after)
			break
		}
	}
	s = strings.TrimSpace(statement.WithoutFormer(statement.WithoutOther(strings.TrimSpace(unescape(s)))))
	if w.Due != "" {
		s = strings.Replace(s, w.Due, "", 1)
	}
	return s
}

// withoutPointer returns a line without the brackets around the id between its two parts.
func withoutPointer(before, after string) string {
	start, end := strings.LastIndex(before, "(`"), strings.Index(after, "`)")
	if start >= 0 && end >= 0 && !strings.Contains(before[start:], ")") {
		before, after = before[:start], after[end+len("`)"):]
	} else {
		before, after = strings.TrimSuffix(before, "`"), strings.TrimPrefix(after, "`")
	}
	return strings.TrimRight(before, " ") + " " + strings.TrimLeft(after, " ")
}

// escape takes the meaning from what would break the line or the block.
func escape(s string) string {
	s = strings.NewReplacer("|", `\|`, "<!--", "&lt;!--", "-->", "--&gt;").Replace(s)
	if strings.Count(s, "`")%2 == 1 {
		at := strings.LastIndexByte(s, '`')
		s = s[:at] + "'" + s[at+1:]
	}
	return s
}

func unescape(s string) string {
	return strings.NewReplacer(`\|`, "|", "&lt;!--", "<!--", "--&gt;", "-->").Replace(s)
}

// groups are the known types in the order of the block.
func groups() []string {
	return []string{
		"preference", "decision", "lesson", "crystallization", "pattern", "belief", "fact", "commitment", "person",
		"issue", "resolution", "discovery", "implementation", "reminder", "note",
	}
}

// rank returns the place of a type's group; unknown types follow the known ones.
func rank(typ string) int { return slices.Index(append(groups(), typ), typ) }

// heading returns the heading of a type's group: the plural of a known type. An unknown one
// stays singular: it may be a plural already, or not English.
func heading(typ string) string {
	if typ == "person" {
		return "### People"
	}
	r, size := utf8.DecodeRuneInString(typ)
	name := string(unicode.ToUpper(r)) + typ[size:]
	if slices.Contains(groups(), typ) {
		name = english.PluralWord(2, name, "")
	}
	return "### " + escape(name)
}
