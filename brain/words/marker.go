package words

import "strings"

// The marker of a redacted secret, such as "[redacted: github token]". It has no terms,
// since it says nothing about the topic of the text.
const (
	MarkerOpening = "[redacted: "
	MarkerClosing = ']'

	// longestKind is the longest name of a kind inside a marker, in bytes.
	longestKind = 40
)

// MarkerLen returns the length in bytes of the marker that s begins with, or 0.
func MarkerLen(s string) int {
	if !strings.HasPrefix(s, MarkerOpening) {
		return 0
	}
	for i := len(MarkerOpening); i < len(s) && i <= len(MarkerOpening)+longestKind; i++ {
		switch c := s[i]; {
		case c == MarkerClosing && i > len(MarkerOpening):
			return i + 1
		case c != ' ' && c != '-' && !alphanumeric(c) && (c < 'A' || c > 'Z'):
			return 0
		}
	}
	return 0
}

// cutMarker cuts text around its first marker. If there is none, before is text.
func cutMarker(text string) (before, after string) {
	for at := 0; ; {
		next := strings.Index(text[at:], MarkerOpening)
		if next < 0 {
			return text, ""
		}
		at += next
		if n := MarkerLen(text[at:]); n > 0 {
			return text[:at], text[at+n:]
		}
		at += len(MarkerOpening)
	}
}
