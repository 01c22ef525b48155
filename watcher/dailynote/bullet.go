package dailynote

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/brainbridge/brainbridge/brain/markdown"
	"github.com/brainbridge/brainbridge/brain/words"
)

// items are the list items of a region, nested ones after those around them.
type items struct {
	from  int // first line of the region
	list  []item
	owner []int // per line of the text: the innermost item that it belongs to, or none
}

type item struct {
	markdown.Item
	line      int
	paragraph bool
	labelled  bool  // a line with a label that continues another item
	callout   bool  // the paragraph is a quotation with a type: > [!important] Lesson
	parent    int   // none at the top
	bullet    int   // the item of the bullet that its lines go to, or none
	own       []int // lines without those of nested items
	lines     []int // of the bullet, if it is the item of one
	found     statement
}

const none = -1

// lead has the kind and the subject of a list, from the heading or the paragraph above it.
type lead struct {
	kind    string
	subject string // from a heading that names no kind itself: "Editor" below "Preferences"
}

// items finds the list items of a region and which of them are bullets.
func (p *parser) items(r region) *items {
	t := &items{from: r.from, owner: p.owner}
	open := none
	for i := r.from; i < r.to; i++ {
		open = p.place(t, i, open)
	}
	p.markBullets(t, r)
	return t
}

// place assigns line i to an item and returns the innermost item still open.
func (p *parser) place(t *items, i, open int) int {
	l := p.Lines[i]
	switch {
	case l.Fenced && !l.Opens && i > t.from:
		t.owner[i] = t.owner[i-1] // a fence belongs to the item of its first line
		return open
	case l.Blank:
		t.owner[i] = none // until a later line of the same item follows
		if open != none && (t.list[open].paragraph || t.list[open].labelled) {
			return t.list[open].parent
		}
		return open
	}
	columns, _ := markdown.Indent(p.Line(i))
	quoted := strings.HasPrefix(strings.TrimSpace(p.Line(i)), ">")
	callout := quoted && isCallout(p.Line(i))
	if open != none && t.list[open].paragraph && (p.unread[i] != "" && !l.Fenced || callout || quoted != t.list[open].callout) {
		open = none
	}
	it, isItem := p.itemOn(i, open != none && t.list[open].paragraph)
	labelled := open != none && !isItem && !t.list[open].paragraph && !p.Lines[i-1].Blank && p.startsLabel(i)
	for open != none && (t.list[open].Indent >= columns || t.list[open].paragraph && (isItem || p.startsLabel(i)) || labelled && t.list[open].labelled) {
		open = t.list[open].parent
	}
	switch {
	case labelled:
		text := len(p.Line(i)) - len(strings.TrimLeft(p.Line(i), " \t"))
		t.list = append(t.list, item{Item: markdown.Item{Indent: columns - 1, Content: columns, Text: text}, line: i, labelled: true, parent: open, bullet: none})
		open = len(t.list) - 1
	case isItem:
		t.list = append(t.list, item{Item: it, line: i, parent: open, bullet: none})
		open = len(t.list) - 1
	case open != none:
		p.ownBlanksBefore(t, i, open)
	case p.unread[i] != "" || columns >= markdown.CodeIndent: // read as nothing
		open = none
	case p.startsParagraph(t, i), callout:
		t.list = append(t.list, item{Item: markdown.Item{Indent: -1}, line: i, paragraph: true, callout: callout, parent: none, bullet: none})
		open = len(t.list) - 1
	}
	t.owner[i] = open
	return open
}

// itemOn returns the list item that begins on a line. In a paragraph, a number may be one of the
// text: "on the\n5. of May".
func (p *parser) itemOn(i int, inParagraph bool) (it markdown.Item, ok bool) {
	it, ok = markdown.ParseItem(p.Line(i))
	isNumber := it.Ordered && inParagraph && !strings.HasPrefix(strings.TrimLeft(p.Line(i), " \t"), "1")
	return it, ok && p.unread[i] == "" && !isNumber
}

// startsParagraph reports whether prose begins on a line. A line below a quotation is part of it.
func (p *parser) startsParagraph(t *items, i int) bool {
	if i > t.from && !p.Lines[i-1].Blank && (p.unread[i-1] == "" || p.unread[i-1] == isQuote) {
		return p.startsLabel(i)
	}
	return !markdown.IsBreak(p.Line(i))
}

// startsLabel reports whether a line begins with a kind, in bold type or alone with a capital
// letter.
func (p *parser) startsLabel(i int) bool {
	clock, s := cutTime(strings.TrimLeft(p.Line(i), " \t"))
	first, _ := utf8.DecodeRuneInString(s)
	bold := strings.HasPrefix(s, "**")
	if p.unread[i] != "" || !bold && (!unicode.IsUpper(first) && clock.clock == "" || !strings.Contains(s, ":")) {
		return false
	}
	kind, subject, _ := label(s)
	return kind != "" && (bold || subject == "" && isStatementKind(kind))
}

// ownBlanksBefore assigns the blank lines before line i to the item that continues.
func (p *parser) ownBlanksBefore(t *items, i, k int) {
	for j := i - 1; j >= t.from && p.Lines[j].Blank && !p.Lines[j].Fenced; j-- {
		t.owner[j] = k
	}
}

// markBullets finds the items that are bullets. Other items belong to the bullet around
// them. Lists belong to all headings around them, prose to the one above it.
func (p *parser) markBullets(t *items, r region) {
	for i := r.from; i < r.to; i++ {
		if k := t.owner[i]; k != none {
			t.list[k].own = append(t.list[k].own, i)
		}
	}
	own, _ := headingKind(r.heading, "")
	own = p.kindBelow(own)
	heading := lead{kind: r.kind}
	if own == "" {
		heading.subject = subjectOf(r.heading)
	}
	list := heading
	for k := range t.list {
		it := &t.list[k]
		above, within := list, none
		switch {
		case it.parent != none:
			above, within = lead{kind: t.list[it.parent].found.list}, t.list[it.parent].bullet
		case it.paragraph:
			above = lead{kind: own}
		}
		if r.inside {
			above = lead{}
		}
		it.found = p.statementIn(*it, above, within != none || r.inside)
		p.why[it.line] = it.found.why
		if it.paragraph {
			list = heading.refined(it.found, p.itemText(*it, it.own), own)
		}
		if it.bullet = within; it.found.kind != "" && !it.found.task.done {
			it.bullet = k
		}
	}
	for i := r.from; i < r.to; i++ {
		if k := t.bulletAt(i); k != none {
			t.list[k].lines = append(t.list[k].lines, i)
		}
	}
}

// refined returns the lead of a list below a paragraph, l being that of the heading. A label
// gives the list its kind. Other bold type is the subject of the list if the heading itself
// names a kind, which is own; otherwise the list has no lead. Any other paragraph changes
// nothing.
func (l lead) refined(found statement, paragraph, own string) lead {
	name, bold := strings.CutPrefix(strings.TrimSpace(paragraph), "**")
	name, after, _ := strings.Cut(name, "**")
	switch {
	case found.list != "":
		return lead{kind: found.list}
	case !bold || strings.Trim(after, ": ") != "":
		return l
	case own == "":
		return lead{}
	}
	return lead{kind: own, subject: subjectOf(strings.TrimRight(name, ": "))}
}

// bulletAt returns the bullet that a line belongs to, or none.
func (t *items) bulletAt(i int) int {
	k := t.owner[i]
	if k == none {
		return none
	}
	return t.list[k].bullet
}

// startsAt reports whether an item that is not nested starts on a line.
func (t *items) startsAt(i int) bool {
	k := t.owner[i]
	return k != none && t.list[k].line == i && t.list[k].parent == none
}

func (p *parser) addItem(r region, it item) {
	lines := it.lines
	if it.found.task.done {
		lines = it.own
	}
	for _, i := range lines {
		p.taken[i] = true
	}
	b := Bullet{
		Kind: it.found.kind, Title: it.found.title, Done: it.found.task.done,
		Text: p.itemText(it, lines), Heading: r.heading, Around: r.around, Line: it.line + 1,
	}
	place := b.Heading
	if b.Kind == reminderKind {
		place = ""                      // it may move in its note
		b.Text, _, _ = checkbox(b.Text) // so that it is the same ticked and not
		b.Shown, b.Due = it.found.task.shown, it.found.task.due
		if len(lines) > len(it.own) { // with the items in it
			b.Shown = p.task(b.Text, ' ').shown
		}
		if wrong := p.wrongDueIn(b.Text); wrong != "" && !p.opts.Quiet && !b.Done && b.Due.IsZero() {
			p.problem(it.line, "this task is not due on any day: "+notADate, wrong)
		}
	}
	if it.found.clock.clock != "" {
		b.Time, b.At = it.found.clock.clock, p.instant(p.opts.Day, it.found.clock, it.line)
	}
	b.Importance, b.Project, b.Hash = defaultImportance(b.Kind), projectTag(b.Text+"\n"+b.Heading+"\n"+b.Around), HashText(b.Text)
	b.Identity = p.identity("bullet", p.opts.Day, place, words.Key(b.Text))
	p.out.Bullets = append(p.out.Bullets, b)
}

// itemText returns lines of an item without its marker and its indentation.
func (p *parser) itemText(it item, lines []int) string {
	var text strings.Builder
	for n, i := range lines {
		s := p.Line(i)
		if n == 0 {
			s = strings.TrimLeft(s[it.Text:], " \t")
		} else {
			text.WriteByte('\n')
			s = markdown.Dedent(s, it.Content)
		}
		if it.callout {
			s = strings.TrimPrefix(strings.TrimPrefix(strings.TrimLeft(s, " \t"), ">"), " ")
		}
		text.WriteString(strings.TrimRight(s, " \t\r"))
	}
	if it.callout {
		return calloutText(text.String())
	}
	return text.String()
}

// calloutText returns a callout as a labelled statement, if its title or its type is a kind.
func calloutText(text string) string {
	head, body, _ := strings.Cut(text, "\n")
	typ, title, _ := strings.Cut(strings.TrimPrefix(head, "[!"), "]")
	title = strings.TrimLeft(title, "+- \t")
	switch {
	case labelKind(title) != "" && !strings.Contains(title, ":"):
		return strings.TrimRight(title, " ") + ": " + body
	case isStatementKind(KindOf(typ)) && !strings.Contains(title, ":"):
		return typ + ": " + strings.TrimSpace(title+"\n"+body)
	}
	return strings.TrimSpace(title + "\n" + body)
}
