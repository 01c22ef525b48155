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
	alnum     = digit | lower | upper
	wordChars = alnum | underscore
	url64     = wordChars | dash
	base64set = alnum | plusSlash | equals
	nameClass = wordChars | dash | dot // the name of a key
)

// alphabets are the sets that the table of formats names.
var alphabets = map[string]class{
	"digit": digit, "hex": hexLower, "hexany": hexAny, "capitals": digit | upper, "lowercase": digit | lower, "alnum": alnum,
	"word": wordChars, "url64": url64, "base64": base64set, "dash": dash, "dot": dot, "slash": plusSlash, "equals": equals,
	"percent": percent, "tilde": tilde,
}

// classTable has the set of each byte.
var classTable = func() (table [256]class) {
	for set, bytes := range map[class]string{
		digit: "0123456789", lowHex: "abcdef", lowRest: "ghijklmnopqrstuvwxyz", upHex: "ABCDEF", upRest: "GHIJKLMNOPQRSTUVWXYZ",
		underscore: "_", dash: "-", dot: ".", plusSlash: "+/", equals: "=", percent: "%", tilde: "~",
	} {
		for i := range len(bytes) {
			table[bytes[i]] = set
		}
	}
	return table
}()

// run returns how many of the first bytes of s are in set, at most limit (0: no limit).
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

// bounded reports whether the word that ends at i ends there.
func bounded(s string, i int) bool { return i >= len(s) || classTable[s[i]]&wordChars == 0 }

// classes returns the union of the sets that the bytes of s belong to, and whether any
// byte belongs to none, or is a tilde.
func classes(s string) (in class, other bool) {
	for i := range len(s) {
		c := classTable[s[i]]
		in |= c
		other = other || c&^tilde == 0
	}
	return in, other
}

// isQuote reports whether c is a quotation mark or a backtick.
func isQuote(c byte) bool { return c == '"' || c == '\'' || c == '`' }

// escapeLen returns the length of an escaped blank (\n, \t, \r) that s begins with, so that
// a word begins after it; 1 for any other backslash.
func escapeLen(s string) int {
	if len(s) > 1 && strings.IndexByte("ntr", s[1]) >= 0 {
		return 2
	}
	return 1
}
