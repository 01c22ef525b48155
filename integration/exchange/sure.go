package exchange

import (
	"strings"
	"unicode"
)

// Signs that stand behind a letter in honest text as well: quotation marks,
// dashes, an ellipsis, a closing guillemet, a blank that does not break.
const closing = "”’“‘»›«‹…–—•\u00a0\u00ad™®©ª°²³¹"

// sureWindows reports whether a run can be nothing but UTF-8 read as
// Windows-1252.
func sureWindows(r run) bool {
	if r.orphan {
		return false
	}
	tail := r.seen[1:]
	switch lead := r.seen[0]; {
	case len(r.seen) == 4:
		return pictured(r.meant)
	case lead == 'â':
		return symbol(r.meant) && !allIn(tail, closing)
	case lead == 'ï':
		return r.meant == 0xfe0f || r.meant == 0xfeff
	case len(r.seen) == 3:
		return r.inRow && unicode.IsLetter(r.meant) && !allIn(tail, closing)
	case lead == 'Â':
		return !strings.ContainsRune(closing, tail[0]) || unicode.IsDigit(r.before) && strings.ContainsRune("°²³", tail[0])
	case lead == 'Ã', lead == 'Ä', lead == 'Å':
		return unicode.IsLetter(r.meant) && !strings.ContainsRune(closing, tail[0]) ||
			lead == 'Ã' && unicode.IsLower(r.meant) && strings.ContainsRune("©®ª²³¹°«", tail[0])
	}
	return r.inRow && script(r.meant) && !strings.ContainsRune(closing, tail[0])
}

// mathSigns stand behind √, ¬ and ≈ in honest formulas.
const mathSigns = "π∂∑∏∫Ω∞±≤≥≠µ£¢¥"

// sureMac reports whether a run can be nothing but UTF-8 read as MacRoman.
func sureMac(r run) bool {
	tail := r.seen[1:]
	switch lead := r.seen[0]; {
	case r.orphan:
		return pictured(r.meant) && !unicode.IsLetter(r.before) && !unicode.IsLetter(r.after)
	case len(r.seen) == 4:
		return pictured(r.meant)
	case lead == '‚':
		return symbol(r.meant)
	case lead == 'Ô':
		return r.meant == 0xfe0f || r.meant == 0xfeff
	case lead == '√', lead == '¬':
		return !strings.ContainsRune(mathSigns, tail[0]) && (unicode.IsLetter(r.meant) || lead == '¬')
	case lead == 'ƒ', lead == '≈':
		return !strings.ContainsRune(mathSigns, tail[0]) && unicode.IsLetter(r.meant)
	}
	return false
}

// symbol reports whether a character is of the blocks of punctuation, arrows,
// technical signs, shapes and dingbats.
func symbol(r rune) bool {
	return r >= 0x2000 && r <= 0x2bff && (unicode.IsGraphic(r) || unicode.Is(unicode.Cf, r))
}

// pictured reports whether a character is an emoji or another assigned sign
// beyond the basic plane.
func pictured(r rune) bool { return r >= 0x1f000 && unicode.IsSymbol(r) }

// script reports whether a letter is Greek, Cyrillic, Hebrew or Arabic.
func script(r rune) bool {
	return unicode.In(r, unicode.Greek, unicode.Cyrillic, unicode.Hebrew, unicode.Arabic)
}

func allIn(runes []rune, set string) bool {
	for _, r := range runes {
		if !strings.ContainsRune(set, r) {
			return false
		}
	}
	return true
}
