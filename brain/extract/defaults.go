package extract

import (
	_ "embed"
	"strings"
)

//go:embed patterns.txt
var defaultPatterns string

// Defaults are the patterns that are always there: each line of patterns.txt,
// in the language of ParsePatterns. Projects, business and, but for the lines
// with @any, preferences are taken from what the user says only.
func Defaults() []Pattern {
	var list []string
	for line := range strings.Lines(defaultPatterns) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			list = append(list, line)
		}
	}
	patterns, err := ParsePatterns(list)
	if err != nil {
		panic(err) // our own file, read by every test
	}
	for i := range patterns {
		switch patterns[i].typ {
		case Project, Business, Preference:
			patterns[i].user = !patterns[i].any
		}
	}
	return patterns
}
