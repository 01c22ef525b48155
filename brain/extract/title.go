package extract

import (
	"cmp"
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

// leadIns are phrases that introduce a statement, such as "I think".
var leadIns = sync.OnceValue(func() []phrase {
	var all []phrase
	for _, text := range []string{
		"let 's|us just|simply? use|do|have|take|go|going|pick? with|for? !it|that|this", "we|i 'll|will|'m|'re|are|am|can just|then? go|going with",
		"i 'm|am trying|working|struggling to|on|with", "i want|need|would|'d like? to", "i think|guess|believe|mean that?", "one|another more? thing :|,",
		"by the way", "one thing", "for the record", "just so you know", "before i forget", "decision made|: :?", "go|going with",
		"note to self :|,", "lesson learned :?|,?", "can|could you", "please",
	} {
		all = append(all, parsePhrase(text, parseElement))
	}
	return all
})

// titleOf returns a sentence as a title, without lead-ins and without a question at its end.
// A title that is too long is cut after a clause that is a complete statement, if it has one.
func titleOf(quote string) string {
	lo, hi := leadInLen(quote), lenWithoutQuestion(quote)
	if lo >= hi {
		lo, hi = 0, len(quote)
	}
	if utf8.RuneCountInString(quote[lo:hi]) > titleRunes {
		hi = cmp.Or(clauseEnd(quote, lo, hi), hi)
	}
	text := cmp.Or(strings.Trim(quote[lo:hi], " \t\r\n,;:–—-*"), quote)
	first, size := utf8.DecodeRuneInString(text)
	if unicode.IsLower(first) && !isIdentifier(text[:wordLen(text)]) {
		text = string(unicode.ToUpper(first)) + text[size:]
	}
	return Title(text)
}

// leadInLen returns the length of the lead-ins of a sentence.
func leadInLen(quote string) int {
	tokens := tokenize(nil, quote)
	at := sentenceStart(tokens)
	for at > 0 && inList(reasonWords, tokens[at-1].word) {
		at-- // a reason is not a complete sentence
	}
	for found := true; found; {
		found = false
		for _, p := range leadIns() {
			if end, ok := p.match(tokens, at, at); ok && end > at && end < len(tokens)-1 {
				at, found = end, true
			}
		}
	}
	if at >= len(tokens) {
		return 0
	}
	return tokens[at].lo
}

// lenWithoutQuestion returns the length of a sentence without a question at its end.
func lenWithoutQuestion(quote string) int {
	if !strings.HasSuffix(quote, "?") {
		return len(quote)
	}
	for _, mark := range []string{", ", " - ", " – ", " and ", " und ", " so "} {
		if at := strings.LastIndex(quote, mark); at > len(quote)/4 {
			tokens := tokenize(nil, quote[at+len(mark):])
			if len(tokens) > 2 && tokens[1].word != "n't" && inList(questionWords, tokens[sentenceStart(tokens)].word) {
				return at
			}
		}
	}
	return len(quote)
}

const questionWords = "can could would should will shall may how what why which where is are do does did any i right " +
	"kannst koenntest wie was ist soll geht"

// clauseMarks finds the places at which a clause may end.
var clauseMarks = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`, |; | [–—-] `) })

// clauseEnd returns the end of the longest complete statement at lo that has at most
// titleRunes characters, 0 if there is none.
func clauseEnd(quote string, lo, hi int) (end int) {
	if isRefinement(quote[lo:hi]) {
		return 0 // in "If it fails, retry", the statement comes last
	}
	for _, m := range clauseMarks().FindAllStringIndex(quote[lo:hi], -1) {
		head, rest := quote[lo:lo+m[0]], quote[lo+m[1]:hi]
		n := utf8.RuneCountInString(head)
		if n >= titleRunes/3 && n <= titleRunes && !isRefinement(rest) && strings.Count(head, "(") == strings.Count(head, ")") && strings.Count(head, "`")%2 == 0 {
			end = lo + m[0]
		}
	}
	return end
}

// Words that begin a clause that limits another one, or gives the reason for it.
const (
	refiningWords = "if when whenever unless until after before once whether to but not no only except instead rather without or with for " +
		"wenn falls sobald bis nachdem bevor dass ob aber sondern nicht nur ausser statt anstatt ohne oder mit kein keine um zu"
	reasonWords = "because since weil da"
)

// inList reports whether a word is in a list of words that are separated by blanks.
func inList(list, word string) bool {
	for word != "" {
		before, after, found := strings.Cut(list, word)
		if !found {
			return false
		}
		if (before == "" || strings.HasSuffix(before, " ")) && (after == "" || after[0] == ' ') {
			return true
		}
		_, list, _ = strings.Cut(after, " ")
	}
	return false
}

// isRefinement reports whether a clause limits the meaning of the one next to it.
func isRefinement(clause string) bool {
	word, _, _ := strings.Cut(clause, " ")
	return inList(refiningWords, foldWord(strings.Trim(word, ".,;:*")))
}
