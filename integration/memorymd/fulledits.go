package memorymd

import (
	"strings"

	"github.com/brainbridge/brainbridge/watcher/dailynote"
)

// entryUnit is an entry of the full form as it is in the file.
type entryUnit struct {
	lineRange
	mark   mark
	header string
	text   string // with LF
	entry  int    // index in the state, unknown for none
	copy   bool   // repeats another one word for word
}

// full reads a block in full form.
func (r *reading) full() error {
	r.found = make([]bool, len(r.st.Entries))
	units := r.entryUnits()
	r.match(units)
	if err := r.swallowed(); err != nil {
		return err
	}
	for _, u := range units {
		if u.entry >= 0 {
			r.takeUnit(u)
		}
	}
	r.collectForeign(units)
	r.finish()
	return nil
}

// entryUnits cuts the block at the headings with a date. An entry ends behind its
// hash comment, or before the next entry if the comment is missing.
func (r *reading) entryUnits() []entryUnit {
	var out []entryUnit
	for i := 0; i < len(r.page.Lines); i++ {
		day := r.dayAt(i)
		if day == "" {
			continue
		}
		u := entryUnit{lineRange: lineRange{i, i + 1}, mark: mark{day: day}, header: r.page.Line(i), entry: unknown}
		for u.mark.hash == "" && u.to < len(r.page.Lines) && r.dayAt(u.to) == "" {
			if !r.page.Lines[u.to].Fenced {
				u.mark.hash = dailynote.LegacyHashIn(r.page.Line(u.to))
			}
			u.to++
		}
		u.text = strings.TrimRight(withLF(r.page.Slice(u.from, u.to)), " \t\n") + "\n"
		out = append(out, u)
		i = u.to - 1
	}
	return out
}

func (r *reading) dayAt(i int) string {
	if r.page.Lines[i].Level != 3 {
		return ""
	}
	return dailynote.HeadingDay(r.page.Line(i))
}

// match pairs the units with the entries of the state: by their words, else by day
// and hash comment, else by their heading.
func (r *reading) match(units []entryUnit) {
	passes := []struct {
		unit  func(entryUnit) string
		entry func(Written) string
	}{
		{func(u entryUnit) string { return digest(u.text) }, func(w Written) string { return w.Words }},
		{func(u entryUnit) string { return u.mark.day + u.mark.hash }, func(w Written) string { return w.Date + w.Hash }},
		{func(u entryUnit) string { return words(u.header) }, func(w Written) string { return words(w.Text) }},
	}
	for n, pass := range passes {
		entries := map[string][]int{}
		for i, w := range r.st.Entries {
			if key := pass.entry(w); !r.found[i] {
				entries[key] = append(entries[key], i)
			}
		}
		for k := range units {
			u := &units[k]
			if u.entry >= 0 || u.copy {
				continue
			}
			key := pass.unit(*u)
			list, known := entries[key]
			if len(list) == 0 {
				u.copy = n == 0 && known
				continue
			}
			u.entry, r.found[list[0]], entries[key] = list[0], true, list[1:]
		}
	}
}

// swallowed refuses a block in which the heading of a missing entry is in a code
// fence: an open fence above has joined it to another entry.
func (r *reading) swallowed() error {
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

// takeUnit keeps an entry as it is in the file, with the person's changes.
func (r *reading) takeUnit(u entryUnit) {
	w := r.st.Entries[u.entry]
	now := digest(u.text)
	r.out.units[w.Root] = u.text
	if now == w.Words {
		return
	}
	body := bodyOf(u.text)
	if digest(body) != w.Body && body != "" {
		r.out.corrections = append(r.out.corrections, Correction{ID: w.ID, Root: w.Root, Text: body})
	}
	if title := titleOf(u.header, !w.OfTitle); words(title) != words(w.Said) && title != "" {
		r.out.corrections = append(r.out.corrections, Correction{ID: w.ID, Root: w.Root, Text: title, OfTitle: w.OfTitle})
		w.Said = title
	}
	w.Text, w.Words, w.Body, w.Kept = u.header, now, digest(body), true
	r.out.keep(w)
}

// collectForeign lists the lines that are in no entry of ours.
func (r *reading) collectForeign(units []entryUnit) {
	at := 0
	for _, u := range append(units, entryUnit{lineRange: lineRange{len(r.page.Lines), len(r.page.Lines)}, copy: true}) {
		for i := at; i < u.from; i++ {
			if !r.page.Lines[i].Blank {
				r.out.foreign = append(r.out.foreign, lineRange{i, i + 1})
			}
		}
		if u.entry < 0 && !u.copy {
			r.out.foreign = append(r.out.foreign, u.lineRange)
		}
		at = u.to
	}
}
