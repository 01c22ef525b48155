package corememory

import (
	"encoding/json"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/plaintext"
)

// The sections of the file whose entries are core memories.
const (
	preferences = "preferences"
	patterns    = "stablePatterns"
	beliefs     = "beliefs"
)

func sections() []string { return []string{preferences, patterns, beliefs} }

// typeOf returns the type of the memories of a section.
func typeOf(section string) string {
	return map[string]string{preferences: "preference", patterns: "pattern", beliefs: "belief"}[section]
}

// sectionOf returns the section of memories of a type, "" for none.
func sectionOf(memoryType string) string {
	for _, s := range sections() {
		if strings.EqualFold(memoryType, typeOf(s)) {
			return s
		}
	}
	return ""
}

// place is the position of an entry.
type place struct {
	Section string `json:"section"`
	Key     string `json:"key"`
}

func (p place) String() string { return p.Section + "." + p.Key }

// placeOf returns the place of a memory in the file; ok is false if its type has no
// entries there. A memory that was written there by hand keeps its key.
func placeOf(m brain.Memory) (place, bool) {
	p := place{sectionOf(m.MemoryType), m.Name}
	if m.Origin != brain.CoreOrigin {
		p.Key = camelCase(m.Name)
	}
	return p, p.Section != ""
}

// maxKey is the length of a key made from a name, in characters.
const maxKey = 60

// camelCase makes a key from a name: its words joined, all but the first one with a
// capital letter, as many as fit.
func camelCase(name string) string {
	words := strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) })
	var key string
	for i, w := range words {
		first, size := utf8.DecodeRuneInString(w)
		rest := w[size:]
		switch {
		case i > 0:
			first = unicode.ToUpper(first)
		case w == strings.ToUpper(w): // an acronym
			first, rest = unicode.ToLower(first), strings.ToLower(rest)
		default:
			first = unicode.ToLower(first)
		}
		next := key + string(first) + rest
		if key != "" && utf8.RuneCountInString(next) > maxKey {
			break
		}
		key = next
	}
	if key == "" {
		return "entry"
	}
	return plaintext.Clip(key, maxKey)
}

// valueOf returns the value of an entry, as JSON: a value that a person wrote as it
// is, and the summary of a text.
func valueOf(m brain.Memory) string {
	if m.Origin == brain.CoreOrigin && json.Valid([]byte(m.Content)) {
		return m.Content
	}
	return plaintext.Quote(summary(m.Content))
}

// maxSummary is the length of a summary in characters (consolidation.md).
const maxSummary = 200

// summary returns the first sentence of the first paragraph of a memory.
func summary(content string) string {
	text := strings.TrimSpace(content)
	for _, end := range []string{"\n\n", "\r\n\r\n", "\n- ", "\n* "} {
		text, _, _ = strings.Cut(text, end)
	}
	return plaintext.Shorten(plaintext.OneLine(plaintext.FirstSentence(text)), maxSummary)
}
