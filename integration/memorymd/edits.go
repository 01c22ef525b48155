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
	kept        map[string]Written // by id: entries that the person worded
	units       map[string]string  // by id: entries of the full form as they are in the file, with LF
	corrections []Correction
	barred      []Written
	moved       string // lines that the program did not write; they go below the block
}

// unit is the lines of an entry, or lines that are in no entry.
type unit struct {
	from, to int      // lines of the block
	text     string   // with LF
	keys     []string // under which the entry may be known
	entry    int      // index in the state, or one of the values below
}

const (
	frame   = -1 // our other lines
	unknown = -2
)

// findEdits compares the inside of a block, which follows line first of the file, with the last
// writing. An entry is known by its whole text, else by the id in its line or, in the full form,
// by its day and hash comment.
func findEdits(name string, first int, page *markdown.Document, st State, eol string) (edits, error) {
	ours, byKey := indexOf(st)
	cut := curatedUnits
	if st.Form == Full {
		cut = fullUnits
	}
	units := cut(page, ours)
	ed := edits{kept: map[string]Written{}, units: map[string]string{}}
	found := make([]bool, len(st.Entries))
	for _, u := range units {
		if u.entry >= 0 {
			found[u.entry] = true
			ed.units[st.Entries[u.entry].ID] = u.text
		}
	}
	for k := range units {
		u := &units[k]
		known := u.known(byKey, found)
		if len(known) > 1 && st.Form != Full {
			return edits{}, invalid(name, first+u.from+1, "put each entry on a line of its own again, or delete the block with both markers",
				"several entries of the managed block are on one line, so they cannot be told apart")
		}
		if len(known) > 0 {
			u.entry = known[0]
			found[u.entry] = true
			ed.reword(st.Entries[u.entry], u.text, st.Form)
		}
	}
	if st.Form == Full {
		if err := checkNesting(name, first, page, st, found); err != nil {
			return edits{}, err
		}
	}
	ed.rest(page, units, eol)
	for i, w := range st.Entries {
		if !found[i] {
			ed.barred = append(ed.barred, w)
		} else if _, reworded := ed.kept[w.ID]; w.Kept && !reworded {
			ed.kept[w.ID] = w
		}
	}
	return ed, nil
}

// indexOf returns the entries of a state by their words, or the digest of these in the full form,
// and by the keys under which a changed one is known.
func indexOf(st State) (ours map[string]int, byKey map[string][]int) {
	ours, byKey = map[string]int{}, map[string][]int{}
	for _, line := range st.Frame {
		ours[words(line)] = frame
	}
	for i, w := range st.Entries {
		text, keys := words(w.Text), slices.Compact([]string{w.Ref, w.ID})
		if st.Form == Full {
			text, keys = w.Words, []string{w.Date + w.Hash}
		}
		ours[text] = i
		for _, key := range keys {
			byKey[key] = append(byKey[key], i)
		}
	}
	return ours, byKey
}

// known returns the entries that a unit may be by its keys and that are not elsewhere in the block.
func (u unit) known(byKey map[string][]int, found []bool) (known []int) {
	for _, key := range u.keys {
		for _, i := range byKey[key] {
			if u.entry == unknown && !found[i] && !slices.Contains(known, i) {
				known = append(known, i)
			}
		}
	}
	return known
}

// rest moves the units that the program did not write below the block.
func (ed *edits) rest(page *markdown.Document, units []unit, eol string) {
	last := -1 // end of the unit before
	for _, u := range units {
		if u.entry != unknown {
			continue
		}
		if last >= 0 && markdown.IsBlank(page.Slice(last, u.from)) {
			ed.moved += page.Slice(last, u.from)
		} else if last >= 0 {
			ed.moved += eol
		}
		last = u.to
		ed.moved += page.Slice(u.from, u.to)
	}
}

// reword treats a text as the person's wording of an entry.
func (ed *edits) reword(w Written, text string, form Form) {
	correct := func(c Correction) {
		c.ID = w.ID
		ed.corrections = append(ed.corrections, c)
	}
	w.Kept = true
	if form == Full {
		if body := bodyOf(text); digest(body) != w.Body && body != "" {
			w.Body = digest(body)
			correct(Correction{Text: body, Whole: true})
		}
		w.Text, _, _ = strings.Cut(text, "\n")
		if title := titleOf(w.Text, !w.OfTitle); words(title) != words(w.Said) && title != "" {
			correct(Correction{Text: title, Was: w.Said, OfTitle: w.OfTitle})
			w.Said = title
		}
		w.Words, ed.units[w.ID] = digest(text), text
	} else {
		before, after := textIn(w.Text, w), textIn(text, w)
		w.Text = strings.TrimSuffix(text, "\n")
		if words(before) != words(after) && after != "" {
			correct(Correction{Text: after, Was: w.Said})
		}
	}
	ed.kept[w.ID] = w
}

// curatedUnits cuts a block into headings, list items and paragraphs, each with all of its lines,
// since a formatter may wrap ours. One of ours ends where it is complete.
func curatedUnits(page *markdown.Document, ours map[string]int) (units []unit) {
	begins := func(i int) bool {
		it, ok := markdown.ParseItem(page.Line(i))
		return page.Lines[i].Blank || page.Lines[i].Level > 0 || ok && !it.Ordered
	}
	for i := 0; i < len(page.Lines); {
		u := unit{from: i, to: i + 1, entry: unknown}
		text := words(page.Line(i))
		entry, isOurs := ours[text]
		for !isOurs && !page.Lines[i].Blank && page.Lines[i].Level == 0 && u.to < len(page.Lines) && !begins(u.to) {
			text += " " + words(page.Line(u.to))
			entry, isOurs = ours[text]
			u.to++
		}
		if isOurs {
			u.entry = entry
		}
		u.text = withLF(page.Slice(u.from, u.to))
		const signs = "-_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz" // of ids
		u.keys = strings.FieldsFunc(u.text, func(c rune) bool { return !strings.ContainsRune(signs, c) })
		if !page.Lines[i].Blank {
			units = append(units, u)
		}
		i = u.to
	}
	return units
}

// fullUnits cuts a block at the headings with a date and after hash comments.
func fullUnits(page *markdown.Document, ours map[string]int) (units []unit) {
	dayAt := func(i int) string { // in the heading of an entry, "" for any other line
		if page.Lines[i].Level != 3 {
			return ""
		}
		return dailynote.HeadingDay(page.Line(i))
	}
	for i := 0; i < len(page.Lines); {
		u := unit{from: i, to: i + 1, entry: unknown}
		day, hash := dayAt(i), ""
		for day != "" && hash == "" && u.to < len(page.Lines) && dayAt(u.to) == "" {
			if !page.Lines[u.to].Fenced {
				hash = dailynote.LegacyHashIn(page.Line(u.to))
			}
			u.to++
		}
		if day != "" {
			u.text = strings.TrimRight(withLF(page.Slice(u.from, u.to)), " \t\n") + "\n"
			u.keys = []string{day + hash}
			if entry, ok := ours[digest(u.text)]; ok {
				u.entry = entry
			}
		}
		if !page.Lines[i].Blank {
			units = append(units, u)
		}
		i = u.to
	}
	return units
}

// checkNesting refuses a block in which the heading of a missing entry is inside another one: in
// a code fence that is open above, or on a line that was joined.
func checkNesting(name string, first int, page *markdown.Document, st State, found []bool) error {
	for i, l := range page.Lines {
		line := words(page.Line(i))
		if !strings.Contains(line, "### [") {
			continue
		}
		for k, w := range st.Entries {
			if at := strings.Index(line, words(w.Text)); !found[k] && (at > 0 || at == 0 && l.Level == 0) {
				return invalid(name, first+i+1, "close the code fence that is open above this line, or put the heading on a line of its own",
					"this entry of the managed block is inside another one")
			}
		}
	}
	return nil
}

// words returns the form in which texts of the block are compared. Changes that an editor or a
// formatter makes on its own (line ends, blanks, wrapping, the sign of a list, the sign of
// emphasis, escapes) make no difference to it.
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

// digest stands for the text of a whole entry in the state, which would else be as long as the file.
func digest(s string) string { return sum([]byte(words(s)))[:32] }

func sum(data []byte) string { return fmt.Sprintf("%x", sha256.Sum256(data)) }

func withLF(s string) string { return strings.ReplaceAll(s, "\r\n", "\n") }
