package memorymd

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	brainwords "github.com/brainbridge/brainbridge/brain/words"
)

// The least space that the block gets, however much the person wrote; less only
// if the whole budget is smaller.
const (
	leastChars = 2_000
	leastLines = 25
)

// size is the part of the budget that a text takes.
type size struct{ chars, lines int }

func sizeOf(s string) size {
	return size{chars: utf8.RuneCountInString(s), lines: strings.Count(s, "\n")}
}

// fileSize counts a last line without a line end too.
func fileSize(s string) size {
	n := sizeOf(s)
	if s != "" && !strings.HasSuffix(s, "\n") {
		n.lines++
	}
	return n
}

func (a size) plus(b size) size       { return size{a.chars + b.chars, a.lines + b.lines} }
func (a size) fits(limit size) bool   { return a.chars <= limit.chars && a.lines <= limit.lines }
func (a size) withEOL(extra int) size { return size{a.chars + a.lines*extra, a.lines} }

// item is an entry that may be shown.
type item struct {
	entry Entry
	ref   string
	text  string // its line or lines, with LF
	kept  bool   // worded by the person
}

// curated renders the block as a quick reference in the space that the person's
// own text leaves.
func (p *planning) curated(ed edits, barred map[string]bool, foreign marks, own size) rendering {
	items, rest := p.items(ed, barred, foreign)
	shown := pack(items, rest, p.limit(own), len(p.block.EOL)-1)
	c := rendering{pointedTo: len(items) - len(shown) + rest}
	var frame []string
	c.text, frame = layOut(shown, c.pointedTo)
	c.state = State{Form: Curated, Frame: frame, Words: digest(c.text)}
	in := map[string]bool{}
	for _, it := range shown {
		in[it.entry.Root] = true
		c.state.Entries = append(c.state.Entries, it.written())
	}
	for _, w := range ed.keptInOrder {
		if p.st.Form == Curated && !in[w.Root] && !p.gone(w) {
			c.state.Aside = append(c.state.Aside, w)
		}
	}
	if len(shown) == 0 && len(items) > 0 {
		p.warn("the budget of %s leaves no space for an entry; raise notes.budget_chars or notes.budget_lines", p.o.File)
	}
	return c
}

func (it item) written() Written {
	text, ofTitle := it.entry.said()
	return Written{
		ID: it.entry.ID, Root: it.entry.Root, Ref: it.ref, Text: it.text,
		Said: text, Date: it.entry.Date, OfTitle: ofTitle, Kept: it.kept,
	}
}

// limit returns the size that the block may have.
func (p *planning) limit(own size) size {
	left := size{p.o.Chars - own.chars, p.o.Lines - own.lines}
	least := size{min(leastChars, p.o.Chars), min(leastLines, p.o.Lines)}
	if !least.fits(left) {
		p.warn("your own text in %s takes %d of %d characters and %d of %d lines, which leaves less than memories need; shorten it, or raise notes.budget_chars and notes.budget_lines",
			p.o.File, own.chars, p.o.Chars, own.lines, p.o.Lines)
	}
	return size{max(left.chars, least.chars), max(left.lines, least.lines)}
}

// items returns the entries that may be shown, strongest first, each once, and the
// number of memories after them, none of which could have space.
func (p *planning) items(ed edits, barred map[string]bool, foreign marks) (out []item, rest int) {
	most := max(p.o.Lines, leastLines) // each takes a line
	seen, roots := map[string]bool{}, map[string]bool{}
	var said []string
	for _, e := range p.entries {
		if len(out) == most {
			if !barred[e.Root] {
				rest++
			}
			continue
		}
		text, _ := e.said()
		key := brainwords.Key(text)
		same := func(other string) bool { return p.o.Same(text, other) }
		if key == "" || seen[key] || barred[e.Root] || roots[e.Root] || foreign.take(e) || p.o.Same != nil && slices.ContainsFunc(said, same) {
			continue
		}
		seen[key], roots[e.Root] = true, true
		said = append(said, text)
		out = append(out, item{entry: e})
	}
	p.setLines(out, ed)
	return out, rest + p.o.More
}

// setLines gives each item its id and its line. Items that would share a short id
// get the whole one.
func (p *planning) setLines(items []item, ed edits) {
	count := map[string]int{}
	for i := range items {
		e := items[i].entry
		items[i].ref = e.ID[:min(refSize, len(e.ID))]
		count[items[i].ref]++
	}
	for i := range items {
		it := &items[i]
		if count[it.ref] > 1 {
			it.ref = it.entry.ID
		}
		it.text = it.entry.line(it.ref)
		if kept, ok := ed.kept[it.entry.Root]; ok && p.st.Form == Curated {
			it.text, it.ref, it.kept = kept.Text, kept.Ref, true
		}
	}
}

// pack returns the strongest items that fit. The first one of ours that does not
// fit ends it, so that strength alone decides; a longer one that the person wrote
// does not keep the others out. A line end costs eol characters more than LF.
func pack(items []item, rest int, limit size, eol int) []item {
	used := sizeOf(BeginMarker + "\n\n" + headLine + "\n\n" + countLine(len(items)+rest) + "\n\n" + EndMarker).withEOL(eol)
	var shown []item
	groups := map[string]bool{}
	for _, it := range items {
		add := sizeOf(it.text + "\n")
		if !groups[it.entry.Type] {
			add = add.plus(sizeOf(heading(it.entry.Type) + "\n\n\n"))
		}
		next := used.plus(add.withEOL(eol))
		if !next.fits(limit) {
			if it.kept {
				continue
			}
			break
		}
		used = next
		groups[it.entry.Type] = true
		shown = append(shown, it)
	}
	return shown
}

// layOut renders the inside of the block and lists its lines that are not entries.
// The blank lines next to the markers keep a program that wraps paragraphs from
// joining a marker to one.
func layOut(shown []item, hidden int) (text string, frame []string) {
	count := countLine(hidden)
	if len(shown) == 0 {
		if hidden == 0 {
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
	if hidden > 0 {
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
