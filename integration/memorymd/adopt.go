package memorymd

import (
	"regexp"
	"strings"

	"github.com/brainbridge/brainbridge/brain/markdown"
)

// adopt makes a state from a block in curated form, for a file whose state is missing:
// it was written on another machine, or the state was lost. Lines with the shape of
// ours are taken as ours, unchanged.
func adopt(page *markdown.Document, entries []Entry) State {
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
		if s == headLine || strings.HasPrefix(s, "### ") || strings.HasPrefix(s, countHead) && strings.HasSuffix(s, countTail) {
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
			w.ID, w.Root, w.Said = e.ID, e.Root, e.said()
		}
		st.Entries = append(st.Entries, w)
	}
	return st
}
