package words

import (
	"regexp"
	"strings"
	"sync"
)

// The marker of a redacted secret, such as "[redacted: github token]". It has no terms,
// since it says nothing about the topic of the text.
const (
	MarkerOpening = "[redacted: "
	MarkerClosing = ']'

	// longestMarker is the longest marker in bytes: its kind has up to 40.
	longestMarker = len(MarkerOpening) + 40 + 1
)

var marker = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\[redacted: [A-Za-z0-9 -]{1,40}\]`) })

// MarkerLen returns the length in bytes of the marker that s begins with, or 0.
func MarkerLen(s string) int {
	if strings.HasPrefix(s, MarkerOpening) {
		if at := marker().FindStringIndex(s[:min(len(s), longestMarker)]); len(at) > 0 && at[0] == 0 {
			return at[1]
		}
	}
	return 0
}

// cutMarker cuts text around its first marker. If there is none, before is text.
func cutMarker(text string) (before, after string) {
	if strings.Contains(text, MarkerOpening) {
		if at := marker().FindStringIndex(text); at != nil {
			return text[:at[0]], text[at[1]:]
		}
	}
	return text, ""
}
