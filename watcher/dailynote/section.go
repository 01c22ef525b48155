package dailynote

import (
	"strings"

	"github.com/brainbridge/brainbridge/brain/markdown"
	"github.com/brainbridge/brainbridge/brain/words"
)

// region is text outside outcomes: the lines from..to under one heading.
type region struct {
	heading  string
	level    int
	line     int // of the heading, 0 if there is none or it is further up
	from, to int
}

// headedRegion turns a region into a section and its bullets.
func (p *parser) headedRegion(r region) {
	p.checkMissingBlanks(r.from, r.to)
	items := p.items(r)
	for k, it := range items.list {
		if it.bullet == k || it.found.done {
			p.addItem(r, it)
		}
	}
	text, firstLine := p.remaining(r.from, r.to, items)
	if text == "" && (r.line == 0 || p.isDayTitle(r)) {
		return
	}
	s := Section{Heading: r.heading, Level: r.level, Line: r.line, Text: text}
	if s.Line == 0 {
		s.Line = firstLine
	}
	var own []mention
	if r.line > 0 {
		own = append(own, p.mentionsIn(r.line-1, r.line)...)
	}
	p.addSection(s, "", append(own, items.outside(p.mentionsIn(r.from, r.to))...))
}

// isDayTitle reports whether r has the heading that the program puts at the top
// of a note.
func (p *parser) isDayTitle(r region) bool {
	return p.daily && r.level == 1 && r.heading == dayTitle(p.opts.Day)
}

// remaining returns the text of the lines from..to that belong to no bullet, and
// the number of its first line.
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

// addSection completes a section and adds it. Text is the part of its identity
// that distinguishes it from others under the same heading, if their order does
// not.
func (p *parser) addSection(s Section, text string, own []mention) {
	s.Identity = p.identity("section", p.opts.Day, s.Heading, text)
	s.Hash = HashText(s.Text)
	s.Mentions = distinct(own)
	p.out.Sections = append(p.out.Sections, s)
}

// pageSection is the size of a section of a page without headings, in bytes: paragraphs
// are put together up to it, so that they are found by each other's words.
const pageSection = 1000

// plainRegion reads a file without headings: each paragraph or item of a daily note by
// itself.
func (p *parser) plainRegion(r region) {
	p.checkMissingBlanks(r.from, r.to)
	items := p.items(r)
	for _, it := range items.list {
		if it.found.done {
			p.addItem(r, it)
		}
	}
	for i := r.from; i < r.to; {
		if k := items.bulletAt(i); k != none {
			if items.list[k].line == i {
				p.addItem(r, items.list[k])
			}
			i++
			continue
		}
		end := p.blockEnd(i, r.to, items)
		for !p.daily && end < r.to && items.bulletAt(end) == none && p.Offset(end)-p.Offset(i) < pageSection {
			end = p.blockEnd(end, r.to, items)
		}
		p.addBlock(i, end)
		i = end
	}
}

// blockEnd returns the line after the paragraph or item that starts on line i.
func (p *parser) blockEnd(i, to int, items *items) int {
	j := i + 1
	inItem := items.ownerAt(i) != none
	for j < to && items.bulletAt(j) == none && !items.startsAt(j) {
		if (items.ownerAt(j) != none) != inItem {
			break
		}
		if p.Lines[j].Blank && !p.Lines[j].Fenced && !inItem {
			break
		}
		j++
	}
	return j
}

func (p *parser) addBlock(from, to int) {
	for from < to && p.Lines[from].Blank {
		from++
	}
	text := markdown.TrimBlank(p.Slice(from, to))
	if text == "" {
		return
	}
	p.addSection(Section{Line: from + 1, Text: text}, words.Key(text), p.mentionsIn(from, to))
}
