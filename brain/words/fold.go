package words

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// folder holds buffers that are reused for each word.
type folder struct{ decomposed, folded []byte }

// fold returns a run of letters, digits, marks and apostrophes without case,
// diacritics and compatibility forms. Other characters that a compatibility form
// decomposes to are dropped.
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

// unfolded reports whether folding leaves a run as it is, because it consists of
// everyday letters of Han, kana and Hangul.
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

// withoutDigraphs returns a folded word with ae, oe and ue as a, o and u, so that umlauts
// are found in both spellings: "größe" is folded to "grosse" before, "groesse" here. As in
// other search engines, a digraph after a vowel or q does not count (neue, Quelle), nor
// does one at the end of a word, where English has it (value, issues, queued).
func withoutDigraphs(w string) string {
	for i := 1; i+1 < len(w); i++ {
		if w[i] == 'e' && digraph(w, i-1) {
			return withoutDigraphs(w[:i] + w[i+1:])
		}
	}
	return w
}

// digraph reports whether the letters at i and i+1, of which the second is e, stand for
// an umlaut.
func digraph(w string, i int) bool {
	if w[i] != 'a' && w[i] != 'o' && w[i] != 'u' {
		return false
	}
	if i > 0 && strings.IndexByte("aeiouq", w[i-1]) >= 0 {
		return false
	}
	rest := w[i+2:]
	return rest != "" && rest != "s" && rest != "d"
}
