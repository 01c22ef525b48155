package redact

import "strings"

// class is a set of bytes, as bits.
type class uint16

const (
	digit class = 1 << iota
	lowHex
	lowRest
	upHex
	upRest
	underscore
	dash
	dot
	plusSlash
	equals
	percent
	tilde
)

// The alphabets of keys.
const (
	hexLower  = digit | lowHex
	hexAny    = hexLower | upHex
	lower     = lowHex | lowRest
	upper     = upHex | upRest
	capitals  = digit | upper
	lowercase = digit | lower
	alnum     = digit | lower | upper
	wordChars = alnum | underscore
	url64     = wordChars | dash
	base64set = alnum | plusSlash | equals
)

// classTable has the character set of each byte.
var classTable = [256]class{
	'0': digit, '1': digit, '2': digit, '3': digit, '4': digit,
	'5': digit, '6': digit, '7': digit, '8': digit, '9': digit,
	'a': lowHex, 'b': lowHex, 'c': lowHex, 'd': lowHex, 'e': lowHex, 'f': lowHex,
	'g': lowRest, 'h': lowRest, 'i': lowRest, 'j': lowRest, 'k': lowRest,
	'l': lowRest, 'm': lowRest, 'n': lowRest, 'o': lowRest, 'p': lowRest,
	'q': lowRest, 'r': lowRest, 's': lowRest, 't': lowRest, 'u': lowRest,
	'v': lowRest, 'w': lowRest, 'x': lowRest, 'y': lowRest, 'z': lowRest,
	'A': upHex, 'B': upHex, 'C': upHex, 'D': upHex, 'E': upHex, 'F': upHex,
	'G': upRest, 'H': upRest, 'I': upRest, 'J': upRest, 'K': upRest,
	'L': upRest, 'M': upRest, 'N': upRest, 'O': upRest, 'P': upRest,
	'Q': upRest, 'R': upRest, 'S': upRest, 'T': upRest, 'U': upRest,
	'V': upRest, 'W': upRest, 'X': upRest, 'Y': upRest, 'Z': upRest,
	'_': underscore, '-': dash, '.': dot, '+': plusSlash, '/': plusSlash, '=': equals, '%': percent, '~': tilde,
}

// alphabet returns the set of a name in the list of formats, such as url64+dot; 0
// if there is none.
func alphabet(name string) (set class) {
	known := map[string]class{
		"hex": hexLower, "hexany": hexAny, "capitals": capitals, "lowercase": lowercase, "alnum": alnum, "word": wordChars,
		"url64": url64, "base64": base64set, "dash": dash, "dot": dot, "slash": plusSlash, "equals": equals, "percent": percent,
	}
	for part := range strings.SplitSeq(name, "+") {
		set |= known[part]
	}
	return set
}

// run returns how many of the first bytes of s are in set, at most limit (0: no
// limit).
func run(s string, set class, limit int) int {
	if limit > 0 && limit < len(s) {
		s = s[:limit]
	}
	for i := range len(s) {
		if classTable[s[i]]&set == 0 {
			return i
		}
	}
	return len(s)
}

// runBack returns how many bytes before the end of s are in set, at most limit.
func runBack(s string, set class, limit int) int {
	n := 0
	for n < len(s) && n < limit && classTable[s[len(s)-1-n]]&set != 0 {
		n++
	}
	return n
}

// startsWord reports whether a word begins at i: after the start of the text, a byte that
// is not a letter, digit or underscore, or an escaped \n.
func startsWord(s string, i int) bool {
	return i == 0 || classTable[s[i-1]]&wordChars == 0 || i > 1 && s[i-2] == '\\' && escapeLen(s[i-2:]) == 2
}

// bounded reports whether the word that ends at i ends there: no letter, digit
// or underscore follows.
func bounded(s string, i int) bool {
	return i >= len(s) || classTable[s[i]]&wordChars == 0
}

// classes returns the union of the sets that the bytes of s belong to, and
// whether any byte belongs to none, or is a tilde.
func classes(s string) (in class, other bool) {
	for i := range len(s) {
		c := classTable[s[i]]
		in |= c
		other = other || c&^tilde == 0
	}
	return in, other
}
