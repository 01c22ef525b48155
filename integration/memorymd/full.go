package memorymd

import (
	"cmp"
	"slices"
	"strings"
)

// record is an entry of the full form that is to be written.
type record struct {
	written Written
	text    string
}

// full renders the block with every entry whole, in the order of days and times.
// An entry in the block stays, and its text is not touched, unless the memory
// itself changed and the person left the entry alone.
func (p *planning) full(ed edits, barred map[string]bool, foreign marks) rendering {
	records := p.records(ed, barred, foreign)
	slices.SortStableFunc(records, func(a, b record) int {
		return cmp.Or(cmp.Compare(a.written.Date, b.written.Date), cmp.Compare(late(a.written.Time), late(b.written.Time)))
	})
	c := rendering{state: State{Form: Full}, pointedTo: p.o.More}
	var out strings.Builder
	if len(records) > 0 {
		out.WriteString("\n")
	}
	for _, rec := range records {
		out.WriteString(rec.text + "\n")
		c.state.Entries = append(c.state.Entries, rec.written)
	}
	c.text = out.String()
	c.state.Words = digest(c.text)
	return c
}

// late sorts an entry without a time behind those of its day that have one.
func late(clock string) string { return cmp.Or(clock, "~") }

func (p *planning) records(ed edits, barred map[string]bool, foreign marks) []record {
	var out []record
	in := map[string]bool{}
	for _, w := range p.st.Entries {
		if barred[w.Root] || p.gone(w) || p.st.Form != Full {
			continue
		}
		rec, ok := p.existingRecord(w, ed)
		if !ok {
			p.warn("the entry %q was taken out with the whole block and cannot be written again, since its memory was not given", w.Said)
			continue
		}
		in[w.Root] = true
		out = append(out, rec)
	}
	for _, e := range byTime(p.entries) {
		if barred[e.Root] || in[e.Root] || foreign.take(e) {
			continue
		}
		in[e.Root] = true
		added := stamp(p.o.Now)
		text := e.whole(added)
		out = append(out, record{e.written(text, added), text})
	}
	return out
}

// byTime sorts entries by day and time, so that one comment of an older tool
// always means the earliest of several.
func byTime(entries []Entry) []Entry {
	return slices.SortedStableFunc(slices.Values(entries), func(a, b Entry) int {
		return cmp.Or(cmp.Compare(a.Date, b.Date), cmp.Compare(late(a.Time), late(b.Time)))
	})
}

// existingRecord returns the record of an entry that was written before, or false if its
// text is gone and its memory was not given.
func (p *planning) existingRecord(w Written, ed edits) (record, bool) {
	if kept, ok := ed.kept[w.Root]; ok {
		w = kept
	}
	text, there := ed.units[w.Root]
	e, given := p.byRoot[w.Root]
	switch {
	case there && (w.Kept || !given):
		return record{w, text}, true
	case !given:
		return record{}, false
	}
	made := e.whole(w.Added)
	if there && digest(made) == w.Made {
		w.ID = e.ID
		return record{w, text}, true
	}
	return record{e.written(made, w.Added), made}, true
}
