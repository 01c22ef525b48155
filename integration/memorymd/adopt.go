package memorymd

import (
	"slices"
	"strings"
	"time"
)

// adopt makes a state from the block itself, for a file whose state is not
// there: made on another machine, or lost. What has the shape of our lines is
// taken as ours, unchanged; the entries of a full form that differ from what we
// would write are taken as the person's.
func (p *planning) adopt(r *reading) {
	full := slices.ContainsFunc(r.page.lines, func(l line) bool { return l.level == 3 && dayOf(r.page.text[l.start:l.end]) != "" })
	if full {
		p.form, p.st.Form = Full, Full
		p.adoptFull(r)
	} else {
		p.form, p.st.Form = Curated, Curated
		p.adoptCurated(r)
	}
	r.st = p.st
	if len(p.st.Entries) > 0 {
		p.warn("nothing is remembered of how the managed block of %s was written, so its %d entries were taken as they stand", p.o.File, len(p.st.Entries))
	}
}

func (p *planning) adoptCurated(r *reading) {
	byRef := map[string]Entry{}
	for _, e := range p.entries {
		for _, ref := range []string{e.Ref, e.ID, e.ID[:min(refSize, len(e.ID))]} {
			if _, taken := byRef[ref]; ref != "" && !taken {
				byRef[ref] = e
			}
		}
	}
	for i := range r.page.lines {
		s := strings.TrimRight(r.page.content(i), " \t")
		if p.frameLike(s) {
			p.st.Frame = append(p.st.Frame, s)
			continue
		}
		date, ref := partsOf(s)
		if ref == "" {
			continue
		}
		w := Written{ID: ref, Root: ref, Ref: ref, Text: s, Date: date}
		if e, ok := byRef[ref]; ok {
			w.ID, w.Root = e.ID, e.Root
			w.Said, w.OfTitle = e.said()
			p.byRoot[e.Root] = e
		}
		p.st.Entries = append(p.st.Entries, w)
	}
}

// frameLike tells whether a line has the shape of our head, a heading of ours
// or our last line.
func (p *planning) frameLike(s string) bool {
	if s == headLine || strings.HasPrefix(s, countHead) && strings.HasSuffix(s, countTail) {
		return true
	}
	if slices.ContainsFunc(groups(), func(known [2]string) bool { return s == "### "+known[1] }) {
		return true
	}
	return strings.HasPrefix(s, "### ") && slices.ContainsFunc(p.entries, func(e Entry) bool { return s == heading(e.Type) })
}

// partsOf is the date and the id of a line that has the shape of ours.
func partsOf(s string) (date, ref string) {
	rest, item := strings.CutPrefix(s, "- ")
	at := strings.LastIndex(rest, "(`")
	rest, closed := strings.CutSuffix(rest, "`)")
	if !item || at < 0 || !closed || at+2 > len(rest) {
		return "", ""
	}
	pointer := rest[at+2:]
	if _, id, ok := strings.Cut(pointer, "`, `"); ok {
		ref = id
	} else if id, ok := strings.CutPrefix(pointer, "brainbridge show "); ok {
		ref = id
	}
	if strings.ContainsAny(ref, " `") {
		return "", ""
	}
	if _, err := time.Parse(time.DateOnly, rest[:min(len(time.DateOnly), len(rest))]); err == nil {
		date = rest[:len(time.DateOnly)]
	}
	return date, ref
}

func (p *planning) adoptFull(r *reading) {
	byMark := map[mark][]Entry{}
	for _, e := range p.inOrder() {
		byMark[e.mark()] = append(byMark[e.mark()], e)
	}
	for _, u := range r.entryUnits() {
		list := byMark[u.mark]
		if len(list) == 0 {
			if u.mark.hash != "" {
				p.unknown++
			}
			continue
		}
		byMark[u.mark] = list[1:]
		e, added := list[0], addedIn(u.text)
		p.byRoot[e.Root] = e
		w := e.written(e.whole(added), added)
		if now := digest(u.text); now != w.Words {
			w.Kept, w.Words, w.Text, w.Body = true, now, u.header, digest(bodyOf(u.text))
		}
		p.st.Entries = append(p.st.Entries, w)
	}
}

// addedIn is the time in the field Added of an entry.
func addedIn(text string) string {
	for l := range strings.SplitSeq(text, "\n") {
		if _, value, ok := strings.Cut(l, "**Added:**"); ok {
			return strings.TrimSpace(value)
		}
	}
	return ""
}
