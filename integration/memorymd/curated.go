package memorymd

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/brainbridge/brainbridge/watcher/dailynote"
)

// What the block gets at least, however much the person wrote; less only where
// the whole budget is less.
const (
	leastChars = 2_000
	leastLines = 25
)

// size is what a text takes of the budget.
type size struct{ chars, lines int }

func sizeOf(s string) size {
	return size{chars: utf8.RuneCountInString(s), lines: strings.Count(s, "\n")}
}

func (a size) plus(b size) size      { return size{a.chars + b.chars, a.lines + b.lines} }
func (a size) minus(b size) size     { return size{a.chars - b.chars, a.lines - b.lines} }
func (a size) within(room size) bool { return a.chars <= room.chars && a.lines <= room.lines }

// item is an entry on its way into the block.
type item struct {
	entry Entry
	ref   string
	text  string // its line or lines, with LF
	kept  bool
}

// room is what the block may take, with the person's own text around it.
func (p *planning) room(own size) size {
	budget := size{p.o.Chars, p.o.Lines}
	left := budget.minus(own)
	least := size{min(leastChars, budget.chars), min(leastLines, budget.lines)}
	if left.chars < least.chars || left.lines < least.lines {
		p.warn("your own text in %s takes %d of %d characters and %d of %d lines, which leaves less than memories need; shorten it, or raise notes.budget_chars and notes.budget_lines",
			p.o.File, own.chars, budget.chars, own.lines, budget.lines)
	}
	return size{max(left.chars, least.chars), max(left.lines, least.lines)}
}

// curated renders the block as a quick reference.
func (p *planning) curated(own size) string {
	items, rest := p.items()
	eol := len(p.block.EOL) - 1 // what a line end costs more than its LF
	shown := p.pack(items, rest, p.room(own), eol)
	p.out.PointedTo = len(items) - len(shown) + rest
	p.out.Entries = len(shown)
	content, frame := p.layOut(shown)
	p.out.State = State{Form: Curated, Frame: frame, Words: digest(content), Aside: p.aside(shown)}
	for _, it := range shown {
		p.out.State.Entries = append(p.out.State.Entries, it.written())
	}
	if len(shown) == 0 && len(items) > 0 {
		p.warn("the budget of %s leaves no room for an entry; raise notes.budget_chars or notes.budget_lines", p.o.File)
	}
	return content
}

func (it item) written() Written {
	text, ofTitle := it.entry.said()
	return Written{
		ID: it.entry.ID, Root: it.entry.Root, Ref: it.ref, Text: it.text,
		Said: text, Date: it.entry.Date, OfTitle: ofTitle, Kept: it.kept,
	}
}

// items are the entries that may be shown, strongest first, each once, and how
// many memories there are behind them, of which not one could have room.
func (p *planning) items() (out []item, rest int) {
	most := max(p.o.Lines, leastLines) // each takes a line
	seen, roots := map[string]bool{}, map[string]bool{}
	var said []string
	for i, e := range p.entries {
		if len(out) == most {
			rest = len(p.entries) - i
			break
		}
		text, _ := e.said()
		key := dailynote.NormalText(text)
		if key == "" || seen[key] || roots[e.Root] || p.present(e) || p.likeAny(text, said) {
			continue
		}
		seen[key], roots[e.Root] = true, true
		said = append(said, text)
		out = append(out, item{entry: e})
	}
	p.name(out)
	return out, rest + p.o.More
}

// alike tells whether two lines say the same.
func (p *planning) alike(a, b string) bool {
	return dailynote.NormalText(a) == dailynote.NormalText(b) || p.o.Same != nil && p.o.Same(a, b)
}

func (p *planning) likeAny(text string, said []string) bool {
	return p.o.Same != nil && slices.ContainsFunc(said, func(other string) bool { return p.o.Same(text, other) })
}

// name gives each item its id and its line.
func (p *planning) name(items []item) {
	count := map[string]int{}
	for i := range items {
		e := items[i].entry
		items[i].ref = e.Ref
		if e.Ref == "" {
			items[i].ref = e.ID[:min(refSize, len(e.ID))]
		}
		count[items[i].ref]++
	}
	for i := range items {
		it := &items[i]
		if count[it.ref] > 1 {
			it.ref = it.entry.ID
		}
		it.text = it.entry.line(it.ref)
		if kept, ok := p.ed.kept[it.entry.Root]; ok && p.form == Curated {
			it.text, it.ref, it.kept = kept.Text, kept.Ref, true
		}
	}
}

// pack takes the strongest items that fit. The first one of ours that does not
// ends it, so that strength alone decides; a longer one that the person wrote
// does not keep the others out.
func (p *planning) pack(items []item, rest int, room size, eol int) []item {
	used := sizeOf(BeginMarker + "\n\n" + headLine + "\n\n" + countLine(len(items)+rest) + "\n\n" + EndMarker)
	used.chars += used.lines * eol
	var shown []item
	groups := map[string]bool{}
	for _, it := range items {
		add := sizeOf(it.text + "\n")
		if !groups[it.entry.Type] {
			add = add.plus(sizeOf(heading(it.entry.Type) + "\n\n\n"))
		}
		add.chars += add.lines * eol
		if !used.plus(add).within(room) {
			if it.kept {
				continue
			}
			break
		}
		used = used.plus(add)
		groups[it.entry.Type] = true
		shown = append(shown, it)
	}
	return shown
}

// layOut renders the inside of the block and lists its lines that are no
// entries. The blank lines around the markers keep a program that wraps
// paragraphs from drawing a marker into one.
func (p *planning) layOut(shown []item) (content string, frame []string) {
	count := countLine(p.out.PointedTo)
	if len(shown) == 0 {
		if p.out.PointedTo == 0 {
			return "\n" + headLine + "\n\n", []string{headLine}
		}
		return count + "\n", []string{count}
	}
	var out strings.Builder
	out.WriteString("\n" + headLine + "\n\n")
	frame = append(frame, headLine)
	byType := slices.Clone(shown)
	slices.SortStableFunc(byType, func(a, b item) int {
		return cmp.Or(cmp.Compare(rank(a.entry.Type), rank(b.entry.Type)), cmp.Compare(a.entry.Type, b.entry.Type))
	})
	for i, it := range byType {
		if i == 0 || it.entry.Type != byType[i-1].entry.Type {
			if i > 0 {
				out.WriteString("\n")
			}
			out.WriteString(heading(it.entry.Type) + "\n\n")
			frame = append(frame, heading(it.entry.Type))
		}
		out.WriteString(it.text + "\n")
	}
	out.WriteString("\n")
	if p.out.PointedTo > 0 {
		out.WriteString(count + "\n\n")
		frame = append(frame, count)
	}
	return out.String(), frame
}

const (
	countHead = "Not shown: "
	countTail = " more. `brainbridge recall WORDS` finds them, `brainbridge list --all` lists them."
)

func countLine(n int) string { return fmt.Sprintf("%s%d%s", countHead, n, countTail) }

// aside are the person's wordings that are not shown now.
func (p *planning) aside(shown []item) []Written {
	if p.form != Curated {
		return nil
	}
	in := map[string]bool{}
	for _, it := range shown {
		in[it.entry.Root] = true
	}
	var out []Written
	for _, w := range p.ed.keptInOrder {
		if !in[w.Root] && !p.gone(w) {
			out = append(out, w)
		}
	}
	return out
}
