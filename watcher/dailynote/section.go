package dailynote

import (
	"cmp"
	"slices"
	"strings"

	"github.com/brainbridge/brainbridge/brain/markdown"
	"github.com/brainbridge/brainbridge/brain/words"
)

// region is text outside outcomes: the lines from..to under one heading.
type region struct {
	heading  string
	around   string // the headings around it, a line each, the nearest first
	kind     string // of its texts, as the headings say it
	level    int
	line     int // of the heading, 0 if there is none or it is further up
	from, to int
	inside   bool // the region is part of an outcome
}

// Sizes in bytes.
const (
	longSection = 16 << 10 // from which a region becomes several sections
	longBlock   = 64 << 10 // from which lines without a blank one are not text for people
)

// pieces divides a long region at blank lines and list items. Lines that are a log or data
// are left out, and reported: they would be found for every word.
func (p *parser) pieces(r region) (all []region) {
	if r.inside { // it is searched as the outcome
		return []region{r}
	}
	cut := func(to int) {
		if to > r.from {
			piece := r
			piece.to = to
			all = append(all, piece)
			r.from, r.line = to, 0
		}
	}
	for i := r.from; i < r.to; {
		end := p.unbroken(i, r.to)
		switch size := len(p.Slice(i, end)); {
		case size > longBlock:
			if cut(i); p.Lines[i].Blank {
				i++
			}
			p.problem(i, "%d bytes without a blank line are a log or data, so they are not searched; divide them, or exclude the file", size)
			r.from = end
		case size+len(p.Slice(r.from, i)) > longSection:
			cut(i)
		}
		i = end
	}
	return append(all, r)
}

// unbroken returns the line after those from line i on without a blank line or list item.
func (p *parser) unbroken(i, to int) int {
	for i++; i < to; i++ {
		if _, item := markdown.ParseItem(p.Line(i)); !p.Lines[i].Fenced && (item || p.Lines[i].Blank) {
			break
		}
	}
	return i
}

// readRegion adds the bullets and sections of a region, without any heading by paragraph.
func (p *parser) readRegion(r region) {
	addSections := p.addHeaded
	switch {
	case r.inside:
		addSections = func(region, *items) {}
	case len(p.headings) == 0:
		addSections = p.addPlain
	}
	for _, piece := range p.pieces(r) {
		items := p.items(piece)
		for k, it := range items.list {
			if it.bullet == k || it.found.task.done {
				p.addItem(piece, it)
			}
		}
		addSections(piece, items)
	}
}

func (p *parser) addHeaded(r region, items *items) {
	text, firstLine := p.remaining(r.from, r.to, items)
	isTitle := p.daily && r.level == 1 && r.heading == dayTitle(p.opts.Day) // which the program puts above a note
	if text == "" && (r.line == 0 || isTitle) {
		return
	}
	p.addSection(Section{Heading: r.heading, Around: r.around, Level: r.level, Line: cmp.Or(r.line, firstLine), Text: text}, "")
}

// remaining returns the lines that belong to no bullet, and the number of the first.
func (p *parser) remaining(from, to int, items *items) (text string, firstLine int) {
	var parts []string
	start := from
	for i := from; i < to; i++ {
		switch taken := items.bulletAt(i) != none; {
		case taken:
			parts = append(parts, p.Slice(start, i))
			start = i + 1
		case firstLine == 0 && !p.Lines[i].Blank:
			firstLine = i + 1
		}
	}
	parts = append(parts, p.Slice(start, to))
	return markdown.TrimBlank(strings.Join(parts, "")), firstLine
}

// OwnProse returns what the body of an outcome of a day says itself: without fields, headings,
// tables, code, tasks that are done, and what makes memories of its own, which are list items that
// are bullets, and the outcomes below.
func OwnProse(body, day string) string {
	p := newParser(body, Options{Day: day})
	all := region{to: len(p.Lines), inside: true}
	if k := slices.IndexFunc(p.headings, func(h heading) bool { return h.isOutcome }); k >= 0 {
		all.to = p.headings[k].line
	}
	_, fields := p.readFields(0, all.to)
	items := p.items(all)
	var text strings.Builder
	for i := range all.to {
		k := items.owner[i]
		switch why := p.unread[i]; {
		case items.bulletAt(i) != none, k != none && items.list[k].found.task.done, slices.Contains(fields, i),
			why == isCode, why == isComment, why == isTable, why == isInjected, p.Lines[i].Level > 0, markdown.IsBreak(p.Line(i)):
			text.WriteByte('\n')
		default:
			text.WriteString(p.Slice(i, i+1))
		}
	}
	return markdown.TrimBlank(text.String())
}

// addSection completes a section and adds it. Text distinguishes it from others under the same
// heading, if their order does not.
func (p *parser) addSection(s Section, text string) {
	s.Identity = p.identity("section", p.opts.Day, s.Heading, text)
	s.Hash, s.Project = HashText(s.Text), projectTag(s.Text+"\n"+s.Heading+"\n"+s.Around)
	p.out.Sections = append(p.out.Sections, s)
}

// pageSection is the size of a section of a page without headings, in bytes: paragraphs
// are put together up to it, so that they are found by each other's words.
const pageSection = 1000

// addPlain adds the sections of a file without headings, of a daily note each paragraph.
func (p *parser) addPlain(r region, items *items) {
	for i := r.from; i < r.to; {
		if items.bulletAt(i) != none {
			i++
			continue
		}
		end := p.blockEnd(i, r.to, items)
		for !p.daily && end < r.to && items.bulletAt(end) == none && p.Offset(end)-p.Offset(i) < pageSection {
			end = p.blockEnd(end, r.to, items)
		}
		for i < end && p.Lines[i].Blank {
			i++
		}
		if text := markdown.TrimBlank(p.Slice(i, end)); text != "" {
			p.addSection(Section{Line: i + 1, Text: text}, words.Key(text))
		}
		i = end
	}
}

// blockEnd returns the line after the paragraph or item that starts on line i.
func (p *parser) blockEnd(i, to int, items *items) int {
	j := i + 1
	inItem := items.owner[i] != none
	for j < to && items.bulletAt(j) == none && !items.startsAt(j) && (items.owner[j] != none) == inItem {
		if p.Lines[j].Blank && !p.Lines[j].Fenced && !inItem {
			break
		}
		j++
	}
	return j
}
