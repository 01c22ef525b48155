package extract

import (
	"cmp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/brainbridge/brainbridge/brain/plaintext"
	"github.com/brainbridge/brainbridge/brain/words"
)

// token is a word of a sentence. A contraction is two tokens: "we've" is "we" "'ve", "don't"
// is "do" "n't". A passage in backticks is one token.
type token struct {
	word   string // in lower case, with umlauts spelled out
	bit    uint64 // of the word, see [bitOf]
	lo, hi int    // bytes in the sentence
	before byte   // punctuation between the previous token and this one, 0 if there is none
	name   bool   // may be a name: a capital letter, and not a common word
	digit  bool   // contains a digit
	code   bool   // in backticks, or see [isIdentifier]
	quoted bool   // in quotation marks
}

// foldUmlauts makes words comparable that are written with umlauts or without.
var foldUmlauts = strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue", "ß", "ss", "’", "'")

// foldWord returns a word in lower case, with umlauts spelled out.
func foldWord(word string) string {
	word = strings.ToLower(word)
	if strings.IndexFunc(word, func(r rune) bool { return r >= utf8.RuneSelf }) >= 0 {
		word = foldUmlauts.Replace(word)
	}
	return word
}

// tokenize appends the tokens of a sentence to list.
func tokenize(list []token, s string) []token {
	t := tokenizer{s: s, list: list}
	for t.at < len(s) {
		rest := s[t.at:]
		if rest[0] == '`' {
			if n := strings.IndexByte(rest[1:], '`'); n >= 0 {
				t.add(token{word: "`", lo: t.at, hi: t.at + n + 2, code: true, digit: hasDigit(rest[:n+2])})
				continue
			}
		}
		if n := wordLen(rest); n > 0 {
			t.addWord(rest[:n])
		} else {
			t.punctuation(rest)
		}
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

func (t *tokenizer) add(tok token) {
	tok.bit, tok.before, tok.quoted = bitOf(tok.word), t.before, tok.lo < t.quoted
	t.list = append(t.list, tok)
	t.before, t.at = 0, tok.hi
}

func (t *tokenizer) punctuation(rest string) {
	r, size := utf8.DecodeRuneInString(rest)
	if n := plaintext.QuotationLen(t.s, t.at); n > 0 && t.at >= t.quoted {
		t.quoted = t.at + n
	}
	t.at += size
	if r < utf8.RuneSelf && r > ' ' {
		t.before = byte(r)
	}
}

// wordLen returns the length of the word at the start of s, including the punctuation inside
// numbers and paths.
func wordLen(s string) int {
	end := 0
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || r == '_':
			i += size
			end = i
			continue
		case strings.ContainsRune("£$€#@/~.", r) && i == 0 && len(s) > size && startsWord(s[size:]):
		case end > 0 && r == ',' && hasDigit(s[i+1:min(i+2, len(s))]):
		case end > 0 && strings.ContainsRune("'’.:/@-_+#%&\\°", r) && len(s) > i+size && startsWord(s[i+size:]):
		case end > 0 && (r == '+' || r == '#' || r == '%' || r == '€' || r == '£' || r == '°'):
			return i + size
		default:
			return end
		}
		i += size
	}
	return end
}

// startsWord reports whether s begins with a letter, a digit or an underscore.
func startsWord(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_'
}

// isLowerASCII reports whether a word consists of the letters a to z, as most do.
func isLowerASCII(word string) bool {
	for i := range len(word) {
		if word[i] < 'a' || word[i] > 'z' {
			return false
		}
	}
	return true
}

func hasDigit(word string) bool { return strings.ContainsAny(word, "0123456789") }

// isIdentifier reports whether a word looks like code, a path or an address.
func isIdentifier(word string) bool {
	first, _ := utf8.DecodeRuneInString(word)
	return strings.ContainsAny(word, "_/\\@") || strings.Contains(word[1:], ".") && !hasDigit(word[:1]) ||
		unicode.IsLower(first) && strings.ContainsFunc(word, unicode.IsUpper)
}

// addWord adds the token of a word, or the two tokens of a contraction.
func (t *tokenizer) addWord(word string) {
	first, _ := utf8.DecodeRuneInString(word)
	tok := token{word: word, lo: t.at, hi: t.at + len(word)}
	if !isLowerASCII(word) {
		tok.word, tok.digit, tok.code = foldWord(word), hasDigit(word), isIdentifier(word)
		tok.name = unicode.IsUpper(first) && len(word) > 1 && !words.Stop(word)
	}
	head, tail, _ := strings.Cut(cmp.Or(contractions()[tok.word], tok.word), "'")
	if head == "" || tail == "" {
		t.add(tok)
		return
	}
	if verb, negated := strings.CutSuffix(head, "n"); verb != "" && negated && tail == "t" {
		head, tail = cmp.Or(map[string]string{"ca": "can", "wo": "will", "sha": "shall"}[verb], verb), "n't"
	} else {
		tail = "'" + tail
	}
	tok.word, tok.name = head, tok.name && !words.Stop(head)
	t.add(tok)
	t.add(token{word: tail, lo: tok.lo, hi: tok.hi})
}

// contractions maps contractions without an apostrophe, such as "dont", to the correct
// spelling. "im" is left out, because it is a German word.
var contractions = sync.OnceValue(func() map[string]string {
	all := map[string]string{}
	for word := range strings.FieldsSeq("i've i'll you're they're we've you've let's that's what's there's here's he's she's can't won't don't doesn't " +
		"didn't isn't aren't wasn't weren't haven't hasn't shouldn't couldn't wouldn't") {
		all[strings.ReplaceAll(word, "'", "")] = word
	}
	return all
})

const maxNameWords = 3

// NameIn returns the first name in a text: up to three capitalized words in a row. A single
// word at the start of a sentence is a name only if one of verbs follows it.
func NameIn(sentence string) string {
	tokens := tokenize(nil, sentence)
	for i := 0; i < len(tokens); i++ {
		end := i
		for end < len(tokens) && end < i+maxNameWords && isName(tokens[end]) && (end == i || tokens[end].before == 0) {
			end++
		}
		startsSentence := i == 0 || strings.IndexByte(".!?:", tokens[i].before) >= 0
		if end > i+1 || end > i && (!startsSentence || end < len(tokens) && inList(verbs, tokens[end].word)) {
			return strings.TrimSuffix(sentence[tokens[i].lo:tokens[end-1].hi], "'s")
		}
		i = max(i, end-1)
	}
	return ""
}

// notNames are capitalized words that are not names. verbs are words that follow a name at
// the beginning of a sentence.
const (
	notNames = "january february march april may june july august september october november december " +
		"monday tuesday wednesday thursday friday saturday sunday today tomorrow yesterday " +
		"mr mrs ms dr prof ok okay yes no hello hi thanks please btw also"
	verbs = "is 's was are has had will 'll runs works leads heads owns handles joined joins manages maintains wants prefers said says " +
		"knows uses looks takes moved left from and at"
)

func isName(t token) bool { return t.name && !t.code && !inList(notNames, t.word) }
