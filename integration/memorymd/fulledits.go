package memorymd

import "strings"

// entryUnit is an entry of the full form as it stands in the file.
type entryUnit struct {
	from, to int
	mark     mark
	header   string
	text     string // with LF
	state    int    // place in the state, -1 for none
	copy     bool   // says word for word what another one says
}

// full compares the inside of a block in full form with what was written.
func (r *reading) full() error {
	r.found = make([]bool, len(r.st.Entries))
	units := r.entryUnits()
	r.matchWords(units)
	r.matchNames(units)
	if err := r.swallowed(units); err != nil {
		return err
	}
	for _, u := range units {
		if u.state >= 0 {
			r.takeUnit(u)
		}
	}
	r.collectForeign(units)
	for i, w := range r.st.Entries {
		if !r.found[i] {
			r.out.barred = append(r.out.barred, w)
		}
	}
	return nil
}

// entryUnits cuts the block at the headings with a date. An entry ends behind
// its hash comment, or before the next entry where the comment is missing.
func (r *reading) entryUnits() []entryUnit {
	var out []entryUnit
	for i := 0; i < len(r.page.lines); i++ {
		day := r.dayAt(i)
		if day == "" {
			continue
		}
		u := entryUnit{from: i, to: i + 1, mark: mark{day: day}, header: r.page.content(i), state: -1}
		for u.mark.hash == "" && u.to < len(r.page.lines) && r.dayAt(u.to) == "" {
			if !r.page.lines[u.to].fenced {
				u.mark.hash = hashIn(r.page.content(u.to))
			}
			u.to++
		}
		u.text = strings.TrimRight(withLF(r.page.slice(u.from, u.to)), " \t\n") + "\n"
		out = append(out, u)
		i = u.to - 1
	}
	return out
}

func (r *reading) dayAt(i int) string {
	if r.page.lines[i].level != 3 {
		return ""
	}
	return dayOf(r.page.content(i))
}

func (r *reading) matchWords(units []entryUnit) {
	byWords := map[string][]int{}
	for i, w := range r.st.Entries {
		byWords[w.Words] = append(byWords[w.Words], i)
	}
	for k := range units {
		u := &units[k]
		list, known := byWords[digest(u.text)]
		u.copy = known && len(list) == 0
		r.match(u, list)
		if u.state >= 0 {
			byWords[digest(u.text)] = list[1:]
		}
	}
}

// matchNames finds the entries whose words changed by their hash comment and
// day, else by their heading.
func (r *reading) matchNames(units []entryUnit) {
	byMark, byHeader := map[mark][]int{}, map[string][]int{}
	for i, w := range r.st.Entries {
		m, h := mark{w.Date, w.Hash}, words(w.Text)
		byMark[m] = append(byMark[m], i)
		byHeader[h] = append(byHeader[h], i)
	}
	for k := range units {
		if u := &units[k]; u.state < 0 && !u.copy {
			r.match(u, byMark[u.mark])
			r.match(u, byHeader[words(u.header)])
		}
	}
}

func (r *reading) match(u *entryUnit, candidates []int) {
	for _, i := range candidates {
		if u.state < 0 && !r.found[i] {
			u.state, r.found[i] = i, true
		}
	}
}

// swallowed refuses a block in which an entry's heading still stands, but
// inside what looks like another entry: a code fence that the person left open
// makes one of two.
func (r *reading) swallowed(units []entryUnit) error {
	missing := map[string]bool{}
	for i, w := range r.st.Entries {
		if !r.found[i] {
			missing[words(w.Text)] = true
		}
	}
	if len(missing) == 0 {
		return nil
	}
	heads := map[int]bool{}
	for _, u := range units {
		heads[u.from] = true
	}
	for i := range r.page.lines {
		if !heads[i] && strings.Contains(r.page.content(i), "### [") && missing[words(r.page.content(i))] {
			return invalid(r.name, r.first+i+1, "close the code fence that is open above this line",
				"this entry of the managed block stands inside another one")
		}
	}
	return nil
}

// takeUnit keeps an entry as it stands, with what the person changed.
func (r *reading) takeUnit(u entryUnit) {
	w := r.st.Entries[u.state]
	now := digest(u.text)
	r.out.units[w.Root] = u.text
	if now == w.Words {
		if w.Kept {
			r.keep(w)
		}
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
	r.keep(w)
}

// collectForeign lists what is in no entry of ours.
func (r *reading) collectForeign(units []entryUnit) {
	at := 0
	for _, u := range units {
		r.foreignLines(at, u.from)
		if u.state < 0 && !u.copy {
			r.out.foreign = append(r.out.foreign, span{from: u.from, to: u.to})
		}
		at = u.to
	}
	r.foreignLines(at, len(r.page.lines))
}

func (r *reading) foreignLines(from, to int) {
	for i := from; i < to; i++ {
		if !r.page.blank(i) {
			r.out.foreign = append(r.out.foreign, span{from: i, to: i + 1})
		}
	}
}
