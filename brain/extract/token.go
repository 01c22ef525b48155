package extract

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// codeByte stands for each byte of inline code and of a URL while a paragraph
// is cut into sentences and words, so that nothing in there is read.
const codeByte = 1

// token is a word of a sentence. Contractions are two: "we've" is "we" "'ve",
// "don't" is "do" "n't".
type token struct {
	word   string // lower case (ASCII), shares memory
	lo, hi int    // bytes in the paragraph
	after  byte   // punctuation between the token before and this one, 0 if none
	upper  bool   // begins with a capital letter
	digit  bool   // holds a digit
	quoted bool   // inside double quotes
	code   bool
}

// tokenise appends the tokens of the sentence s, which stands at base in its
// paragraph. lower is s in lower case, byte for byte as long.
func tokenise(list []token, s, lower string, base int) []token {
	quoted, after := false, byte(0)
	for i := 0; i < len(s); {
		n := wordLen(s[i:])
		if n == 0 {
			size := punctuation(s[i:], &after, &quoted)
			i += size
			continue
		}
		t := token{word: lower[i : i+n], lo: base + i, hi: base + i + n, after: after, quoted: quoted}
		t.upper, t.code = capitalised(s[i:]), s[i] == codeByte
		t.digit = hasDigit(t.word)
		list = appendSplit(list, t)
		after = 0
		i += n
	}
	return list
}

// punctuation notes what stands between words and says how long it is.
func punctuation(s string, after *byte, quoted *bool) int {
	if s[0] == ' ' {
		return 1
	}
	r, size := utf8.DecodeRuneInString(s)
	switch r {
	case '"':
		*quoted = !*quoted
	case '“', '„', '«':
		*quoted = true
	case '”', '»':
		*quoted = false
	case ' ', '\t', '\n', '\r':
		return size
	case '–', '—':
		*after = '-'
		return size
	}
	if r < utf8.RuneSelf {
		*after = byte(r)
	}
	return size
}

func capitalised(s string) bool {
	if s[0] < utf8.RuneSelf {
		return s[0]-'A' < 26
	}
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsUpper(r)
}

func hasDigit(word string) bool {
	for i := range len(word) {
		if word[i]-'0' < 10 {
			return true
		}
	}
	return false
}

// wordLen is the length of the word that s begins with, apostrophes inside
// included; 0 if s begins with none.
func wordLen(s string) int {
	i := 0
	for i < len(s) {
		n := wordRune(s[i:])
		if n == 0 {
			mark := apostrophe(s[i:])
			if i == 0 || mark == 0 || wordRune(s[i+mark:]) == 0 {
				break
			}
			n = mark
		}
		i += n
	}
	return i
}

func wordRune(s string) int {
	if s == "" {
		return 0
	}
	if c := s[0]; c < utf8.RuneSelf {
		if c|0x20-'a' < 26 || c-'0' < 10 || c == '_' || c == codeByte {
			return 1
		}
		return 0
	}
	r, n := utf8.DecodeRuneInString(s)
	if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) {
		return n
	}
	return 0
}

func apostrophe(s string) int {
	if strings.HasPrefix(s, "'") {
		return 1
	}
	if strings.HasPrefix(s, "’") {
		return len("’")
	}
	return 0
}

// appendSplit appends t, a contraction as two tokens.
func appendSplit(list []token, t token) []token {
	at := strings.LastIndexByte(t.word, '\'')
	if at < 0 {
		at = strings.LastIndex(t.word, "’")
	}
	if at <= 0 {
		return append(list, t)
	}
	tail := t.word[at+apostrophe(t.word[at:]):]
	if tail == "t" && t.word[at-1] == 'n' && at > 1 {
		first := t
		first.word, first.hi = negated(t.word[:at-1]), t.lo+at-1
		return append(list, first, token{word: "n't", lo: first.hi, hi: t.hi, quoted: t.quoted})
	}
	first := t
	first.word, first.hi = t.word[:at], t.lo+at
	return append(list, first, token{word: "'" + tail, lo: first.hi, hi: t.hi, quoted: t.quoted})
}

// negated gives the verb of a negated contraction: can't, won't, shan't.
func negated(stem string) string {
	switch stem {
	case "ca":
		return "can"
	case "wo":
		return "will"
	case "sha":
		return "shall"
	}
	return stem
}

// lowerASCII lower-cases A to Z and leaves the length as it is.
func lowerASCII(s string) string {
	upper := false
	for i := 0; i < len(s) && !upper; i++ {
		upper = s[i]-'A' < 26
	}
	if !upper {
		return s
	}
	b := []byte(s)
	for i, c := range b {
		if c-'A' < 26 {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}
