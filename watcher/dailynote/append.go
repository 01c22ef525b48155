package dailynote

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/brainbridge/brainbridge/brain/markdown"
	"github.com/brainbridge/brainbridge/brain/plaintext"
)

// Captured is an outcome that the program adds to a note.
type Captured struct {
	ID         string // must not be empty: it marks the outcome as captured
	At         time.Time
	Type       string   // a word of the form [a-z][a-z0-9_-]* in any case; otherwise note
	Title      string   // put on one line
	Importance string   // none of the three grades: by the words of title and body, of a compact one by its type
	Tags       []string // without blanks and number signs
	Project    string
	Body       string // any text; it becomes the Content of the outcome byte for byte
	// Compact writes header and body without fields, for items of transcripts. The body
	// is quoted lines and one line of origin, which gets the ID as a comment at its end
	// and is not part of the Content.
	Compact bool
}

// contentTitle is the level-3 heading above the body of a captured outcome.
const contentTitle = "Captured Content"

// Append returns a note with outcomes at its end, and how many were added: those with an ID
// that the note has already are left out. An empty note gets the title of the day first.
// The text of the note is not changed.
//
// A line of a body that would end the outcome or begin another one (an outcome
// header, a level-1 heading, a comment, a code fence that is never closed), or that looks
// like one behind backslashes, gets one more backslash in front. In a note with an open
// code fence all fences of the body are escaped, so that they do not close it.
func Append(note []byte, opts Options, all ...Captured) (text []byte, added int) {
	present := map[string]bool{}
	for _, o := range Parse(note, opts).Outcomes {
		present[o.ID] = true
	}
	fences := len(markdown.Parse(strings.TrimPrefix(string(note), byteOrderMark)).Unclosed) == 0
	var out strings.Builder
	out.Write(note)
	out.WriteString(gapAfter(string(note), opts.Day))
	for _, c := range all {
		o := c.outcome(cmp.Or(opts.Location, time.UTC))
		if present[o.ID] {
			continue
		}
		present[o.ID] = true
		if added++; added > 1 {
			out.WriteString("\n")
		}
		if c.Compact {
			out.WriteString(renderCompact(o))
		} else {
			out.WriteString(render(o, fences))
		}
	}
	if added == 0 {
		return note, 0
	}
	return []byte(out.String()), added
}

// gapAfter returns what separates a note from the outcome that follows.
func gapAfter(note, day string) string {
	if markdown.IsBlank(strings.TrimPrefix(note, byteOrderMark)) {
		return "# " + dayTitle(day) + "\n\n"
	}
	return markdown.Gap(note, "\n")
}

func dayTitle(day string) string { return day + " - Daily Notes" }

// outcome returns the fields of c as the parser reads them.
func (c Captured) outcome(loc *time.Location) Outcome {
	at := c.At.In(loc)
	typ := cmp.Or(CanonicalType(typeWord(strings.TrimSpace(c.Type))), "note")
	importance := defaultImportance(typ)
	if !c.Compact {
		importance = ImportanceOf(c.Title, c.Body)
	}
	return Outcome{
		ID:         plaintext.OneLine(c.ID),
		Date:       at.Format(time.DateOnly),
		Time:       at.Format("15:04"),
		Type:       typ,
		Title:      plaintext.OneLine(c.Title),
		Importance: cmp.Or(parseGrade(c.Importance), importance),
		Tags:       c.Tags,
		Project:    plaintext.OneLine(c.Project),
		Content:    c.Body,
	}
}

func render(o Outcome, fences bool) string {
	var out strings.Builder
	out.WriteString(renderHeader(o))
	tags := ""
	if len(o.Tags) > 0 {
		tags = "#" + strings.Join(o.Tags, " #")
	}
	for _, field := range [][2]string{
		{"Date", o.Date},
		{"Time", o.Time},
		{"Type", o.Type},
		{"Importance", o.Importance},
		{"ID", o.ID},
		{"Source", "brainbridge"},
		{"Project", o.Project},
		{"Tags", tags},
	} {
		if field[1] != "" {
			fmt.Fprintf(&out, "**%s:** %s  \n", field[0], field[1])
		}
	}
	out.WriteString("\n### " + contentTitle + "\n\n" + escape(o.Content, fences) + "\n\n---\n")
	return out.String()
}

// renderHeader returns the header line of an outcome and a blank line.
func renderHeader(o Outcome) string {
	bracket := ""
	if o.Importance != Reference {
		bracket = "[" + strings.ToUpper(o.Importance) + "] "
	}
	header := fmt.Sprintf("## [%s] %s %s%s: %s", o.Time, Emoji(o.Type), bracket, o.Type, o.Title)
	return strings.TrimRight(header, " ") + "\n\n"
}

// Extracted is the tag of outcomes from transcripts.
const Extracted = "transcript"

// The comment at the end of the line of origin.
const markOpen, markClose = " <!-- " + Extracted + ": ", " -->"

// renderCompact returns an outcome without fields, but for a project that no tag can hold.
func renderCompact(o Outcome) string {
	field := ""
	if o.Project != "" && projectTagOf(o.Project) == "" {
		field = "**Project:** " + o.Project + "\n\n"
	}
	text := strings.TrimRight(o.Content, " \n")
	if tag := projectTagOf(o.Project); tag != "" {
		text += " " + tag
	}
	return renderHeader(o) + field + text + markOpen + o.ID + markClose + "\n"
}

// cutOrigin returns a body without its line of origin, and the ID in that, "" if there is none.
func cutOrigin(body string) (text, id string) {
	for line := range strings.Lines(body) {
		_, rest, found := strings.Cut(strings.TrimRight(line, " \t\r\n"), markOpen)
		id, ok := strings.CutSuffix(rest, markClose)
		if found && ok && id != "" && !strings.ContainsAny(id, " \t") {
			return markdown.TrimBlank(strings.Replace(body, line, "", 1)), id
		}
	}
	return body, ""
}

// capturedContent returns the text that was captured, from the body of an outcome
// that the program wrote. A body without the heading of the captured content is
// returned without outer blank lines.
func capturedContent(body string) string {
	d := markdown.Parse(body)
	start := 0
	for start < len(d.Lines) && !isContentHeading(d, start) {
		start++
	}
	if start == len(d.Lines) {
		return markdown.TrimBlank(body)
	}
	start++
	text, gaps := d.Slice(start, len(d.Lines)), []string(nil)
	if end := lastRule(d, start, len(d.Lines)); end >= 0 {
		text, gaps = d.Slice(start, end), []string{"\r\n\r\n", "\n\n", "\n"} // a line end and a blank line come before the rule
	}
	text = strings.TrimPrefix(strings.TrimPrefix(text, "\r"), "\n") // the blank line after the heading
	for _, gap := range gaps {
		if before, ok := strings.CutSuffix(text, gap); ok {
			return unescape(before)
		}
	}
	return unescape(text)
}

func isContentHeading(d *markdown.Document, i int) bool {
	_, text := markdown.Heading(d.Line(i))
	return d.Lines[i].Level == 3 && strings.EqualFold(text, contentTitle)
}

// escape makes every line of a body safe inside a note, and its fences if fences is false.
func escape(body string, fences bool) string {
	d := markdown.Parse(body)
	return d.Rewrite(func(i int, s string) string {
		at, _, danger := dangerOf(s)
		if d.Lines[i].Fenced && fences || !danger {
			return s
		}
		return s[:at] + `\` + s[at:]
	})
}

// unescape undoes escape. It needs no switch: an escaped fence is not a fence.
func unescape(text string) string {
	d := markdown.Parse(text)
	return d.Rewrite(func(i int, s string) string {
		at, backslashes, danger := dangerOf(s)
		if d.Lines[i].Fenced || !danger || backslashes == 0 {
			return s
		}
		return s[:at] + s[at+1:]
	})
}

// dangerOf reports whether a line, behind backslashes, would end an outcome,
// begin one or open a fence; at is the offset of those backslashes.
func dangerOf(s string) (at, backslashes int, danger bool) {
	shallow, ok := markdown.Outdent(s)
	rest := strings.TrimLeft(shallow, `\`)
	at, backslashes = len(s)-len(shallow), len(shallow)-len(rest)
	rest = strings.TrimSuffix(rest, "\r") // at the end of a body it becomes part of a line ending
	level, text := markdown.Heading(rest)
	_, fence := markdown.ParseFence(rest)
	switch {
	case !ok:
	case fence, level == 1, strings.HasPrefix(rest, "<!--") && !strings.Contains(rest, "-->"),
		strings.HasPrefix(rest, "%%") && strings.Count(rest, "%%") < 2:
		danger = true
	case level >= 2 && level <= maxOutcomeLevel:
		_, danger, _ = parseHeader(text)
	}
	return at, backslashes, danger
}
