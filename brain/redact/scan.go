package redact

import "strings"

// span is a secret in a text.
type span struct {
	kind       string
	start, end int
}

// action says what a byte asks of the walk.
type action uint8

const (
	skip      action = iota
	inWord           // part of a word
	separator        // ':' or '=': a value may follow, or part of a key precede
	hyphen           // a flag or a private key's armour
	joint            // '.' or '~' inside some keys
	bracket          // a marker
	escape           // a backslash
)

func actionOf(c byte) action {
	switch c {
	case ':', '=':
		return separator
	case '-':
		return hyphen
	case '.', '~':
		return joint
	case '[':
		return bracket
	case '\\':
		return escape
	}
	if classOf(c)&wordly != 0 {
		return inWord
	}
	return skip
}

// walk is one pass over a text.
type walk struct {
	s     string
	rules *rules
	found []Finding
	last  int // end of the last finding
	data  int // end of the data seen to be no value
}

// pass returns the secrets in s, in order.
func pass(s string) []Finding {
	w := walk{s: s, rules: allRules()}
	actions := &w.rules.actions
	for i := 0; i < len(s); {
		switch actions[s[i]] {
		case skip:
			i++
		case inWord:
			i = w.word(i)
		default:
			i = w.step(i)
		}
	}
	return w.found
}

// word looks at the word that begins at i and returns where to go on.
func (w *walk) word(i int) int {
	s, actions := w.s, &w.rules.actions
	if i+1 < len(s) && w.rules.begins(s[i], s[i+1]) {
		if end := w.add(w.rules.word(s, i)); end > i {
			return end
		}
	}
	for i < len(s) && actions[s[i]] == inWord {
		i++
	}
	return i
}

// step looks at the sign at i and returns where to go on.
func (w *walk) step(i int) int {
	switch w.rules.actions[w.s[i]] {
	case escape:
		return i + escapeLen(w.s[i:])
	case bracket:
		return i + max(1, markerLen(w.s[i:]))
	}
	return max(i+1, w.add(w.sign(i)))
}

// sign tries the rules of the separator, hyphen or joint at i.
func (w *walk) sign(i int) (span, bool) {
	switch w.rules.actions[w.s[i]] {
	case separator:
		return w.separated(i)
	case hyphen:
		return w.hyphened(i)
	}
	return jointed(w.s, i)
}

func (w *walk) separated(i int) (span, bool) {
	if w.s[i] == ':' {
		if found, ok := inURL(w.s, i); ok {
			return found, true
		}
		if found, ok := telegram(w.s, i); ok {
			return found, true
		}
	}
	return w.assigned(i)
}

// hyphened tries armour, flags and the one key that ends in "-us" and digits.
func (w *walk) hyphened(i int) (span, bool) {
	rest := w.s[i:]
	switch {
	case strings.HasPrefix(rest, "-----BEGIN "):
		return armour(w.s, i)
	case strings.HasPrefix(rest, "-us"):
		return mailchimp(w.s, i)
	case i > 0 && classOf(w.s[i-1])&(wordly|dash) != 0:
		return span{}, false
	}
	return w.flag(i)
}

// add records a secret and returns its end, or 0 if there is none. One that
// holds a marker, or that begins before the end of the one before it, is none.
func (w *walk) add(found span, ok bool) int {
	if !ok || found.start < w.last || found.end <= found.start ||
		strings.Contains(w.s[found.start:found.end], opening) {
		return 0
	}
	w.found = append(w.found, Finding{Kind: found.kind, Offset: found.start, Length: found.end - found.start})
	w.last = found.end
	return found.end
}

// escapeLen returns the length of what stands for one blank in quoted text: \n,
// \t or \r, so that the word after it is seen to begin there.
func escapeLen(s string) int {
	if len(s) > 1 && (s[1] == 'n' || s[1] == 't' || s[1] == 'r') {
		return 2
	}
	return 1
}
