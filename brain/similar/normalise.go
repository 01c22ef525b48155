package similar

import (
	"strings"
	"unicode/utf8"

	"github.com/brainbridge/brainbridge/brain/words"
)

// Normalise returns text in NFC, case-folded, blanks collapsed, without a final
// . , ; : ? ! or … of a word and without quotes or brackets around a word. No
// other character is dropped: C# is not C and -1 is not 1. The path words . and
// .. stay, as do brackets that belong to a word, as in main(). Normalise of a
// normalised text is that text.
func Normalise(text string) string {
	var b strings.Builder
	b.Grow(len(text))
	for word := range strings.SplitSeq(words.Key(text), " ") {
		if word = bare(word); word == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(word)
	}
	return b.String()
}

// bare returns a word without the marks around it.
func bare(word string) string {
	for word != "" && word != "." && word != ".." {
		rest := stripped(word)
		if rest == word {
			break
		}
		word = rest
	}
	return word
}

// stripped returns word without one mark at its end or beginning.
func stripped(word string) string {
	first, n := utf8.DecodeRuneInString(word)
	last, m := utf8.DecodeLastRuneInString(word)
	switch {
	case final(last), quote(last):
		return word[:len(word)-m]
	case quote(first):
		return word[n:]
	}
	if open := opener(last); open != 0 {
		inner := word[:len(word)-m]
		switch {
		case first == open && inner != "":
			return inner[n:]
		case last != '>' && !strings.ContainsRune(inner, open):
			return inner
		}
	}
	if end := closer(first); end != 0 && first != '<' && !strings.ContainsRune(word, end) {
		return word[n:]
	}
	return word
}

func final(r rune) bool { return strings.ContainsRune(".,;:?!…。、，；：？！", r) }

func quote(r rune) bool { return strings.ContainsRune("\"'`“”„‟‘’‚«»‹›", r) }

// opener returns the bracket that r closes, or 0.
func opener(r rune) rune {
	switch r {
	case ')':
		return '('
	case ']':
		return '['
	case '}':
		return '{'
	case '>':
		return '<'
	case '」':
		return '「'
	}
	return 0
}

// closer returns the bracket that r opens, or 0.
func closer(r rune) rune {
	switch r {
	case '(':
		return ')'
	case '[':
		return ']'
	case '{':
		return '}'
	case '<':
		return '>'
	case '「':
		return '」'
	}
	return 0
}
