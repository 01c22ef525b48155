package extract

import (
	"cmp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/brainbridge/brainbridge/brain/plaintext"
	"github.com/brainbridge/brainbridge/brain/words"
)

// token is a word of a sentence. Contractions are two: "we've" is "we" "'ve",
// "don't" is "do" "n't". A passage in backticks is one.
type token struct {
	word   string // in lower case, with umlauts spelled out
	lo, hi int    // bytes in the sentence
	before byte   // punctuation between the previous token and this one, 0 if there is none
	name   bool   // may be a name: a capital letter, and not a common word
	digit  bool   // contains a digit
	code   bool   // in backticks, or an identifier, a path or an address
	quoted bool   // in quotation marks
}

// spelling makes a word comparable: German words are written with umlauts or without.
var spelling = strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue", "ß", "ss", "’", "'")

// spelled returns a word in lower case, with umlauts spelled out.
func spelled(word string) string {
	word = strings.ToLower(word)
	if strings.IndexFunc(word, func(r rune) bool { return r >= utf8.RuneSelf }) >= 0 {
		word = spelling.Replace(word)
	}
	return word
}

// tokenize appends the tokens of a sentence to list.
func tokenize(list []token, s string) []token {
	t := tokenizer{s: s, list: list}
	for t.at < len(s) {
		t.next()
	}
	return t.list
}

type tokenizer struct {
	s      string
	at     int
	before byte
	quoted int // end of the last quotation
	list   []token
}

// next reads one word, or what stands between two words.
func (t *tokenizer) next() {
	rest := t.s[t.at:]
	if rest[0] == '`' {
		if n := strings.IndexByte(rest[1:], '`'); n >= 0 {
			t.add(token{word: "`", lo: t.at, hi: t.at + n + 2, code: true, digit: hasDigit(rest[:n+2])})
			return
		}
	}
	n := wordLen(rest)
	if n == 0 {
		t.punctuation(rest)
		return
	}
	word := rest[:n]
	first, _ := utf8.DecodeRuneInString(word)
	t.addWord(token{
		word: spelled(word), lo: t.at, hi: t.at + n,
		name: unicode.IsUpper(first) && len(word) > 1 && !words.Stop(word), digit: hasDigit(word), code: identifier(word),
	})
}

func (t *tokenizer) add(one token) {
	one.before, one.quoted = t.before, one.lo < t.quoted
	t.list = append(t.list, one)
	t.before, t.at = 0, one.hi
}

// punctuation reads what stands between words.
func (t *tokenizer) punctuation(rest string) {
	r, size := utf8.DecodeRuneInString(rest)
	t.at += size
	switch r {
	case '"', '“', '„', '«', '»', '”':
		t.before = '"'
		if n := plaintext.QuotationLen(t.s, t.at-size); n > 0 && t.at > t.quoted {
			t.quoted = t.at - size + n
		}
	case '–', '—':
		t.before = '-'
	default:
		if r < utf8.RuneSelf && r > ' ' {
			t.before = byte(r)
		}
	}
}

// wordLen returns the length of the word at the start of s: letters and digits, and the
// marks inside numbers, paths, addresses and contractions.
func wordLen(s string) int {
	end := 0
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || r == '_':
			i += size
			end = i
			continue
		case strings.ContainsRune("£$€#@/~.", r) && i == 0 && len(s) > size && wordByte(s[size:]):
		case end > 0 && strings.ContainsRune("'’.,:/@-_+#%&\\°", r) && len(s) > i+size && wordByte(s[i+size:]) && r != ',':
		case end > 0 && r == ',' && digitAt(s, i-1) && digitAt(s, i+1):
		case end > 0 && (r == '+' || r == '#' || r == '%' || r == '€' || r == '£' || r == '°'):
			return i + size
		default:
			return end
		}
		i += size
	}
	return end
}

func digitAt(s string, i int) bool { return i >= 0 && i < len(s) && s[i]-'0' < 10 }

// wordByte reports whether s begins with a letter, a digit or an underscore.
func wordByte(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_'
}

func hasDigit(word string) bool { return strings.ContainsAny(word, "0123456789") }

// identifier reports whether a word looks like code, a path or an address.
func identifier(word string) bool {
	inner := word[1:]
	if strings.ContainsAny(word, "_/\\@") || strings.Contains(word, "::") {
		return true
	}
	dot := strings.IndexByte(inner, '.')
	if dot >= 0 && !hasDigit(word[:1]) {
		return true
	}
	lower := false
	for _, r := range word {
		if lower && unicode.IsUpper(r) {
			return true // camelCase
		}
		lower = unicode.IsLower(r)
	}
	return false
}

// addWord adds a word, a contraction as two.
func (t *tokenizer) addWord(one token) {
	word := one.word
	if word != "im" || !germanAhead(t.s[one.hi:]) {
		word = withApostrophe(word)
	}
	head, tail, _ := strings.Cut(word, "'")
	if head == "" || tail == "" {
		t.add(one)
		return
	}
	if verb, negated := strings.CutSuffix(head, "n"); negated && tail == "t" {
		head, tail = cmp.Or(map[string]string{"ca": "can", "wo": "will", "sha": "shall"}[verb], verb), "n't"
	} else {
		tail = "'" + tail
	}
	first := one
	first.word, first.name = head, one.name && !words.Stop(head)
	t.add(first)
	t.add(token{word: tail, lo: one.lo, hi: one.hi})
}

// germanAhead reports whether the next word is a noun or an adjective as they follow the
// German "im": with a capital letter, or ending in -en.
func germanAhead(rest string) bool {
	word, _, _ := strings.Cut(strings.TrimLeft(rest, " "), " ")
	first, _ := utf8.DecodeRuneInString(word)
	return unicode.IsUpper(first) || strings.HasSuffix(word, "en")
}

// withApostrophe returns a word with the apostrophe that people leave out of contractions.
func withApostrophe(word string) string {
	end := len(word)
	switch word {
	case "im", "ive", "ill":
		end = 1
	case "youre", "theyre", "weve", "youve":
		end -= 2
	case "lets", "thats", "whats", "theres", "heres", "hes", "shes", "cant", "wont",
		"dont", "doesnt", "didnt", "isnt", "arent", "wasnt", "werent", "havent", "hasnt", "shouldnt", "couldnt", "wouldnt":
		end--
	default:
		return word
	}
	return word[:end] + "'" + word[end:]
}
