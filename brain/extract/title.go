package extract

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/brainbridge/brainbridge/brain/plaintext"
)

const titleRunes = 100

// Title returns a sentence as a title: one line without list marks and emphasis,
// shortened at a word to 100 characters.
func Title(sentence string) string {
	line := strings.TrimLeft(plaintext.OneLine(sentence), "-*+#>• ")
	return plaintext.Shorten(strings.NewReplacer("**", "", "__", "").Replace(line), titleRunes)
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

// titleOf returns the clause of a sentence that carries it as a title. from is the byte at
// which the words begin that make it what it is.
func titleOf(quote string, from int) string {
	lo, hi := leadIn(quote), withoutQuestion(quote)
	if lo >= hi {
		lo, hi = 0, len(quote)
	}
	if utf8.RuneCountInString(quote[lo:hi]) > titleRunes {
		if at := clauseBefore(quote, from); at > lo+titleRunes/2 && at < hi {
			lo = at
		}
		if at := clauseEnd(quote, lo, hi, from); at > 0 {
			hi = at
		}
	}
	text := strings.Trim(quote[lo:hi], " \t\r\n,;:–—-*_")
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
		if len(tokens) > 3 && asks(tokens[sentenceStart(tokens)].word) && at > len(quote)/4 {
			return at
		}
	}
	return len(quote)
}

// asks reports whether a clause that begins with a word is a question.
func asks(word string) bool {
	switch word {
	case "can", "could", "would", "should", "will", "shall", "may", "how", "what", "why", "which", "where", "is", "are", "do", "does", "did", "any",
		"i", "right", "kannst", "koenntest", "wie", "was", "ist", "soll", "geht":
		return true
	}
	return false
}

// clauseBefore returns the start of the clause that holds the byte at from.
func clauseBefore(quote string, from int) int {
	at := strings.LastIndexAny(quote[:min(from, len(quote))], ",;:–—")
	if at < 0 {
		return 0
	}
	_, size := utf8.DecodeRuneInString(quote[at:])
	return at + size
}

// clauseEnd returns the last end of a clause that is behind from and leaves at most
// titleRunes characters after lo, 0 if there is none.
func clauseEnd(quote string, lo, hi, from int) int {
	best, n := 0, 0
	for i, r := range quote[lo:hi] {
		if n++; n > titleRunes {
			break
		}
		rest := quote[lo+i:]
		next := rest[utf8.RuneLen(r):]
		boundary := strings.ContainsRune(",;:–—", r) && strings.HasPrefix(next, " ") || startsClause(rest)
		if boundary && lo+i > from+1 && n > titleRunes/4 {
			best = lo + i
		}
	}
	return best
}

func startsClause(rest string) bool {
	for _, word := range []string{" because ", " so ", " which ", " and ", " but ", " since ", " weil ", " damit ", " und ", " aber ", " denn "} {
		if strings.HasPrefix(rest, word) {
			return true
		}
	}
	return false
}
