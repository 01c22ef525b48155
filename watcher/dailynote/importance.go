package dailynote

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"
)

// ImportanceOf grades texts by their words, in upper or lower case. A word after a
// negation does not count ("not critical", "no known bug").
func ImportanceOf(texts ...string) string {
	grade := Reference
	for _, text := range texts {
		switch gradeText(text) {
		case Critical:
			return Critical
		case Important:
			grade = Important
		}
	}
	return grade
}

func gradeText(text string) string {
	grade, negated := Reference, false
	for word, gap := range eachWord(text) {
		negated = negated && negationCrosses(gap)
		switch kind := wordKind(word); {
		case kind == negation:
			negated = true
		case kind == otherWord:
			negated = false
		case negated:
		case kind == criticalWord:
			return Critical
		case kind == importantWord:
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
func hasNegation(text string) bool {
	for word := range eachWord(text) {
		if wordKind(word) == negation && word != "without" && word != "ohne" {
			return true
		}
	}
	return false
}

const (
	otherWord = iota
	criticalWord
	importantWord
	negation
	filler // may stand between a negation and the negated word
)

func wordKind(word string) int {
	switch word {
	case "critical", "blocker", "blocked", "error", "bug", "broken", "failure", "kritisch", "blockiert":
		return criticalWord
	case "decision", "decided", "important", "insight", "pattern", "success",
		"entscheidung", "entschieden", "beschlossen", "wichtig", "erkenntnis":
		return importantWord
	case "no", "not", "non", "never", "without", "none", "neither", "nor", "zero", "cannot",
		"nicht", "kein", "keine", "keinen", "nie", "niemals", "ohne":
		return negation
	case "a", "an", "any", "the", "this", "that", "such", "more", "longer", "yet", "really",
		"very", "so", "of", "known", "new", "other", "further", "single", "real", "actual",
		"actually", "or", "be", "been", "it":
		return filler
	}
	return otherWord
}

// negationCrosses reports whether a negation still applies after the gap between two words, such
// as one line end.
func negationCrosses(gap string) bool {
	if gap == " " || gap == "-" || gap == "/" {
		return true
	}
	if strings.Count(gap, "\n") > 1 {
		return false
	}
	return strings.Trim(gap, " \t\r\n*_`\"'“”‘’") == ""
}

// eachWord yields each word in lower case, with the gap before it. It yields "isn't" as "isn"
// and "not".
func eachWord(text string) iter.Seq2[string, string] {
	text = strings.ReplaceAll(strings.ToLower(text), "’", "'")
	return func(yield func(word, gap string) bool) {
		for rest := text; ; {
			start := strings.IndexFunc(rest, isWordRune)
			if start < 0 {
				return
			}
			word, gap := rest[start:], rest[:start]
			if n := strings.IndexFunc(word, func(r rune) bool { return !isWordRune(r) }); n >= 0 {
				word = word[:n]
			}
			rest = rest[start+len(word):]
			if word == "t" && gap == "'" {
				word = "not"
			}
			if !yield(word, gap) {
				return
			}
		}
	}
}

func isWordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || '0' <= r && r <= '9'
	}
	emojiSelector := r >= 0xfe00 && r <= 0xfe0f || r == 0x20e3
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) && !emojiSelector
}
