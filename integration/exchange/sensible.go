package exchange

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// sensible reports whether a character can be meant behind another one (0 at
// the beginning): an assigned one that shows or formats, and a mark only on
// what takes it.
func sensible(r, base rune) bool {
	if unicode.IsMark(r) {
		return sits(r, base)
	}
	return unicode.IsGraphic(r) || unicode.Is(unicode.Cf, r)
}

// placeholder reports whether a character has no sense of its own but is how
// Windows-1252 or MacRoman shows a byte, so that it occurs in text that is
// misread once more.
func placeholder(r rune) bool {
	switch r {
	case 0x81, 0x8d, 0x8f, 0x90, 0x9d, 0xf8ff:
		return true
	}
	return false
}

// sits reports whether a mark belongs on a character: a selector of a variant
// and a keycap on a sign, an accent on a letter that Unicode has together with
// it, or on another accent, any other mark on a letter of its own script.
func sits(mark, base rune) bool {
	switch {
	case unicode.Is(unicode.Variation_Selector, mark), mark == 0x20e3:
		return base != 0 && unicode.IsGraphic(base) && !unicode.IsSpace(base)
	case mark < 0x370:
		return unicode.IsMark(base) && base < 0x370 || composes(base, mark)
	}
	letter := unicode.IsLetter(base) || unicode.IsMark(base)
	return letter && base>>7 == mark>>7 || composes(base, mark)
}

// composes reports whether Unicode has one character for a letter and a mark.
func composes(base, mark rune) bool {
	return unicode.IsLetter(base) && utf8.RuneCountInString(norm.NFC.String(string([]rune{base, mark}))) == 1
}
