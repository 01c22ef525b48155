package words

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

func letter(b byte) bool { return 'a' <= b && b <= 'z' }

// alphanumeric reports whether b is an ASCII digit or small letter.
func alphanumeric(b byte) bool { return letter(b) || '0' <= b && b <= '9' }

// runEnd returns the end of the run of letters and digits that contains i.
func runEnd(c string, i int) int {
	for i < len(c) && alphanumeric(c[i]) {
		i++
	}
	return i
}

// wordRune reports whether r is a letter in lower case or a number. Fractions are
// left out, since ½ would fold to the number 12.
func wordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || '0' <= r && r <= '9'
	}
	if common(r) {
		return true
	}
	if 0xBC <= r && r <= 0xBE || 0x2150 <= r && r <= 0x215F || r == 0x2189 {
		return false
	}
	return (unicode.IsLetter(r) || unicode.IsNumber(r)) && !apostrophe(r)
}

// apostrophe reports whether r is an apostrophe, or is written for one.
func apostrophe(r rune) bool {
	switch r {
	case '\'', '\u2018', '\u2019', '\u02BC', '\uFF07':
		return true
	}
	return false
}

// pictograph reports whether r is an emoji or a symbol that is drawn like one, other
// than a skin tone. The ranges are the blocks of Unicode 17 that consist mostly of
// Extended_Pictographic, and single characters with an emoji form. Arrows and box
// drawing are punctuation.
func pictograph(r rune) bool {
	switch {
	case r < 0x231A:
		return false
	case 0x1F000 <= r && r <= 0x1FAFF:
		return !skinTone(r)
	case 0x2600 <= r && r <= 0x27BF:
		return !unicode.IsNumber(r) && !unicode.IsPunct(r)
	case 0x23E9 <= r && r <= 0x23FA:
		return true
	}
	switch r {
	case 0x231A, 0x231B, 0x2328, 0x23CF, 0x2B1B, 0x2B1C, 0x2B50, 0x2B55:
		return true
	}
	return false
}

func skinTone(r rune) bool { return 0x1F3FB <= r && r <= 0x1F3FF }

// invisible reports whether r neither belongs to a word nor ends it: joiners, soft hyphens, marks
// without a letter, skin tones. The zero width space does end a word.
func invisible(r rune) bool {
	return skinTone(r) || r != '\u200B' && unicode.Is(unicode.Cf, r) || unicode.IsMark(r)
}

// unspaced reports whether r is of a script in which blanks do not separate words.
func unspaced(r rune) bool {
	if r < 0x0E00 { // before Thai, the first of them
		return false
	}
	return common(r) || unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul,
		unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar) ||
		r == '\u30FC' || r == '\u3006'
}

// plainPrefix returns the length of w before its first unspaced letter, in bytes.
func plainPrefix(w string) int {
	if i := strings.IndexFunc(w, unspaced); i >= 0 {
		return i
	}
	return len(w)
}

// characterLen returns the length of the first rune of w with its marks, in bytes.
func characterLen(w string) int {
	for i, r := range w {
		if i > 0 && !unicode.IsMark(r) {
			return i
		}
	}
	return len(w)
}

// folder holds buffers that are reused for each word.
type folder struct{ decomposed, folded []byte }

// fold returns a run of letters, digits, marks and apostrophes without case, diacritics and
// compatibility forms.
func (f *folder) fold(run []byte) string {
	if unfolded(run) {
		return string(run)
	}
	return f.foldAny(run)
}

func (f *folder) foldAny(run []byte) string {
	f.decomposed = norm.NFKD.Append(f.decomposed[:0], run...)
	f.folded = f.folded[:0]
	for d := f.decomposed; len(d) > 0; {
		r, n := utf8.DecodeRune(d)
		d = d[n:]
		f.folded = appendFolded(f.folded, lower(r))
	}
	return norm.NFC.String(string(f.folded))
}

// unfolded reports whether a run is of letters that folding leaves as they are.
func unfolded(run []byte) bool {
	for len(run) > 0 {
		r, n := utf8.DecodeRune(run)
		if !common(r) {
			return false
		}
		run = run[n:]
	}
	return true
}

// common reports whether r is in the everyday blocks of Han, kana and Hangul.
func common(r rune) bool {
	return 0x4E00 <= r && r <= 0x9FFF || 0x3041 <= r && r <= 0x3096 ||
		0x30A1 <= r && r <= 0x30FA || 0xAC00 <= r && r <= 0xD7A3
}

func appendFolded(folded []byte, r rune) []byte {
	if 'a' <= r && r <= 'z' {
		return append(folded, byte(r))
	}
	if diacritic(r) {
		return folded
	}
	if plain, ok := plainSpelling[r]; ok {
		return append(folded, plain...)
	}
	if r == '\'' || wordRune(r) || unicode.IsMark(r) {
		return utf8.AppendRune(folded, r)
	}
	return folded
}

// lower folds the case of one rune. It converts to upper case first, so that different
// lower cases of one letter (σ and ς) become the same.
func lower(r rune) rune {
	return unicode.ToLower(unicode.ToUpper(r))
}

// plainSpelling holds the plain spelling of lower-case letters that Unicode does
// not decompose.
var plainSpelling = map[rune]string{
	'ß': "ss", 'æ': "ae", 'œ': "oe", 'ø': "o", 'ɔ': "o", 'ł': "l", 'đ': "d", 'ð': "d", 'ɖ': "d", 'ɗ': "d", 'þ': "th",
	'ħ': "h", 'ŧ': "t", 'ŋ': "n", 'ı': "i", 'ĸ': "k", 'ƙ': "k", 'ɓ': "b", 'ƴ': "y", 'ɛ': "e", 'ə': "e", 'ǝ': "e",
	'\u02BB': "", '\u02BD': "", '\u0640': "", // ʻokina and its like, the Arabic tatweel
}

// diacritic reports whether a search ignores the mark r: those of Latin, Greek and
// Cyrillic, Hebrew points, Arabic vowels, and selectors of a glyph. Vowel signs and
// voicing marks of other scripts are kept.
func diacritic(r rune) bool {
	switch {
	case r < 0x0300:
		return false
	case r <= 0x036F,
		0x0591 <= r && r <= 0x05C7,
		0x064B <= r && r <= 0x065F, r == 0x0670,
		0x180B <= r && r <= 0x180D,
		0x1AB0 <= r && r <= 0x1AFF,
		0x1DC0 <= r && r <= 0x1DFF,
		0x20D0 <= r && r <= 0x20FF,
		0xFE00 <= r && r <= 0xFE0F, 0xFE20 <= r && r <= 0xFE2F,
		0xE0100 <= r && r <= 0xE01EF:
		return unicode.IsMark(r)
	}
	return false
}
