package dailynote

import "strings"

// items are the list items of a region, nested ones after those around them.
type items struct {
	from   int
	list   []item
	owner  []int32 // per line: the innermost item that it belongs to, or -1
	bullet []int32 // per item: the bullet that its lines go to, or -1
	lines  [][]int // per item: the lines of the bullet, if it is one
}

type item struct {
	line    int
	parent  int // -1 at the top
	indent  int // columns before the marker
	content int // columns before the text
	keyword bool
}

const none = -1

// items finds the list items of a region and which of them are bullets. It
// returns nil if there are none; the methods accept that.
func (p *parser) items(r region) *items {
	if !p.hasItem(r) {
		return nil
	}
	t := &items{from: r.from, owner: make([]int32, r.to-r.from)}
	open := none
	for i := r.from; i < r.to; i++ {
		open = p.place(t, i, open)
	}
	p.resolve(t)
	return t
}

func (p *parser) hasItem(r region) bool {
	for i := r.from; i < r.to; i++ {
		if _, ok := itemOf(p.content(i)); ok && !p.lines[i].fenced {
			return true
		}
	}
	return false
}

// place gives line i to an item and returns the innermost item still open.
func (p *parser) place(t *items, i, open int) int {
	l := p.lines[i]
	columns, _ := indentOf(p.content(i))
	it, isItem := itemOf(p.content(i))
	switch {
	case l.fenced && i > t.from && p.lines[i-1].fenced && !l.opens:
		t.own(i, int(t.owner[i-1-t.from])) // a fence goes where its first line goes
		return open
	case l.blank:
		t.own(i, none) // until a later line of the same item follows
		return open
	}
	for open != none && t.list[open].indent >= columns {
		open = t.list[open].parent
	}
	if isItem && !l.fenced {
		it.line, it.parent = i, open
		t.list = append(t.list, it)
		open = len(t.list) - 1
	} else if open != none {
		t.fillBlanks(p, i, open)
	}
	t.own(i, open)
	return open
}

func (t *items) own(i, k int) { t.owner[i-t.from] = int32(k) }

// fillBlanks gives the blank lines before line i to the item that goes on.
func (t *items) fillBlanks(p *parser, i, k int) {
	for j := i - 1; j >= t.from && p.lines[j].blank && !p.lines[j].fenced; j-- {
		t.own(j, k)
	}
}

// resolve finds the bullets: items with a keyword on their own lines. Other
// items go with the bullet around them.
func (p *parser) resolve(t *items) {
	for n, k := range t.owner {
		i := n + t.from
		if k != none && !p.lines[i].fenced && !t.list[k].keyword {
			t.list[k].keyword = p.daily && hasKeyword(p.content(i))
		}
	}
	t.bullet = make([]int32, len(t.list))
	t.lines = make([][]int, len(t.list))
	for k, it := range t.list {
		switch {
		case it.keyword:
			t.bullet[k] = int32(k)
		case it.parent != none:
			t.bullet[k] = t.bullet[it.parent]
		default:
			t.bullet[k] = none
		}
	}
	for n := range t.owner {
		if k := t.bulletAt(n + t.from); k != none {
			t.lines[k] = append(t.lines[k], n+t.from)
		}
	}
}

// ownerAt is the item that a line belongs to, or none.
func (t *items) ownerAt(i int) int {
	if t == nil {
		return none
	}
	return int(t.owner[i-t.from])
}

// bulletAt is the bullet that a line belongs to, or none.
func (t *items) bulletAt(i int) int {
	k := t.ownerAt(i)
	if k == none {
		return none
	}
	return int(t.bullet[k])
}

// startsAt tells whether an item starts on a line that is not nested.
func (t *items) startsAt(i int) bool {
	k := t.ownerAt(i)
	return k != none && t.list[k].line == i && t.list[k].parent == none
}

// rest are those mentions that stand in no bullet.
func (t *items) rest(all []mention) []mention {
	var left []mention
	for _, m := range all {
		if t.bulletAt(m.line) == none {
			left = append(left, m)
		}
	}
	return left
}

func (p *parser) addBullets(r region, t *items) {
	for i := r.from; t != nil && i < r.to; i++ {
		if k := t.bulletAt(i); k != none {
			p.addBulletOnce(r, t, k, i)
		}
	}
}

// addBulletOnce adds bullet k if line i is its first.
func (p *parser) addBulletOnce(r region, t *items, k, i int) {
	if t.list[k].line != i {
		return
	}
	var own []mention
	for _, j := range t.lines[k] {
		own = append(own, p.mentionsIn(j, j+1)...)
	}
	p.addBullet(Bullet{Text: p.itemText(t, k), Heading: r.heading, Line: i + 1}, own)
}

func (p *parser) addBullet(b Bullet, own []mention) {
	b.Importance = ImportanceOf(b.Text)
	b.Identity = p.identity("bullet", p.opts.Day, b.Heading, NormalText(b.Text))
	b.Hash = HashText(b.Text)
	b.Mentions = distinct(own)
	p.out.Bullets = append(p.out.Bullets, b)
}

// itemText is an item without its marker and its indentation.
func (p *parser) itemText(t *items, k int) string {
	var text strings.Builder
	for n, i := range t.lines[k] {
		s := p.content(i)
		if n == 0 {
			_, at := indentOf(s)
			s = strings.TrimLeft(s[at+1:], " \t")
		} else {
			text.WriteByte('\n')
			s = dedent(s, t.list[k].content)
		}
		text.WriteString(strings.TrimRight(s, " \t\r"))
	}
	return text.String()
}

// dedent takes at most so many columns of blanks off the start of s.
func dedent(s string, columns int) string {
	taken := 0
	for s != "" && taken < columns {
		switch s[0] {
		case ' ':
			taken++
		case '\t':
			taken += 4 - taken%4
		default:
			return s
		}
		s = s[1:]
	}
	return s
}

// itemOf recognises a line that starts with a list marker.
func itemOf(s string) (item, bool) {
	columns, at := indentOf(s)
	rest := s[at:]
	if rest == "" || strings.IndexByte("-*+", rest[0]) < 0 {
		return item{}, false
	}
	if len(rest) > 1 && rest[1] != ' ' && rest[1] != '\t' {
		return item{}, false
	}
	if len(rest) > 1 && isBreak(rest) {
		return item{}, false
	}
	return item{indent: columns, content: columns + 2}, true
}

// isBreak recognises a line across the page, "* * *".
func isBreak(s string) bool {
	char := s[0]
	if char == '+' {
		return false
	}
	n := strings.Count(s, s[:1])
	return n >= 3 && strings.Trim(s, " \t"+s[:1]) == ""
}
