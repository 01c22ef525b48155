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
	t        *table
	found    []span
	last     int // end of the last secret
	noValues int // end of data that is too long for a value
	cookies  int // end of a row of cookies
}

// pass returns the secrets in s, in order.
func pass(s string) []span {
	w := walk{s: s, t: known()}
	for i := 0; i < len(s); {
		if classTable[s[i]]&wordChars != 0 {
			i = w.word(i)
			continue
		}
		switch s[i] {
		case ':', '=', '-', '.', '~', ',', '>':
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

// word tries the rules of the word that begins at i and returns where to continue.
func (w *walk) word(i int) int {
	if end := w.add(w.t.prefixedAt(w.s, i)); end > i {
		return end
	}
	return i + run(w.s[i:], wordChars, 0)
}

// sign tries the rules of the separator or hyphen at i.
func (w *walk) sign(i int) (span, bool) {
	switch w.s[i] {
	case ',', '>':
		return w.assigned(i)
	case ':', '=':
		if found, ok := w.t.anchoredAt(w.s, i); ok {
			return found, true
		}
		if found, ok := urlPassword(w.s, i); ok {
			return found, true
		}
		if found, ok := passwordFileLine(w.s, i); ok {
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
	return w.t.anchoredAt(w.s, i)
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
