package markdown

import (
	"regexp"
	"strings"
	"sync"
)

// maxMention is the maximum length of a name in double brackets, in bytes.
const maxMention = 256

var mention = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\[\[([^\[\]|#^]+)[^\[\]]*\]\]`) })

// Mentions returns the names in [[Name]], [[Name|alias]] and [[Name#place]] outside code
// fences, in order and without duplicates.
func Mentions(text string) (names []string) {
	if !strings.Contains(text, "[[") {
		return nil
	}
	seen := map[string]bool{"": true}
	for _, line := range Parse(text).Prose() {
		for _, found := range mention().FindAllStringSubmatch(line, -1) {
			name := strings.TrimSpace(found[1])
			if !seen[name] && len(name) <= maxMention {
				seen[name] = true
				names = append(names, name)
			}
		}
	}
	return names
}
