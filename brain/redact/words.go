package redact

import (
	_ "embed"
	"strings"
	"sync"
)

// wordLists holds words under headings. The heading of names of keys says which kind
// of secret their values are and what to call it; two words of a name are joined by a
// hyphen.
//
//go:embed words.txt
var wordLists string

// vocabulary holds the word lists.
type vocabulary struct {
	lists map[string]map[string]bool // by heading
	parts []string                   // of examples
	names map[string]nameEntry
}

// nameEntry describes the value that follows a name.
type nameEntry struct {
	secrecy secrecy
	kind    string
}

// known returns the word lists, which are read at first use.
var known = sync.OnceValue(func() vocabulary {
	v := vocabulary{lists: map[string]map[string]bool{}, names: map[string]nameEntry{}}
	levels := map[string]secrecy{"keyed": randomKey, "chosen": chosenPassword, "session": sessionCookie, "header": authHeader}
	for list := range strings.SplitSeq(wordLists, "## ") {
		heading, text, _ := strings.Cut(list, "\n")
		level, kind, _ := strings.Cut(heading, " ")
		listed := map[string]bool{}
		for word := range strings.FieldsSeq(text) {
			listed[word] = true
			if levels[level] != notSecret {
				v.names[word] = nameEntry{levels[level], kind}
			}
		}
		v.lists[heading] = listed
		if heading == "example parts" {
			v.parts = strings.Fields(text)
		}
	}
	return v
})

// listed reports whether a word in lower case is on a list.
func listed(list, word string) bool { return known().lists[list][word] }
