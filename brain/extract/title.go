package extract

import (
	"strings"
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

// refining words begin a clause that limits the meaning of the one before it.
const refining = "if when whenever unless until after before once whether to but not no never only except instead rather without or and with for " +
	"wenn falls sobald bis nachdem bevor dass ob aber sondern nicht nur außer statt anstatt ohne oder mit kein keine um zu"

// refines reports whether a clause limits the meaning of the one before it.
func refines(clause string) bool {
	first, _ := firstOf(wordsOf(clause))
	return inList(refining, first)
}

// shortened returns the longest complete clause of a text that fits, from the clause that
// compares if that would be cut off.
func shortened(text string) string {
	for _, decides := range []string{" instead of ", " rather than ", " statt "} {
		if at := strings.Index(text, decides); at >= 0 && utf8.RuneCountInString(text[:at]) > titleRunes-20 {
			if from := max(strings.LastIndex(text[:at], ", "), strings.LastIndex(text[:at], "; ")); from > 0 {
				return strings.TrimPrefix(text[from+2:], "to ")
			}
		}
	}
	if refines(text) {
		return text // in "If it fails, retry", the statement comes last
	}
	end := len(text)
	for at := range text {
		head, rest := text[:at], strings.TrimLeft(text[at:], ",;–—- ")
		if !strings.HasPrefix(text[at:], ", ") && !strings.HasPrefix(text[at:], "; ") && !strings.HasPrefix(text[at:], " – ") && !strings.HasPrefix(text[at:], " - ") {
			continue
		}
		if n := utf8.RuneCountInString(head); n >= titleRunes/3 && n <= titleRunes && !refines(rest) && strings.Count(head, "(") == strings.Count(head, ")") && strings.Count(head, "`")%2 == 0 {
			end = at
		}
	}
	return text[:end]
}

// questionTags begin a question at the end of a statement: "use tabs, can you?"
const questionTags = "can could would should will shall may how what why where is are do does any kannst könntest wie was soll geht"

// lenWithoutQuestion returns the length of a sentence without a question at its end.
func lenWithoutQuestion(text string) int {
	all := clausesOf(text)
	if n := len(all) - 1; n > 0 && strings.HasSuffix(text, "?") {
		if first, _ := firstOf(all[n].words); inList(questionTags, first) && all[n].start > len(text)/4 {
			return len(strings.TrimRight(text[:all[n].start], " ,–—-"))
		}
	}
	return len(text)
}
