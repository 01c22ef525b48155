package memorymd

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/brainbridge/brainbridge/brain/markdown"
	"github.com/brainbridge/brainbridge/brain/statement"
)

// The minimum space of the block, if the budget allows it.
const (
	leastChars = 2_000
	leastLines = 25
)

// size is the part of the budget that a text takes.
type size struct{ chars, lines int }

func sizeOf(s string) size {
	n := size{chars: utf8.RuneCountInString(s), lines: strings.Count(s, "\n")}
	if s != "" && !strings.HasSuffix(s, "\n") {
		n.lines++
	}
	return n
}

func (a size) fits(limit size) bool { return a.chars <= limit.chars && a.lines <= limit.lines }

type item struct {
	Written
	group string
}

// curated renders the quick reference in the space that the person's own text leaves.
func (p *planning) curated(ed edits, barred map[string]bool, foreign marks, own size) (text string, st State, hidden int) {
	items, rest := p.items(ed, barred, foreign)
	shown := p.pack(items, rest, p.limit(own))
	hidden = len(items) - len(shown) + rest
	text, frame := layOut(shown, hidden)
	st = State{Form: Curated, Frame: frame, Words: digest(text)}
	for _, it := range shown {
		st.Entries = append(st.Entries, it.Written)
	}
	if len(shown) == 0 && len(items) > 0 {
		p.warn("the budget of %s leaves no space for an entry; raise notes.budget_chars or notes.budget_lines", p.o.File)
	}
	return text, st, hidden
}

func (p *planning) limit(own size) size {
	left := size{p.o.Chars - own.chars, p.o.Lines - own.lines}
	least := size{min(leastChars, p.o.Chars), min(leastLines, p.o.Lines)}
	if !least.fits(left) {
		p.warn("your own text in %s takes %d of %d characters and %d of %d lines, which leaves less than memories need; shorten it, or raise notes.budget_chars and notes.budget_lines",
			p.o.File, own.chars, p.o.Chars, own.lines, p.o.Lines)
	}
	return size{max(left.chars, least.chars), max(left.lines, least.lines)}
}

// items returns the entries that may be shown, strongest first, and the number of the others.
func (p *planning) items(ed edits, barred map[string]bool, foreign marks) (_ []item, rest int) {
	most := max(p.o.Lines, leastLines) // each takes a line
	seen, ids := map[string]bool{}, map[string]bool{}
	var chosen []Entry
	for _, e := range p.entries {
		if len(chosen) == most {
			if !barred[e.ID] {
				rest++
			}
			continue
		}
		key := keyOf(e.lineText())
		switch {
		case key == "" || barred[e.ID] || ids[e.ID]:
			continue
		case seen[key]:
			if e.Time != "" { // two outcomes with one title
				rest++
			}
			continue
		case foreign.take(e):
			continue
		}
		seen[key], ids[e.ID] = true, true
		chosen = append(chosen, e)
	}
	return p.lines(chosen, ed), rest + p.o.More
}

// keyOf returns the words of a line. Two lines with the same words say the same.
func keyOf(said string) string {
	return cmp.Or(statement.Statement{Title: said}.Key(), said)
}

// lines returns entries with their lines. Entries with the same short id get the full one.
func (p *planning) lines(entries []Entry, ed edits) []item {
	short := func(e Entry) string { return e.ID[:min(refSize, len(e.ID))] }
	count := map[string]int{}
	for _, e := range entries {
		count[short(e)]++
	}
	out := make([]item, 0, len(entries))
	for _, e := range entries {
		ref := short(e)
		if count[ref] > 1 {
			ref = e.ID
		}
		w := Written{ID: e.ID, Ref: ref, Text: e.line(ref), Said: e.lineText(), Date: e.Date, Due: e.Due}
		if kept, ok := ed.kept[e.ID]; ok && p.st.Form == Curated {
			w.Text, w.Ref, w.Kept = kept.Text, kept.Ref, true
			if e.Other.ID == "" { // the pair was decided
				w.Text = statement.WithoutOther(w.Text)
			}
		}
		out = append(out, item{w, cmp.Or(map[string]string{"learning": "lesson"}[e.Type], e.Type)})
	}
	return out
}

// pack returns the strongest items that fit. A line of the person may be too long by itself.
func (p *planning) pack(items []item, rest int, limit size) []item {
	items = slices.DeleteFunc(items, func(it item) bool { return it.Kept && !sizeOf(it.Text).fits(limit) })
	limit.lines++ // the end of its last line is in the person's text
	n := sort.Search(len(items), func(n int) bool {
		text, _ := layOut(items[:n+1], len(items)-n-1+rest)
		return !sizeOf(p.block.render(text, p.run())).fits(limit)
	})
	return items[:n]
}

// layOut renders the inside of the block and lists its lines that are not entries.
// The blank lines next to the markers keep a program that wraps paragraphs from
// joining a marker to one.
func layOut(shown []item, hidden int) (text string, frame []string) {
	count := fmt.Sprint(countHead, hidden, countTail)
	if len(shown) == 0 && hidden > 0 {
		return count + "\n", []string{count}
	}
	var out strings.Builder
	ours := func(line string) {
		frame = append(frame, line)
		out.WriteString("\n" + line + "\n")
	}
	ours(headLine)
	byType := slices.Clone(shown)
	slices.SortStableFunc(byType, func(a, b item) int {
		return cmp.Or(cmp.Compare(rank(a.group), rank(b.group)), cmp.Compare(a.group, b.group))
	})
	for i, it := range byType {
		if i == 0 || it.group != byType[i-1].group {
			ours(heading(it.group))
			out.WriteString("\n")
		}
		out.WriteString(it.Text + "\n")
	}
	if hidden > 0 {
		ours(count)
	}
	return out.String() + "\n", frame
}

const (
	countHead = "Not shown: "
	countTail = " more. `brainbridge recall WORDS` finds them, `brainbridge list --all` lists them."
)

// adopted derives a state from a block in curated form whose state is missing, as on another
// machine. Lines in the program's format count as unchanged.
func adopted(page *markdown.Document, entries []Entry) State {
	st := State{Form: Curated}
	shape := regexp.MustCompile("^- (?:(\\d{4}-\\d\\d-\\d\\d) )?.*\\(`(?:.*`, `|brainbridge show )([^ `]+)`\\)$") // date and id
	for i := range page.Lines {
		s := strings.TrimRight(page.Line(i), " \t")
		if s == headLine || strings.HasPrefix(s, "### ") || strings.HasPrefix(s, countHead) && strings.HasSuffix(s, countTail) {
			st.Frame = append(st.Frame, s)
			continue
		}
		parts := shape.FindStringSubmatch(s)
		if parts == nil {
			continue
		}
		ref := parts[2]
		w := Written{ID: ref, Ref: ref, Text: s, Date: parts[1]}
		if i := slices.IndexFunc(entries, func(e Entry) bool { return strings.HasPrefix(e.ID, ref) }); i >= 0 {
			w.ID, w.Said = entries[i].ID, entries[i].lineText()
		}
		st.Entries = append(st.Entries, w)
	}
	return st
}
