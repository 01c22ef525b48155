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

// Title returns a sentence as a title: one line without list marks and bold type,
// shortened at a word to 100 characters.
func Title(sentence string) string {
	line := strings.TrimLeft(plaintext.OneLine(sentence), "-*+#>• ")
	return plaintext.Shorten(strings.ReplaceAll(line, "**", ""), titleRunes)
}

// leadIns are phrases before a statement that are not part of it.
var leadIns = sync.OnceValue(func() []phrase {
	var all []phrase
	for _, text := range []string{
		"let 's|us just|simply? use|do|have|take|go|going|pick? with|for? !it|that|this", "we|i 'll|will|'m|'re|are|am|can just|then? go|going with",
		"i 'm|am trying|working|struggling to|on|with", "i want|need|would|'d like? to", "i think|guess|believe|mean that?", "one|another more? thing :|,",
		"by the way", "one thing", "for the record", "just so you know", "before i forget", "decision made|: :?", "go|going with",
		"note to self :|,", "lesson learned :?|,?", "can|could you", "please",
	} {
		all = append(all, parsePhrase(text))
	}
	return all
})

// titleOf returns a sentence as a title, without lead-ins and a question at its end. One
// that is too long ends where the words before are a statement of their own.
func titleOf(quote string) string {
	lo, hi := leadIn(quote), withoutQuestion(quote)
	if lo >= hi {
		lo, hi = 0, len(quote)
	}
	if utf8.RuneCountInString(quote[lo:hi]) > titleRunes {
		hi = cmp.Or(clauseEnd(quote, lo, hi), hi)
	}
	text := strings.Trim(quote[lo:hi], " \t\r\n,;:–—-*")
	first, size := utf8.DecodeRuneInString(text)
	if size > 0 && unicode.IsLower(first) && !identifier(text[:max(1, wordLen(text))]) {
		text = string(unicode.ToUpper(first)) + text[size:]
	}
	if text == "" {
		text = quote
	}
	return Title(text)
}

// leadIn returns the length of the words before the statement of a sentence.
func leadIn(quote string) int {
	tokens := tokenize(nil, quote)
	at := sentenceStart(tokens)
	for at > 0 && causes(tokens[at-1].word) {
		at-- // what follows is not a sentence of its own
	}
	for again := true; again; {
		again = false
		for _, p := range leadIns() {
			if end, ok := p.match(tokens, at, at); ok && end > at && end < len(tokens)-1 {
				at, again = end, true
			}
		}
	}
	if at >= len(tokens) {
		return 0
	}
	lo := tokens[at].lo
	if at > 0 && tokens[at-1].lo == lo {
		return tokens[at-1].lo // inside a contraction
	}
	return lo
}

// withoutQuestion returns the length of a sentence without a question at its end.
func withoutQuestion(quote string) int {
	if !strings.HasSuffix(quote, "?") {
		return len(quote)
	}
	for _, mark := range []string{", ", " - ", " – ", " and ", " und ", " so "} {
		at := strings.LastIndex(quote, mark)
		if at <= 0 {
			continue
		}
		tokens := tokenize(nil, quote[at+len(mark):])
		if len(tokens) > 3 && listed(questionWords, tokens[sentenceStart(tokens)].word) && at > len(quote)/4 {
			return at
		}
	}
	return len(quote)
}

// questionWords begin a clause that is a question.
const questionWords = "can could would should will shall may how what why which where is are do does did any i right " +
	"kannst koenntest wie was ist soll geht"

// clauseMarks finds the places at which a clause may end, and in a group those without
// punctuation.
var clauseMarks = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`, |; | [–—-] |( (?:and|so|und) )`)
})

// clauseEnd returns the last place at most titleRunes characters after lo at which the words
// before it are a statement of their own, 0 if there is none.
func clauseEnd(quote string, lo, hi int) int {
	comma, and := 0, 0
	needsMain := refines(quote[lo:hi]) || causes(quote[lo:hi])
	for _, m := range clauseMarks().FindAllStringSubmatchIndex(quote[lo:hi], -1) {
		head, rest := quote[lo:lo+m[0]], quote[lo+m[1]:hi]
		n := utf8.RuneCountInString(head)
		switch {
		case needsMain: // "If it fails, " is followed by the statement
			needsMain = quote[lo+m[0]] != ','
		case n < titleRunes/3 || n > titleRunes || refines(rest) || isOpen(head):
		case m[2] >= 0:
			and = lo + m[0]
		default:
			comma = lo + m[0]
		}
	}
	if comma-lo < titleRunes/2 {
		return cmp.Or(and, comma)
	}
	return comma
}

// The words with which a clause refines another one, or gives the reason for it, and those at
// the end of a clause that announce a statement.
const (
	refining = "if when whenever unless until after before once whether to but not no only except instead rather without or with for " +
		"wenn falls sobald bis nachdem bevor dass ob aber sondern nicht nur ausser statt anstatt ohne oder mit kein keine um zu"
	reasoning  = "because since weil da"
	announcing = "decided agreed voted learned learnt is that entschieden beschlossen geeinigt vereinbart festgelegt gelernt ist"
)

// listed reports whether a word is in a list of words.
func listed(list, word string) bool { return strings.Contains(" "+list+" ", " "+word+" ") }

// refines reports whether a clause changes what the one beside it says, so that neither
// stands alone.
func refines(clause string) bool {
	word, _, _ := strings.Cut(clause, " ")
	return listed(refining, spelled(strings.Trim(word, ".,;:*")))
}

// causes reports whether a clause is the reason for another one.
func causes(clause string) bool {
	word, _, _ := strings.Cut(clause, " ")
	return listed(reasoning, strings.ToLower(word))
}

// isOpen reports whether a clause needs the words after it: it ends inside brackets or code,
// or with a word that announces the statement.
func isOpen(clause string) bool {
	return listed(announcing, clause[strings.LastIndexByte(clause, ' ')+1:]) ||
		strings.Count(clause, "(") > strings.Count(clause, ")") || strings.Count(clause, "`")%2 > 0
}
