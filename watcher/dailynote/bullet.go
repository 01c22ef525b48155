package dailynote

import (
	"strings"

	"github.com/brainbridge/brainbridge/brain/markdown"
	"github.com/brainbridge/brainbridge/brain/words"
)

// items are the list items of a region, nested ones after those around them.
type items struct {
	from  int // first line of the region
	list  []item
	owner []int // per line: the innermost item that it belongs to, or none
}

type item struct {
	markdown.Item
	line   int
	parent int   // none at the top
	bullet int   // the item of the bullet that its lines go to, or none
	lines  []int // of the bullet, if it is the item of one
}

const none = -1

// items finds the list items of a region and which of them are bullets.
func (p *parser) items(r region) *items {
	t := &items{from: r.from, owner: make([]int, r.to-r.from)}
	open := none
	for i := r.from; i < r.to; i++ {
		open = p.place(t, i, open)
	}
	p.markBullets(t)
	return t
}

// parseBullet reads the marker of an item in a bullet list.
func parseBullet(line string) (markdown.Item, bool) {
	it, ok := markdown.ParseItem(line)
	return it, ok && !it.Ordered
}

// place assigns line i to an item and returns the innermost item still open.
func (p *parser) place(t *items, i, open int) int {
	l := p.Lines[i]
	switch {
	case l.Fenced && !l.Opens && i > t.from:
		t.own(i, t.owner[i-1-t.from]) // a fence belongs to the item of its first line
		return open
	case l.Blank:
		t.own(i, none) // until a later line of the same item follows
		return open
	}
	columns, _ := markdown.Indent(p.Line(i))
	for open != none && t.list[open].Indent >= columns {
		open = t.list[open].parent
	}
	if it, ok := parseBullet(p.Line(i)); ok && !l.Fenced {
		t.list = append(t.list, item{Item: it, line: i, parent: open, bullet: none})
		open = len(t.list) - 1
	} else if open != none {
		p.ownBlanksBefore(t, i, open)
	}
	t.own(i, open)
	return open
}

func (t *items) own(i, k int) { t.owner[i-t.from] = k }

// ownBlanksBefore assigns the blank lines before line i to the item that goes on.
func (p *parser) ownBlanksBefore(t *items, i, k int) {
	for j := i - 1; j >= t.from && p.Lines[j].Blank && !p.Lines[j].Fenced; j-- {
		t.own(j, k)
	}
}

// markBullets finds the items with a keyword on their own lines. Other items
// belong to the bullet around them.
func (p *parser) markBullets(t *items) {
	for n, k := range t.owner {
		i := n + t.from
		if p.daily && k != none && t.list[k].bullet == none && !p.Lines[i].Fenced && hasKeyword(p.Line(i)) {
			t.list[k].bullet = k
		}
	}
	for k := range t.list {
		if it := &t.list[k]; it.bullet == none && it.parent != none {
			it.bullet = t.list[it.parent].bullet
		}
	}
	for n := range t.owner {
		if k := t.bulletAt(n + t.from); k != none {
			t.list[k].lines = append(t.list[k].lines, n+t.from)
		}
	}
}

// ownerAt returns the item that a line belongs to, or none.
func (t *items) ownerAt(i int) int { return t.owner[i-t.from] }

// bulletAt returns the bullet that a line belongs to, or none.
func (t *items) bulletAt(i int) int {
	k := t.ownerAt(i)
	if k == none {
		return none
	}
	return t.list[k].bullet
}

// startsAt reports whether an item that is not nested starts on a line.
func (t *items) startsAt(i int) bool {
	k := t.ownerAt(i)
	return k != none && t.list[k].line == i && t.list[k].parent == none
}

// outside returns the mentions that are in no bullet.
func (t *items) outside(all []mention) []mention {
	var left []mention
	for _, m := range all {
		if t.bulletAt(m.line) == none {
			left = append(left, m)
		}
	}
	return left
}

// addItem adds the bullet that begins with an item.
func (p *parser) addItem(r region, it item) {
	var own []mention
	for _, i := range it.lines {
		own = append(own, p.mentionsIn(i, i+1)...)
	}
	p.addBullet(Bullet{Text: p.itemText(it), Heading: r.heading, Line: it.line + 1}, own)
}

func (p *parser) addBullet(b Bullet, own []mention) {
	b.Importance, b.Project = ImportanceOf(b.Text), projectTag(b.Text)
	b.Identity = p.identity("bullet", p.opts.Day, b.Heading, words.Key(b.Text))
	b.Hash = HashText(b.Text)
	b.Mentions = distinct(own)
	p.out.Bullets = append(p.out.Bullets, b)
}

// itemText returns a bullet without its marker and its indentation.
func (p *parser) itemText(it item) string {
	var text strings.Builder
	for n, i := range it.lines {
		s := p.Line(i)
		if n == 0 {
			s = strings.TrimLeft(s[it.Text:], " \t")
		} else {
			text.WriteByte('\n')
			s = markdown.Dedent(s, it.Content)
		}
		text.WriteString(strings.TrimRight(s, " \t\r"))
	}
	return text.String()
}
