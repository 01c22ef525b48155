package redact

import (
	"strings"

	"github.com/brainbridge/brainbridge/brain/words"
)

// span is a secret in a text.
type span struct {
	kind       string
	start, end int
}

// walk is one pass over a text.
type walk struct {
	s        string
	formats  *formats
	found    []span
	last     int // end of the last secret
	noValues int // end of data that is too long for a value
}

// pass returns the secrets in s, in order.
func pass(s string) []span {
	w := walk{s: s, formats: allFormats()}
	for i := 0; i < len(s); {
		if classTable[s[i]]&wordChars != 0 {
			i = w.word(i)
			continue
		}
		switch s[i] {
		case ':', '=', '-', '.', '~':
			i = max(i+1, w.add(w.sign(i)))
		case '[':
			i += max(1, words.MarkerLen(s[i:]))
		case '\\':
			i += escapeLen(s[i:])
		default:
			i++
		}
	}
	return w.found
}

// word checks the word that begins at i and returns where to continue.
func (w *walk) word(i int) int {
	if i+1 < len(w.s) && w.formats.groups[w.s[i]][w.s[i+1]] != 0 {
		if end := w.add(w.formats.find(w.s, i)); end > i {
			return end
		}
	}
	return i + run(w.s[i:], wordChars, 0)
}

// sign tries the rules of the separator, hyphen or joint at i.
func (w *walk) sign(i int) (span, bool) {
	if found, ok := findAnchored(w.s, i); ok {
		return found, true
	}
	switch w.s[i] {
	case ':', '=':
		if found, ok := inURL(w.s, i); ok {
			return found, true
		}
		return w.assigned(i)
	case '-':
		if strings.HasPrefix(w.s[i:], "-----BEGIN ") {
			return privateKey(w.s, i)
		}
		if i == 0 || classTable[w.s[i-1]]&(wordChars|dash) == 0 {
			return w.flag(i)
		}
	}
	return span{}, false
}

// add records a secret and returns its end, or 0 if there is none. A text that contains a
// marker, or overlaps the previous secret, is not a secret.
func (w *walk) add(found span, ok bool) int {
	if !ok || found.start < w.last || found.end <= found.start ||
		strings.Contains(w.s[found.start:found.end], words.MarkerOpening) {
		return 0
	}
	w.found = append(w.found, found)
	w.last = found.end
	return found.end
}

// escapeLen returns the length of an escaped blank (\n, \t, \r) that s begins
// with, so that a word begins after it; 1 for any other backslash.
func escapeLen(s string) int {
	if len(s) > 1 && (s[1] == 'n' || s[1] == 't' || s[1] == 'r') {
		return 2
	}
	return 1
}
