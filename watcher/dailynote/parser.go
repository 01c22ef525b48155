package dailynote

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/brainbridge/brainbridge/brain/markdown"
	"github.com/brainbridge/brainbridge/brain/moment"
	"github.com/brainbridge/brainbridge/brain/plaintext"
)

const byteOrderMark = "\ufeff"

type parser struct {
	*markdown.Document
	opts     Options
	daily    bool
	body     int // first line after the front matter
	headings []heading
	owner    []int          // see items
	unread   []string       // why a line is not a statement of the owner, "" if it may be
	why      []string       // why the item of a line is not a bullet, if it looks like one
	taken    []bool         // lines of outcomes and of bullets
	plain    string         // why nothing of the file is a statement, "" if it may be
	board    bool           // the file is a board, of which only tasks with a date count
	seen     map[string]int // identities given so far
	ids      map[string]int // line of each ID field
	out      File
}

// The levels of headings that can be the header of an outcome.
const (
	minOutcomeLevel = 2
	maxOutcomeLevel = 4
)

// heading is a heading outside code fences and front matter.
type heading struct {
	line      int
	level     int
	isOutcome bool
	header    header // of an outcome
	fault     string // why the header of an outcome cannot be read
}

func newParser(text string, opts Options) *parser {
	if opts.Day == "" { // the blocks that brainbridge wrote repeat memories
		text = markdown.WithoutBlocks(text, func(int) {})
	}
	if opts.Location == nil {
		opts.Location = time.UTC
	}
	p := &parser{
		Document: markdown.Parse(strings.TrimPrefix(text, byteOrderMark)),
		opts:     opts,
		daily:    opts.Day != "",
		seen:     map[string]int{},
		ids:      map[string]int{},
	}
	p.body, p.owner = p.FrontMatter(), make([]int, len(p.Lines))
	for _, i := range p.Unclosed {
		p.problem(i, "this code fence is never closed, so it is read as plain text; close it")
	}
	p.taken, p.why = make([]bool, len(p.Lines)), make([]string, len(p.Lines))
	if opts.Plain {
		p.plain = "the folder holds templates, skills or texts of others"
	}
	p.findUnread()
	p.readHeadings()
	return p
}

func (p *parser) readHeadings() {
	for i := p.body; i < len(p.Lines); i++ {
		h := heading{line: i, level: int(p.Lines[i].Level)}
		if h.level == 0 {
			continue
		}
		if p.daily && p.unread[i] == "" && h.level >= minOutcomeLevel && h.level <= maxOutcomeLevel {
			_, text := markdown.Heading(p.Line(i))
			h.header, h.isOutcome, h.fault = parseHeader(text)
			if day := h.header.day; h.isOutcome && day != "" && day != p.opts.Day {
				h.isOutcome, h.fault = false, day+" is not the day of this note"
			}
		}
		p.headings = append(p.headings, h)
	}
}

func (p *parser) problem(i int, format string, args ...any) {
	p.out.Problems = append(p.out.Problems, Problem{Line: i + 1, Message: fmt.Sprintf(format, args...)})
}

func (p *parser) readFrontMatter() {
	end := cmp.Or(p.body, p.UnclosedFrontMatter()+1)
	front := p.Slice(1, end-1)
	fields, err := markdown.ParseFields(front)
	switch p.board = fields["kanban-plugin"] != nil; {
	case IsOfMemoryTool(fields):
		p.makePlain("another memory tool wrote the file")
	case fields["excalidraw-plugin"] != nil:
		p.makePlain("the file is a drawing")
	}
	switch {
	case p.body > 0:
		p.addSection(Section{Line: 1, Text: markdown.TrimBlank(p.Slice(0, p.body))}, "front matter")
		if err != nil && !strings.HasPrefix(p.Text, "+++") {
			p.problem(0, "the front matter is not YAML, so each of its lines is read by itself: %v", err)
		}
		p.out.Date = cmp.Or(p.frontDay(fields, "date"), p.frontDay(fields, "created"))
	case front != "":
		p.problem(0, "the front matter is never closed, so it is read as text; write --- below it")
	}
	switch p.out.Project = FrontProject(fields); {
	case p.out.Project == UnreadProject:
		p.problem(0, "project in the front matter cannot be read, so what the file says is pushed to no project; write project: NAME")
	case len(fields.List("project")) > 1 && fields.Text("project") == "":
		p.problem(0, "the front matter names several projects, so the first counts: %s", p.out.Project)
	}
	p.out.Project = cmp.Or(p.out.Project, p.topTag())
	for _, h := range p.headings {
		if p.out.Date == "" && h.level == 1 {
			p.out.Date = p.opts.TitleDay(markdown.HeadingText(p.Line(h.line)))
			break
		}
	}
}

// frontDay returns the day of a field of the front matter, "" without one.
func (p *parser) frontDay(fields markdown.Fields, key string) string {
	value := fields.Text(key)
	day := moment.LeadingDay(value)
	if value != "" && day == "" {
		p.problem(0, "%s in the front matter is not a date: %q; write YYYY-MM-DD", key, plaintext.Shorten(value, maxQuoted))
	}
	return day
}

// outline has, for each level of headings, the last heading of a larger level and those
// around it, one a line, and the kind that they give to the texts below them.
type outline [7]struct{ kind, headings string }

// region returns the region under a heading, and notes the heading for those below it. The
// title of a page gives them no kind.
func (o *outline) region(heading string, level, line int) region {
	inner := o[level-1]
	r := region{heading: heading, around: inner.headings, level: level, line: line + 1, from: line + 1}
	r.kind, inner.kind = headingKind(heading, inner.kind)
	inner.headings = heading + "\n" + inner.headings
	if level == 1 {
		inner.kind = ""
	}
	for ; level < len(o); level++ {
		o[level] = inner
	}
	return r
}

// read turns the headings and the text between them into outcomes and regions of other text.
// The text after a captured outcome belongs to the title of the page. Headings in an outcome
// are part of it, and what is explicit below them is read as well.
func (p *parser) read() {
	p.readFrontMatter()
	var around outline
	top, current := region{}, region{from: p.body}
	end := 0 // the line after the outcomes that are open
	for k, h := range p.headings {
		p.readUntil(h.line, end, current, top)
		if h.fault != "" {
			p.problem(h.line, "%s, so this is read as a plain heading; write ## [HH:MM] type: title", h.fault)
		}
		text := markdown.HeadingText(p.Line(h.line))
		switch {
		case h.isOutcome:
			end = max(end, p.readOutcome(k))
			current = region{heading: p.out.Outcomes[len(p.out.Outcomes)-1].Title, level: h.level, from: h.line + 1}
		case h.line < end && isContentHeading(p.Document, h.line):
			current.from = h.line + 1
		case h.line < end:
			current = region{heading: text, level: h.level, from: h.line + 1}
		default:
			current = around.region(text, h.level, h.line)
			current.kind = p.kindBelow(current.kind)
			if h.level == 1 {
				top = current
			}
		}
	}
	p.readUntil(len(p.Lines), end, current, top)
}

// kindBelow returns the kind of the texts under a heading that names one: in notes and in
// files of the owner's own statements it counts.
func (p *parser) kindBelow(kind string) string {
	if p.daily || p.opts.Kept {
		return kind
	}
	return ""
}

// readUntil reads the text of a region up to a line. What is before end is part of an outcome;
// what is behind it belongs to the title of the page.
func (p *parser) readUntil(line, end int, r, top region) {
	if r.from < end {
		inside := r
		inside.to, inside.inside = min(line, end), true
		p.readRegion(inside)
		for i := inside.from; i < inside.to; i++ {
			_, item := markdown.ParseItem(p.Line(i))
			p.taken[i] = p.taken[i] || !item && p.Lines[i].Level == 0 // prose of the outcome
		}
		if line <= end {
			return
		}
		r = region{heading: top.heading, kind: top.kind, level: top.level, from: end}
	}
	r.to = line
	p.readRegion(r)
}

// makePlain makes the whole file searchable prose: nothing in it is extracted.
func (p *parser) makePlain(why string) {
	p.plain = why
	for i := range p.headings {
		p.headings[i].isOutcome, p.headings[i].fault = false, ""
	}
}
