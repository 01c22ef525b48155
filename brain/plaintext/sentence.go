package plaintext

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"
)

// FirstSentence returns the beginning of s up to the end of its first sentence.
func FirstSentence(s string) string {
	for first := range Sentences(s) {
		return first
	}
	return s
}

// Sentences returns the sentences of an English or German text. Joined, they are the text.
// A sentence ends at a full stop, a question mark or an exclamation mark before a blank, but
// not after an abbreviation or an ordinal, and not inside quotation marks or backticks.
func Sentences(s string) iter.Seq[string] {
	return func(yield func(string) bool) {
		from := 0
		for i := 0; i < len(s); {
			if s[i] == ' ' || s[i] >= 'a' && s[i] <= 'z' { // most are
				i++
				continue
			}
			next, ends := nextPart(s, i)
			if ends {
				if !yield(s[from:next]) {
					return
				}
				from = next
			}
			i = next
		}
		if from < len(s) {
			yield(s[from:])
		}
	}
}

// nextPart returns the end of the character or passage at s[i], and whether it ends a sentence.
func nextPart(s string, i int) (next int, ends bool) {
	mark := i
	next = i + 1
	switch s[i] {
	case '.', '?', '!':
	case '`':
		return i + 1 + max(0, strings.IndexByte(s[i+1:], '`')+1), false
	case '"', 0xC2, 0xE2, 0xE3, 0xEF: // first bytes of « and », “ and „, 。, ！ and ？
		n := QuotationLen(s, i)
		if n == 0 {
			r, size := utf8.DecodeRuneInString(s[i:])
			return i + size, strings.ContainsRune("。！？", r)
		}
		next = i + n
		mark = max(i, len(strings.TrimRight(s[:next], `"“”«»`))-1) // i: nothing but marks
		if strings.IndexByte(".?!", s[mark]) < 0 {
			return next, false
		}
	default:
		return next, false
	}
	if end := sentenceEnd(s, mark); end > 0 {
		return end, true
	}
	return next, false
}

// maxQuotation is the maximum length of a passage in quotation marks, in bytes.
const maxQuotation = 4000

// QuotationLen returns the length of the passage in quotation marks that begins at s[i],
// with its marks, 0 if none does or if it does not end.
func QuotationLen(s string, i int) int {
	closing := ""
	switch s[i] {
	case '"':
		closing = `"`
	case 0xC2, 0xE2: // the first bytes of the others
		open, _ := utf8.DecodeRuneInString(s[i:])
		closing = map[rune]string{'“': "”", '„': "“”\"", '«': "»", '»': "«"}[open]
	}
	if closing == "" {
		return 0
	}
	if before, _ := utf8.DecodeLastRuneInString(s[:i]); unicode.IsLetter(before) || unicode.IsDigit(before) {
		return 0
	}
	_, size := utf8.DecodeRuneInString(s[i:])
	rest := s[i+size : min(len(s), i+maxQuotation)]
	for at, r := range rest {
		if !strings.ContainsRune(closing, r) {
			continue
		}
		last, _ := utf8.DecodeLastRuneInString(rest[:at])
		if r == '"' && s[i] == '"' && (at == 0 || unicode.IsSpace(last)) {
			return 0 // it opens another one
		}
		return size + at + utf8.RuneLen(r)
	}
	return 0
}

// sentenceEnd returns the end of the sentence that the mark at s[i] ends, with the
// quotation marks, brackets and emphasis that it closes, 0 if it ends none.
func sentenceEnd(s string, i int) int {
	rest := strings.TrimLeft(s[i+1:], "\"')]*_”“«»")
	next := strings.TrimLeftFunc(rest, unicode.IsSpace)
	if rest != "" && len(next) == len(rest) || s[i] == '.' && continues(s[:i], next) {
		return 0
	}
	return len(s) - len(rest)
}

// continues reports whether a sentence continues after a full stop, because it belongs to a
// list marker, an initial, an abbreviation, an ordinal or a date.
func continues(before, next string) bool {
	at := strings.LastIndexAny(before, " \n\t(*") + 1
	word := strings.ToLower(strings.Trim(before[at:], "(\"'"))
	first, _ := utf8.DecodeRuneInString(next)
	switch {
	case next == "":
		return false
	case strings.Trim(before, "0123456789 *-\n") == "", len(before[at:]) == 1 && unicode.IsUpper(rune(before[at])):
		return true
	case word != "" && len(word) <= len("31.12") && strings.Trim(word, "0123456789.") == "":
		last := strings.TrimRight(before[:at], " \t\n")
		german := beforeOrdinal(last[strings.LastIndexAny(last, " \t\n(")+1:])
		if strings.Contains(word, ".") {
			return german && !unicode.IsUpper(first)
		}
		return len(word) <= 2 && (german || isGermanMonth(next))
	}
	switch word {
	case "no", "nr", "fig", "p", "vol", "art", "tel", "jan", "feb", "aug", "sept", "oct", "nov", "dec":
		return unicode.IsDigit(first)
	case "etc", "usw", "inc", "ltd", "jr", "sr", "std", "min":
		return !unicode.IsUpper(first)
	case "e.g", "i.e", "vs", "approx", "dr", "mr", "mrs", "ms", "prof", "st", "cf", "resp",
		"z.b", "z", "d.h", "ca", "bzw", "evtl", "ggf", "inkl", "max", "mind", "u.a", "v.a", "o.ä", "hr", "fr":
		return true
	}
	return false
}

// beforeOrdinal reports whether a number with a full stop after a German word is an ordinal.
func beforeOrdinal(word string) bool {
	switch strings.ToLower(word) {
	case "am", "im", "der", "die", "das", "den", "dem", "des", "vom", "zum", "zur", "beim", "ab", "bis", "seit", "jede", "jeder", "jeden", "jedes":
		return true
	}
	return false
}

func isGermanMonth(text string) bool {
	word, _, _ := strings.Cut(text, " ")
	switch strings.ToLower(strings.Trim(word, ".,;:!?")) {
	case "januar", "jänner", "jaenner", "februar", "feber", "märz", "maerz", "april", "mai", "juni", "juli", "august", "september", "oktober", "november", "dezember":
		return true
	}
	return false
}
