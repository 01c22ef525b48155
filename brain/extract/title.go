package extract

import (
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/brainbridge/brainbridge/brain/plaintext"
)

const titleRunes = 100

// Title returns a sentence as a title: one line without list marks and bold type, cut at a
// word boundary to at most 100 characters.
func Title(sentence string) string {
	line := strings.TrimLeft(plaintext.OneLine(sentence), "-*+#>• ")
	return plaintext.Shorten(strings.ReplaceAll(line, "**", ""), titleRunes)
}

// titleOf returns the clause that carries a statement as a title. One that is too long is
// cut after a complete clause, and never before the words that decide.
func titleOf(statement string) string {
	text := plain(statement)
	text = strings.Trim(text[leadInLen(text):], " ,;:–—-*")
	if utf8.RuneCountInString(text) > titleRunes {
		text = shortened(text)
	}
	word, _, _ := strings.Cut(text, " ")
	if first, size := utf8.DecodeRuneInString(text); unicode.IsLower(first) && !hasEvidence(word) {
		text = string(unicode.ToUpper(first)) + text[size:]
	}
	return Title(text)
}

// shortened returns the longest complete clause of a text that fits, from the clause that
// compares if that would be cut off.
func shortened(text string) string {
	if at := deciding().FindStringIndex(text); len(at) > 0 && utf8.RuneCountInString(text[:at[1]]) > titleRunes-10 {
		from := max(strings.LastIndex(text[:at[0]], ", "), strings.LastIndex(text[:at[0]], "; "))
		if from > 0 {
			return strings.TrimPrefix(text[from+2:], "to ")
		}
	}
	if refines(text) {
		return text // in "If it fails, retry", the statement comes last
	}
	end := len(text)
	for _, m := range clauseMark().FindAllStringIndex(text, -1) {
		head := text[:m[0]]
		if n := utf8.RuneCountInString(head); n >= titleRunes/3 && n <= titleRunes && !refines(text[m[1]:]) && strings.Count(head, "(") == strings.Count(head, ")") && strings.Count(head, "`")%2 == 0 {
			end = m[0]
		}
	}
	return text[:end]
}

var (
	clauseMark = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`, |; | [–—-] `) })
	deciding   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b(?:instead of|rather than|statt)\b`) })
	// refines reports whether a clause limits the meaning of the one before it.
	refines = begins(`if|when|whenever|unless|until|after|before|once|whether|to|but|not|no|never|only|except|instead|rather|without|or|and never|with|for|` +
		`wenn|falls|sobald|bis|nachdem|bevor|dass|ob|aber|sondern|nicht|nur|außer|statt|anstatt|ohne|oder|mit|kein|keine|um|zu`)
)

// lenWithoutQuestion returns the length of a sentence without a question at its end.
func lenWithoutQuestion(text string) int {
	if m := endQuestion().FindStringIndex(text); len(m) > 0 && m[0] > len(text)/4 {
		return m[0]
	}
	return len(text)
}

var endQuestion = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)(?:, (?:and |so |but )?| [–-] | and | so | und )(?:can|could|would|should|will|shall|may|how|what|why|where|is|are|do|does|any|kannst|könntest|wie|was|soll|geht) [^,]*\?$`)
})
