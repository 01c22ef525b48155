package words

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// folder holds the scratch space of folding, used again for each word.
type folder struct{ decomposed, folded []byte }

// fold returns a run of letters, digits, marks and apostrophes without case,
// diacritics and compatibility forms. What a compatibility form decomposes to
// besides letters and digits is dropped.
func (f *folder) fold(run []byte) string {
	if settled(run) {
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

// settled holds for runs that folding leaves as they are, told by range: Han,
// kana and Hangul, most of what is written in those scripts.
func settled(run []byte) bool {
	for len(run) > 0 {
		r, n := utf8.DecodeRune(run)
		if !common(r) {
			return false
		}
		run = run[n:]
	}
	return true
}

// common holds for the letters of the everyday blocks of Han, kana and Hangul.
func common(r rune) bool {
	return 0x4E00 <= r && r <= 0x9FFF || 0x3041 <= r && r <= 0x3096 ||
		0x30A1 <= r && r <= 0x30FA || 0xAC00 <= r && r <= 0xD7A3
}

func appendFolded(folded []byte, r rune) []byte {
	if 'a' <= r && r <= 'z' {
		return append(folded, byte(r))
	}
	if plain, ok := spelled(r); ok {
		return append(folded, plain...)
	}
	switch {
	case diacritic(r):
		return folded
	case r == '\'', wordRune(r), unicode.IsMark(r):
		return utf8.AppendRune(folded, r)
	}
	return folded
}

// lower folds the case of one rune. By way of the upper case, so that the
// several lower cases of one letter (σ and ς) become the same.
func lower(r rune) rune {
	return unicode.ToLower(unicode.ToUpper(r))
}

// spelled returns the plain spelling of a lower-case letter that Unicode does
// not decompose.
func spelled(r rune) (plain string, ok bool) {
	switch r {
	case 'ß', 'ẞ':
		return "ss", true
	case 'æ':
		return "ae", true
	case 'œ':
		return "oe", true
	case 'ø', 'ɔ':
		return "o", true
	case 'ł':
		return "l", true
	case 'đ', 'ð', 'ɖ', 'ɗ':
		return "d", true
	case 'þ':
		return "th", true
	case 'ħ':
		return "h", true
	case 'ŧ':
		return "t", true
	case 'ŋ':
		return "n", true
	case 'ı':
		return "i", true
	case 'ĸ':
		return "k", true
	case 'ɓ':
		return "b", true
	case 'ƙ':
		return "k", true
	case 'ƴ':
		return "y", true
	case 'ɛ', 'ə', 'ǝ':
		return "e", true
	case '\u02BB', '\u02BD', '\u0640': // ʻokina and its like, the Arabic tatweel
		return "", true
	}
	return "", false
}

// diacritic holds for the marks that a search does not tell apart: those of
// Latin, Greek and Cyrillic, Hebrew points, Arabic vowels, and the selectors
// of a glyph. Vowel signs and voicing marks of other scripts stay.
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

// Key normalises a title, subject or name for comparison: Unicode NFC, case
// folded (ß as ss), each run of white space one blank, none at the ends.
// Diacritics and punctuation count. Invalid UTF-8 becomes U+FFFD. Key of a key
// is the key.
func Key(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	blank := false
	for _, r := range norm.NFC.String(strings.ToValidUTF8(s, string(utf8.RuneError))) {
		if unicode.IsSpace(r) {
			blank = b.Len() > 0
			continue
		}
		if blank {
			b.WriteByte(' ')
			blank = false
		}
		writeKeyRune(&b, lower(r))
	}
	return norm.NFC.String(b.String())
}

func writeKeyRune(b *strings.Builder, r rune) {
	if r == 'ß' || r == 'ẞ' {
		b.WriteString("ss")
		return
	}
	b.WriteRune(r)
}
