package memorymd

import (
	"cmp"
	"slices"
	"strings"
)

// record is an entry of the full form on its way into the block.
type record struct {
	written Written
	text    string
}

// full renders the block with every entry whole, in the order of days and
// times. What is in the block stays in it, and its text is not touched, unless
// the memory itself changed and the person left the entry alone.
func (p *planning) full() string {
	records := p.records()
	slices.SortStableFunc(records, func(a, b record) int {
		return cmp.Or(cmp.Compare(a.written.Date, b.written.Date),
			cmp.Compare(late(a.written.Time), late(b.written.Time)))
	})
	var out strings.Builder
	if len(records) > 0 {
		out.WriteString("\n")
	}
	p.out.State = State{Form: Full}
	for _, rec := range records {
		out.WriteString(rec.text + "\n")
		p.out.State.Entries = append(p.out.State.Entries, rec.written)
	}
	p.out.Entries = len(records)
	p.out.PointedTo = p.o.More
	p.out.State.Words = digest(out.String())
	return out.String()
}

// late puts an entry without a time behind those of its day that have one.
func late(clock string) string { return cmp.Or(clock, "~") }

func (p *planning) records() []record {
	var out []record
	in := map[string]bool{}
	for _, w := range p.st.Entries {
		if p.barred[w.Root] || p.gone(w) || p.form != Full {
			continue
		}
		rec, ok := p.stays(w)
		if !ok {
			p.warn("the entry %q was taken out with the whole block and cannot be written again, since its memory was not given", w.Said)
			continue
		}
		in[w.Root] = true
		out = append(out, rec)
	}
	for _, e := range p.inOrder() {
		if in[e.Root] || p.present(e) {
			continue
		}
		in[e.Root] = true
		added := stamp(p.o.Now)
		text := e.whole(added)
		out = append(out, record{e.written(text, added), text})
	}
	return out
}

// inOrder are the entries by day and time, so that of several which one comment
// of an older tool could mean it is always the earliest.
func (p *planning) inOrder() []Entry {
	entries := slices.Clone(p.entries)
	slices.SortStableFunc(entries, func(a, b Entry) int {
		return cmp.Or(cmp.Compare(a.Date, b.Date), cmp.Compare(late(a.Time), late(b.Time)))
	})
	return entries
}

// stays is an entry that was written before.
func (p *planning) stays(w Written) (record, bool) {
	if kept, ok := p.ed.kept[w.Root]; ok {
		w = kept
	}
	text, there := p.ed.units[w.Root]
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
