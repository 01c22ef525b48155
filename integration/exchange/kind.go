package exchange

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
)

// kindOfText returns the type of a text: by the words of the headings above it,
// the nearest first, then by its own first line, else note.
func kindOfText(headings []string, text string) string {
	for _, heading := range slices.Backward(headings) {
		words := wordsOf(heading)
		if slices.Contains(words, "memory") { // such as "Project memory", the title of the file
			continue
		}
		if kind := firstKind(words, headingKind); kind != "" {
			return kind
		}
	}
	first, _, _ := strings.Cut(text, "\n")
	return cmp.Or(firstKind(wordsOf(first), wordKind), "note")
}

func wordsOf(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) })
}

func firstKind(words []string, kindOf func(word string) string) string {
	for _, word := range words {
		if kind := kindOf(word); kind != "" {
			return kind
		}
	}
	return ""
}

// headingKind returns the type of texts under a heading with this word, which may
// be a plural.
func headingKind(word string) string {
	singular := strings.TrimSuffix(word, "s")
	switch singular {
	case "style", "convention", "like", "dislike", "rule", "feedback":
		return "preference"
	case "project":
		return "project"
	case "person", "people", "contact", "family", "team":
		return "person"
	}
	return cmp.Or(wordKind(word), wordKind(singular))
}

// wordKind returns the type of a text with this word. The words are those that
// make a bullet of a daily note, and others that agents use.
func wordKind(word string) string {
	switch word {
	case "decision", "decided":
		return "decision"
	case "lesson", "learned", "learning", "gotcha", "pitfall":
		return "lesson"
	case "bug", "issue", "problem", "error", "failure":
		return "issue"
	case "fixed", "resolved", "completed", "success", "solution", "resolution", "fixe":
		return "resolution"
	case "pattern", "insight", "discovery", "discoverie":
		return "discovery"
	case "preference", "prefers", "prefer":
		return "preference"
	}
	return ""
}
