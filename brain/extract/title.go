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
	return plaintext.Shorten(trimMarks(plain(sentence)), titleRunes)
}

// joinedTitle returns a title that ends with tail, before which head is shortened.
func joinedTitle(head, tail string) string {
	return Title(plaintext.Shorten(head, max(titleRunes-utf8.RuneCountInString(tail), 1)) + tail)
}

// boldMark matches the marks around bold type, but not the power in 2**8.
var boldMark = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(^|[^\pL\pN])\*\*|\*\*([^\pL\pN]|$)`)
})

// trimMarks returns a line without the marks of lists, headings and quotations before it. In "-5 °C"
// and "#123", the sign is a part of the word.
func trimMarks(line string) string {
	for {
		line = strings.TrimLeft(line, " \t")
		mark, rest, found := strings.Cut(line, " ")
		if !found || strings.Trim(mark, "-*+#>•") != "" {
			return line
		}
		line = rest
	}
}

// titleOf returns a statement without its lead-in as a title. A long one ends after a clause. If
// it has "instead of X" near the limit, the part before that clause is dropped, so that X stays.
func titleOf(statement string) string {
	text := plain(statement)
	text = strings.TrimRight(trimMarks(strings.TrimLeft(text[leadInLen(text):], " ,;:–—*")), " ,;:–—-*")
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

// clauseEnd matches what separates two clauses.
var clauseEnd = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[,;] | [–-] `) })

// shortened returns the beginning of a text up to the last clause that fits and that the next one
// does not refine; or the clause that compares, if it would be cut off.
func shortened(text string) string {
	const (
		minRunes     = titleRunes / 3  // less would say too little
		mostCompared = titleRunes - 20 // where "instead of X" begins, so that X fits
	)
	for _, compares := range []string{" instead of ", " rather than ", " statt "} {
		if at := strings.Index(text, compares); at >= 0 && utf8.RuneCountInString(text[:at]) > mostCompared {
			if from := max(strings.LastIndex(text[:at], ", "), strings.LastIndex(text[:at], "; ")); from > 0 {
				return strings.TrimPrefix(text[from+2:], "to ")
			}
		}
	}
	if refines(text) {
		return text // in "If it fails, retry", the statement comes last
	}
	end := len(text)
	for _, at := range clauseEnd().FindAllStringIndex(text, -1) {
		head, rest := text[:at[0]], text[at[1]:]
		inside := strings.Count(head, "(") != strings.Count(head, ")") || strings.Count(head, "`")%2 != 0
		if n := utf8.RuneCountInString(head); n >= minRunes && n <= titleRunes && !inside && !refines(rest) {
			end = at[0]
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
