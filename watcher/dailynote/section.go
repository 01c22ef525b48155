package dailynote

import "strings"

// region is text outside outcomes: the lines from..to under one heading.
type region struct {
	heading  string
	level    int
	line     int // of the heading, 0 if there is none or it is further up
	from, to int
}

// headedRegion turns a region into a section and its bullets.
func (p *parser) headedRegion(r region) {
	items := p.items(r)
	p.addBullets(r, items)
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
	p.addSection(s, "", append(own, items.rest(p.mentionsIn(r.from, r.to))...))
}

// isDayTitle recognises the heading that the program puts on top of a note.
func (p *parser) isDayTitle(r region) bool {
	return p.daily && r.level == 1 && r.heading == dayTitle(p.opts.Day)
}

// remaining is the text of the lines from..to that belong to no bullet, and
// the number of its first line.
func (p *parser) remaining(from, to int, items *items) (text string, firstLine int) {
	var pieces []string
	start := from
	for i := from; i < to; i++ {
		switch taken := items.bulletAt(i) != none; {
		case taken && start < i:
			pieces = append(pieces, p.slice(start, i))
			start = i + 1
		case taken:
			start = i + 1
		case firstLine == 0 && !p.lines[i].blank:
			firstLine = i + 1
		}
	}
	if start < to {
		pieces = append(pieces, p.slice(start, to))
	}
	return trimOuter(strings.Join(pieces, "")), firstLine
}

// trimOuter cuts off blank lines before and after, and blanks at the end.
func trimOuter(s string) string {
	s = strings.TrimRight(s, " \t\r\n\v\f")
	for {
		head, rest, ok := strings.Cut(s, "\n")
		if !ok || !isBlank(head) {
			return s
		}
		s = rest
	}
}

// addSection completes a section and adds it; text is what tells it from
// others under the same heading, if that is not their order.
func (p *parser) addSection(s Section, text string, own []mention) {
	s.Identity = p.identity("section", p.opts.Day, s.Heading, text)
	s.Hash = HashText(s.Text)
	s.Mentions = distinct(own)
	p.out.Sections = append(p.out.Sections, s)
}

// plainRegion reads a file without headings: each paragraph or item by itself.
func (p *parser) plainRegion(r region) {
	items := p.items(r)
	for i := r.from; i < r.to; {
		if k := items.bulletAt(i); k != none {
			p.addBulletOnce(r, items, k, i)
			i++
			continue
		}
		end := p.blockEnd(i, r.to, items)
		p.addBlock(i, end)
		i = end
	}
}

// blockEnd is the line after the paragraph or item that starts on line i.
func (p *parser) blockEnd(i, to int, items *items) int {
	j := i + 1
	inItem := items.ownerAt(i) != none
	for j < to && items.bulletAt(j) == none && !items.startsAt(j) {
		if (items.ownerAt(j) != none) != inItem {
			break
		}
		if p.lines[j].blank && !p.lines[j].fenced && !inItem {
			break
		}
		j++
	}
	return j
}

func (p *parser) addBlock(from, to int) {
	for from < to && p.lines[from].blank {
		from++
	}
	text := trimOuter(p.slice(from, to))
	if text == "" {
		return
	}
	if p.daily && p.keywordIn(from, to) {
		p.addBullet(Bullet{Text: text, Line: from + 1}, p.mentionsIn(from, to))
		return
	}
	p.addSection(Section{Line: from + 1, Text: text}, NormalText(text), p.mentionsIn(from, to))
}

// keywordIn looks for a keyword outside fences.
func (p *parser) keywordIn(from, to int) bool {
	for i := from; i < to; i++ {
		if !p.lines[i].fenced && hasKeyword(p.content(i)) {
			return true
		}
	}
	return false
}
