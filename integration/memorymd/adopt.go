package memorymd

import (
	"regexp"
	"slices"
	"strings"

	"github.com/brainbridge/brainbridge/brain/markdown"
)

// adopt makes a state from the block itself, for a file whose state is missing: it
// was written on another machine, or the state was lost. Lines with the shape of
// ours are taken as ours, unchanged; entries of the full form that differ from what
// would be written are taken as the person's. lost counts the entries of the full
// form without a memory.
func adopt(page *markdown.Document, entries []Entry) (st State, lost int) {
	units := slices.DeleteFunc(fullUnits(page), func(u unit) bool { return u.mark.day == "" })
	if len(units) > 0 {
		return adoptFull(units, entries)
	}
	return adoptCurated(page, entries), 0
}

func adoptCurated(page *markdown.Document, entries []Entry) State {
	byRef := map[string]Entry{}
	for _, e := range entries {
		for _, ref := range []string{e.ID, e.ID[:min(refSize, len(e.ID))]} {
			if _, taken := byRef[ref]; ref != "" && !taken {
				byRef[ref] = e
			}
		}
	}
	st := State{Form: Curated}
	shape := regexp.MustCompile("^- (?:(\\d{4}-\\d\\d-\\d\\d) )?.*\\(`(?:.*`, `|brainbridge show )([^ `]+)`\\)$") // date and id
	for i := range page.Lines {
		s := strings.TrimRight(page.Line(i), " \t")
		if isFrame(s, entries) {
			st.Frame = append(st.Frame, s)
			continue
		}
		parts := shape.FindStringSubmatch(s)
		if parts == nil {
			continue
		}
		ref := parts[2]
		w := Written{ID: ref, Root: ref, Ref: ref, Text: s, Date: parts[1]}
		if e, ok := byRef[ref]; ok {
			w.ID, w.Root = e.ID, e.Root
			w.Said = e.said()
		}
		st.Entries = append(st.Entries, w)
	}
	return st
}

// isFrame reports whether a line has the shape of our head, a heading of ours or
// our last line.
func isFrame(s string, entries []Entry) bool {
	if s == headLine || strings.HasPrefix(s, countHead) && strings.HasSuffix(s, countTail) {
		return true
	}
	return strings.HasPrefix(s, "### ") &&
		(slices.ContainsFunc(groups(), func(known [2]string) bool { return s == "### "+known[1] }) ||
			slices.ContainsFunc(entries, func(e Entry) bool { return s == heading(e.Type) }))
}

func adoptFull(units []unit, entries []Entry) (st State, lost int) {
	byMark := map[mark][]Entry{}
	for _, e := range byTime(entries) {
		byMark[e.mark()] = append(byMark[e.mark()], e)
	}
	st.Form = Full
	for _, u := range units {
		list := byMark[u.mark]
		if len(list) == 0 {
			if u.mark.hash != "" {
				lost++
			}
			continue
		}
		byMark[u.mark] = list[1:]
		e, added := list[0], addedIn(u.text)
		w := e.written(e.whole(added), added)
		if now := digest(u.text); now != w.Words {
			w.Kept, w.Words, w.Text, w.Body = true, now, u.header, digest(bodyOf(u.text))
		}
		st.Entries = append(st.Entries, w)
	}
	return st, lost
}

// addedIn returns the time in the field Added of an entry.
func addedIn(text string) string {
	for l := range strings.SplitSeq(text, "\n") {
		if _, value, ok := strings.Cut(l, "**Added:**"); ok {
			return strings.TrimSpace(value)
		}
	}
	return ""
}
