package memorymd

import (
	"strings"

	"github.com/brainbridge/brainbridge/brain/markdown"
	"github.com/brainbridge/brainbridge/watcher/dailynote"
)

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
	r.out.units[w.ID] = u.text
	if now == w.Words {
		return
	}
	body := bodyOf(u.text)
	if digest(body) != w.Body && body != "" {
		r.out.corrections = append(r.out.corrections, Correction{ID: w.ID, Text: body, Whole: true})
	}
	if title := titleOf(u.header, !w.OfTitle); words(title) != words(w.Said) && title != "" {
		r.out.corrections = append(r.out.corrections, Correction{ID: w.ID, Text: title, Was: w.Said, OfTitle: w.OfTitle})
		w.Said = title
	}
	w.Text, w.Words, w.Body, w.Kept = u.header, now, digest(body), true
	r.out.kept[w.ID] = w
}
