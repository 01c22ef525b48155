package statement

import (
	"regexp"
	"strings"
	"sync"
)

// emptyTitle matches titles that say nothing about what is below them.
var emptyTitle = sync.OnceValue(func() *regexp.Regexp {
	const thing = `(?:session|day|daily|meeting|call|chat|conversation|week|weekly|work|log|journal|note|notes|summary|entry|memo|untitled|unnamed|new note|document|draft|misc|miscellaneous|page|file)`
	return regexp.MustCompile(`(?i)^(?:` + thing + `|of|for|from|the|on|and|my|in|today|yesterday|no\.?|nr\.?|v?\d+(?:st|nd|rd|th)?|[#/:.,()\s–—_-]+|\b(?:january|february|march|april|may|june|july|august|september|october|november|december|monday|tuesday|wednesday|thursday|friday|saturday|sunday)\b)+$`)
})

// saysNothing reports whether a title, such as "Notes of session 3", gives no idea of its text.
func saysNothing(title string) bool { return title != "" && emptyTitle().MatchString(title) }

// description returns the text in brackets at the end of a content, "" without one.
func description(content string) string {
	above := WithoutContext(content)
	return strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(content[len(above):]), "("), ")")
}
