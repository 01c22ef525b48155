package memorymd

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

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

// curated renders the quick reference in the space that the person's own text leaves. sizeOf
// returns the size of a block with some lines inside.
func (p *planning) curated(ed edits, barred map[string]bool, foreign marks, own size, sizeOfBlock func(inner string) size) (inner string, st State, hidden int) {
	left := size{p.o.Chars - own.chars, p.o.Lines - own.lines}
	least := size{min(leastChars, p.o.Chars), min(leastLines, p.o.Lines)}
	if !least.fits(left) {
		p.warn("your own text in %s takes %d of %d characters and %d of %d lines, which leaves less than memories need; shorten it, or raise notes.budget_chars and notes.budget_lines",
			p.o.File, own.chars, p.o.Chars, own.lines, p.o.Lines)
	}
	limit := size{max(left.chars, least.chars), max(left.lines, least.lines) + 1} // the end of the last line is in the person's text

	chosen, rest := p.choose(barred, foreign)
	lines := p.lines(chosen, ed)
	lines = slices.DeleteFunc(lines, func(w Written) bool { return w.Kept && !sizeOf(w.Text).fits(limit) })
	fit := sort.Search(len(lines), func(n int) bool {
		text, _ := p.layOut(lines[:n+1], len(chosen)-n-1+rest)
		return !sizeOfBlock(text).fits(limit)
	})
	hidden = len(chosen) - fit + rest
	st = State{Form: Curated, Entries: lines[:fit]}
	inner, st.Frame = p.layOut(st.Entries, hidden)
	if fit == 0 && len(chosen) > 0 {
		p.warn("the budget of %s leaves no space for an entry; raise notes.budget_chars or notes.budget_lines", p.o.File)
	}
	return inner, st, hidden
}

// choose returns the entries that may be shown, strongest first, and the number of the others.
func (p *planning) choose(barred map[string]bool, foreign marks) (chosen []Entry, rest int) {
	most := max(p.o.Lines, leastLines) // each takes a line
	seen := map[string]bool{}          // ids, and keys of lines
	for _, e := range p.entries {
		key := keyOf(e.lineText())
		switch {
		case key == "" || barred[e.ID] || barred[key] || seen[e.ID]:
		case len(chosen) == most || seen[key] && e.Time != "": // as two outcomes with one title
			rest++
		case !seen[key] && !foreign.take(e):
			seen[key], seen[e.ID] = true, true
			chosen = append(chosen, e)
		}
	}
	return chosen, rest + p.o.More
}

// keyOf returns the words of a line. Two lines with the same words say the same.
func keyOf(said string) string {
	return cmp.Or(statement.Statement{Title: said}.Key(), said)
}

// lines returns entries with their lines. Entries with the same short id get the full one.
func (p *planning) lines(entries []Entry, ed edits) []Written {
	short := func(e Entry) string { return e.ID[:min(refSize, len(e.ID))] }
	count := map[string]int{}
	for _, e := range entries {
		count[short(e)]++
	}
	out := make([]Written, 0, len(entries))
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
		out = append(out, w)
	}
	return out
}

// layOut renders the inside of the block and lists its lines that are not entries.
// The blank lines next to the markers keep a program that wraps paragraphs from
// joining a marker to one.
func (p *planning) layOut(shown []Written, hidden int) (text string, frame []string) {
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
	group := func(w Written) string {
		typ := p.byID[w.ID].Type
		return cmp.Or(map[string]string{"learning": "lesson"}[typ], typ)
	}
	byType := slices.Clone(shown)
	slices.SortStableFunc(byType, func(a, b Written) int {
		return cmp.Or(cmp.Compare(rank(group(a)), rank(group(b))), cmp.Compare(group(a), group(b)))
	})
	for i, w := range byType {
		if i == 0 || group(w) != group(byType[i-1]) {
			ours(heading(group(w)))
			out.WriteString("\n")
		}
		out.WriteString(w.Text + "\n")
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
