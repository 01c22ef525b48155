package memorymd

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"github.com/brainbridge/brainbridge/brain/markdown"
	"github.com/brainbridge/brainbridge/watcher/dailynote"
)

// edits are the person's changes inside the block.
type edits struct {
	kept        map[string]Written // by root: entries that the person worded
	units       map[string]string  // by root: entries of the full form as they are in the file, with LF
	corrections []Correction
	barred      []Written
	foreign     []lineRange // lines that the program did not write
	moved       string      // their text, which goes below the block
}

func newEdits() edits { return edits{kept: map[string]Written{}, units: map[string]string{}} }

type lineRange struct{ from, to int }

// unit is the lines of an entry, or a line that is in no entry.
type unit struct {
	lineRange
	entry int // index in the state, or one of the values below

	// For an entry of the full form.
	mark   mark
	header string
	text   string // with LF
}

const (
	frame   = -1 // our other lines
	unknown = -2
)

// reading compares the inside of a block with the last writing.
type reading struct {
	name  string
	first int // line of the file before the first line of page
	page  *markdown.Document
	st    State
	found []bool // entries of the state that are in the block, as written or reworded
	out   edits
}

// finish lists the units that the program did not write, bars the entries that were deleted
// and keeps those that were reworded before.
func (r *reading) finish(units []unit) {
	for _, u := range units {
		if u.entry == unknown {
			r.out.foreign = append(r.out.foreign, u.lineRange)
		}
	}
	for i, w := range r.st.Entries {
		switch {
		case !r.found[i]:
			r.out.barred = append(r.out.barred, w)
		case w.Kept:
			if _, reworded := r.out.kept[w.Root]; !reworded {
				r.out.kept[w.Root] = w
			}
		}
	}
}

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
	before := saidIn(w.Text, w)
	w.Text = strings.TrimSuffix(withLF(r.page.Slice(u.from, u.to)), "\n")
	after := saidIn(w.Text, w)
	w.Kept = true
	r.out.kept[w.Root] = w
	if words(before) != words(after) && after != "" {
		r.out.corrections = append(r.out.corrections, Correction{ID: w.ID, Root: w.Root, Text: after, Was: w.Said, OfTitle: w.OfTitle})
	}
}

// moved returns all foreign lines as they are, runs separated by a blank line.
func (r *reading) moved(eol string) string {
	var out strings.Builder
	last := -1
	for _, s := range r.out.foreign {
		switch {
		case last >= 0 && markdown.IsBlank(r.page.Slice(last, s.from)):
			out.WriteString(r.page.Slice(last, s.from))
		case last >= 0:
			out.WriteString(eol)
		}
		last = s.to
		out.WriteString(r.page.Slice(s.from, s.to))
	}
	return out.String()
}

// words returns the form in which texts of the block are compared. Changes that
// an editor or a formatter makes on its own (line ends, blanks, wrapping, the
// sign of a list, the sign of emphasis, escapes) make no difference to it.
func words(s string) string {
	fields := strings.Fields(s)
	for i, field := range fields {
		if field == "*" || field == "+" {
			fields[i] = "-"
		}
	}
	text := strings.ReplaceAll(strings.Join(fields, " "), "*", "_")
	out := make([]byte, 0, len(text))
	for i := range len(text) {
		if text[i] != '\\' || i+1 == len(text) || strings.IndexByte("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", text[i+1]) < 0 {
			out = append(out, text[i])
		}
	}
	return string(out)
}

func digest(s string) string { return sum([]byte(words(s)))[:32] }

func sum(data []byte) string { return fmt.Sprintf("%x", sha256.Sum256(data)) }

func withLF(s string) string { return strings.ReplaceAll(s, "\r\n", "\n") }

func (r *reading) full() error {
	units := fullUnits(r.page)
	r.match(units)
	if err := r.checkNesting(); err != nil {
		return err
	}
	for _, u := range units {
		if u.entry >= 0 {
			r.takeUnit(u)
		}
	}
	r.finish(units)
	return nil
}

// fullUnits cuts a block at the headings with a date and after hash comments.
func fullUnits(page *markdown.Document) []unit {
	var out []unit
	for i := 0; i < len(page.Lines); i++ {
		u := unit{lineRange: lineRange{i, i + 1}, mark: mark{day: dayAt(page, i)}, entry: unknown}
		if u.mark.day == "" {
			if !page.Lines[i].Blank {
				out = append(out, u)
			}
			continue
		}
		u.header = page.Line(i)
		for u.mark.hash == "" && u.to < len(page.Lines) && dayAt(page, u.to) == "" {
			if !page.Lines[u.to].Fenced {
				u.mark.hash = dailynote.LegacyHashIn(page.Line(u.to))
			}
			u.to++
		}
		u.text = strings.TrimRight(withLF(page.Slice(u.from, u.to)), " \t\n") + "\n"
		out = append(out, u)
		i = u.to - 1
	}
	return out
}

// dayAt returns the day in the heading of an entry, "" for any other line.
func dayAt(page *markdown.Document, i int) string {
	if page.Lines[i].Level != 3 {
		return ""
	}
	return dailynote.HeadingDay(page.Line(i))
}

// match pairs the units with the entries of the state, by day and hash comment.
// Entries with the same ones are paired by their words if they can be, else in order.
func (r *reading) match(units []unit) {
	for _, sameWords := range []bool{true, false} {
		for k := range units {
			u := &units[k]
			for i, w := range r.st.Entries {
				same := u.mark == mark{w.Date, w.Hash} && (!sameWords || digest(u.text) == w.Words)
				if same && u.entry == unknown && !r.found[i] {
					u.entry, r.found[i] = i, true
				}
			}
		}
	}
}

// checkNesting refuses a block in which the heading of a missing entry is in a code
// fence: an open fence above has joined it to another entry.
func (r *reading) checkNesting() error {
	missing := map[string]bool{}
	for i, w := range r.st.Entries {
		if !r.found[i] {
			missing[words(w.Text)] = true
		}
	}
	for i, l := range r.page.Lines {
		line := r.page.Line(i)
		if l.Level == 0 && strings.Contains(line, "### [") && missing[words(line)] {
			return invalid(r.name, r.first+i+1, "close the code fence that is open above this line",
				"this entry of the managed block is inside another one")
		}
	}
	return nil
}

func (r *reading) takeUnit(u unit) {
	w := r.st.Entries[u.entry]
	now := digest(u.text)
	r.out.units[w.Root] = u.text
	if now == w.Words {
		return
	}
	body := bodyOf(u.text)
	if digest(body) != w.Body && body != "" {
		r.out.corrections = append(r.out.corrections, Correction{ID: w.ID, Root: w.Root, Text: body, Whole: true})
	}
	if title := titleOf(u.header, !w.OfTitle); words(title) != words(w.Said) && title != "" {
		r.out.corrections = append(r.out.corrections, Correction{ID: w.ID, Root: w.Root, Text: title, Was: w.Said, OfTitle: w.OfTitle})
		w.Said = title
	}
	w.Text, w.Words, w.Body, w.Kept = u.header, now, digest(body), true
	r.out.kept[w.Root] = w
}
