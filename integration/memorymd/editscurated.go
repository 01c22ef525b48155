package memorymd

import (
	"slices"
	"strings"

	"github.com/brainbridge/brainbridge/brain/markdown"
)

type curatedIndex struct {
	entry   map[string]int // by the words of the whole line
	longest int            // of these words, in bytes
	tags    map[string]int // entries by ref and by id
}

func newCuratedIndex(st State) curatedIndex {
	x := curatedIndex{entry: map[string]int{}, tags: map[string]int{}}
	for _, line := range st.Frame {
		x.entry[words(line)] = frame
	}
	for i, w := range slices.Backward(st.Entries) { // of equal ones the first counts
		x.entry[words(w.Text)] = i
		x.tags[w.Ref], x.tags[w.ID] = i, i
	}
	for text := range x.entry {
		x.longest = max(x.longest, len(text))
	}
	return x
}

func (r *reading) curated() error {
	index := newCuratedIndex(r.st)
	units := r.units(index)
	for _, u := range units {
		if u.entry >= 0 {
			r.found[u.entry] = true
		}
	}
	for i, u := range units {
		if u.entry != unknown {
			continue
		}
		switch tagged := r.tagged(u, index); len(tagged) {
		case 0:
		case 1:
			units[i].entry = tagged[0]
			r.reword(u, tagged[0])
		default:
			return invalid(r.name, r.first+u.from+1, "put each entry on a line of its own again, or delete the block with both markers",
				"several entries of the managed block are on one line, so they cannot be told apart")
		}
	}
	r.finish(units)
	return nil
}

// units cuts the block into our lines, joined again where they were wrapped, and others.
func (r *reading) units(index curatedIndex) []unit {
	var out []unit
	for i := 0; i < len(r.page.Lines); {
		if r.page.Lines[i].Blank {
			i++
			continue
		}
		u := r.unit(i, index)
		out = append(out, u)
		i = u.to
	}
	return out
}

func (r *reading) unit(i int, index curatedIndex) unit {
	text := words(r.page.Line(i))
	for j := i + 1; ; j++ {
		if entry, known := index.entry[text]; known {
			return unit{lineRange: lineRange{i, j}, entry: entry}
		}
		if len(text) > index.longest || j == len(r.page.Lines) || r.page.Lines[j].Blank {
			break
		}
		text += " " + words(r.page.Line(j))
	}
	j := i + 1
	if isBullet(r.page.Line(i)) {
		for j < len(r.page.Lines) && r.continues(j) {
			j++
		}
	}
	return unit{lineRange: lineRange{i, j}, entry: unknown}
}

func isBullet(line string) bool {
	it, ok := markdown.ParseItem(line)
	return ok && !it.Ordered
}

func (r *reading) continues(i int) bool {
	columns, _ := markdown.Indent(r.page.Line(i))
	return columns >= 2 && !r.page.Lines[i].Blank && !isBullet(r.page.Line(i))
}

// tagged returns the entries whose id is in a unit and that are not elsewhere in the block.
func (r *reading) tagged(u unit, index curatedIndex) []int {
	var out []int
	inID := func(c rune) bool {
		return c == '-' || c == '_' || '0' <= c && c <= '9' || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z'
	}
	for _, token := range strings.FieldsFunc(words(r.page.Slice(u.from, u.to)), func(c rune) bool { return !inID(c) }) {
		if i, ok := index.tags[token]; ok && !r.found[i] && !slices.Contains(out, i) {
			out = append(out, i)
		}
	}
	return out
}

// reword treats a unit as the person's wording of an entry.
func (r *reading) reword(u unit, i int) {
	w := r.st.Entries[i]
	r.found[i] = true
	before := textIn(w.Text, w)
	w.Text = strings.TrimSuffix(withLF(r.page.Slice(u.from, u.to)), "\n")
	after := textIn(w.Text, w)
	w.Kept = true
	r.out.kept[w.ID] = w
	if words(before) != words(after) && after != "" {
		r.out.corrections = append(r.out.corrections, Correction{ID: w.ID, Text: after, Was: w.Said, OfTitle: w.OfTitle})
	}
}
