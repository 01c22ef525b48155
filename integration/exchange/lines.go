package exchange

import (
	"strings"

	"github.com/brainbridge/brainbridge/brain/markdown"
)

// itemText returns a list item without its marker and its indentation.
func itemText(lines []string) string {
	item, _ := markdown.ParseItem(lines[0])
	var text strings.Builder
	text.WriteString(strings.TrimRight(lines[0][item.Text:], " \t"))
	for _, line := range lines[1:] {
		text.WriteByte('\n')
		text.WriteString(strings.TrimRight(markdown.Dedent(line, item.Content), " \t"))
	}
	return strings.TrimRight(text.String(), "\n")
}

// dateIn returns the first date in a text, "" for none.
func dateIn(text string) string {
	for i := 0; i+len("2006-01-02") <= len(text); i++ {
		if text[i] < '0' || text[i] > '9' || i > 0 && text[i-1] >= '0' && text[i-1] <= '9' {
			continue
		}
		if day := dayOf(text[i:]); day != "" {
			return day
		}
	}
	return ""
}

// namesIn returns the names in double brackets outside code fences, each once.
func namesIn(text string) []string {
	var names []string
	seen := map[string]bool{}
	for _, line := range markdown.Parse(text).Prose() {
		markdown.WikiLinks(line, func(name string) {
			if !seen[name] {
				seen[name] = true
				names = append(names, name)
			}
		})
	}
	return names
}
