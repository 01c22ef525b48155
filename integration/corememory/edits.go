package corememory

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/config/edit"
)

// written is an entry that a person wrote.
type written struct {
	place
	raw string
	was entry // the entry before, without ID if there was none
}

// edits are a person's changes of the file since it was written.
type edits struct {
	added, changed []written
	removed        []entry
	ignored        []string // why an entry is ignored
}

func (e edits) none() bool { return len(e.added)+len(e.changed)+len(e.removed) == 0 }

// compare finds the edits in a document. clean redacts a key.
func compare(d document, was state, clean func(string) string) edits {
	var out edits
	for _, name := range sections() {
		sec, ok := d.section(name)
		if !ok && has(d.Root(), name) {
			out.ignored = append(out.ignored, fmt.Sprintf("%s is not an object of keys and texts; it is ignored", name))
			continue
		}
		seen := map[string]bool{}
		for _, m := range sec.Members {
			seen[m.Key] = true
			if shown := clean(m.Key); shown != m.Key {
				out.ignored = append(out.ignored, fmt.Sprintf("%s.%s has a secret as its key; it is ignored", name, shown))
				continue
			}
			out.member(was, sec, place{name, m.Key}, d.raw(m.Value))
		}
		for _, e := range was.Entries {
			if e.Section == name && !seen[e.Key] && e.ID != "" {
				out.removed = append(out.removed, e)
			}
		}
	}
	return out
}

// member adds one entry of a section.
func (e *edits) member(was state, sec *edit.Value, p place, raw string) {
	entry, known := was.at(p)
	if known && entry.matches(raw) || raw == "null" {
		return
	}
	text := strings.TrimSpace(brain.CoreContent(raw))
	_, once := find(sec, p.Key)
	switch {
	case !once:
		message := fmt.Sprintf("%s is in the file more than once; it is ignored", p)
		if !slices.Contains(e.ignored, message) {
			e.ignored = append(e.ignored, message)
		}
	case text == "" || strings.TrimSpace(p.Key) == "":
		e.ignored = append(e.ignored, fmt.Sprintf("%s has no text; it is ignored", p))
	case utf8.RuneCountInString(p.Key) > brain.MaxName || len(text) > brain.MaxContent || strings.Contains(p.Key+text, "\x00"):
		e.ignored = append(e.ignored, fmt.Sprintf("%.60s is too long for a memory; it is ignored", p))
	case known && entry.ID != "":
		e.changed = append(e.changed, written{p, raw, entry})
	default:
		e.added = append(e.added, written{place: p, raw: raw})
	}
}
