package dailynote

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// The words that grade a text, those that deny one, and what may stand between.
const (
	criticalWords  = `critical|blocker|blocked|error|bug|broken|failure|kritisch|blockiert`
	importantWords = `decision|decided|important|insight|pattern|success|entscheidung|entschieden|beschlossen|wichtig|erkenntnis`
	negations      = `no|not|non|never|none|neither|nor|zero|cannot|\pL+n['’]t|nicht|kein|keine|keinen|nie|niemals`
	fillers        = `a|an|any|the|this|that|such|more|longer|yet|really|very|so|of|known|new|other|further|single|real|actual|actually|or|be|been|it`
	blanks         = "[ \t\r*`\"'“”‘’]"
	wordGap        = `(?:[-/]|` + blanks + `+\n?` + blanks + `*|\n` + blanks + `*)` // at most one line end
)

// gradeForms match the words that grade a text, and a negation of such words.
type gradeForms struct{ negation, negated, critical, important *regexp.Regexp }

var grades = sync.OnceValue(func() gradeForms {
	word := func(words string) *regexp.Regexp { return regexp.MustCompile(`(?i)\b(?:` + words + `)\b`) }
	return gradeForms{
		word(negations),
		word(`(?:` + negations + `|without|ohne)(?:` + wordGap + `(?:` + fillers + `|` + criticalWords + `|` + importantWords + `)\b)+`),
		word(criticalWords), word(importantWords),
	}
})

// ImportanceOf grades texts by their words, in upper or lower case. A word after a
// negation does not count ("not critical", "no known bug").
func ImportanceOf(texts ...string) string {
	grade := Reference
	for _, text := range texts {
		text = strings.ToLower(text)
		if !slices.ContainsFunc(strings.Split(criticalWords+"|"+importantWords, "|"), func(word string) bool { return strings.Contains(text, word) }) {
			continue // as most texts
		}
		text = grades().negated.ReplaceAllString(strings.ReplaceAll(text, "_", " "), " ")
		if grades().critical.MatchString(text) {
			return Critical
		}
		if grades().important.MatchString(text) {
			grade = Important
		}
	}
	return grade
}

// defaultImportance returns the importance of a memory that nobody graded. Decisions and
// preferences are important, because they hold from now on.
func defaultImportance(kind string) string {
	if kind == "decision" || kind == "preference" {
		return Important
	}
	return Reference
}

// hasNegation reports whether a text contains a negation other than "without".
func hasNegation(text string) bool { return grades().negation.MatchString(text) }
