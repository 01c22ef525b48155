package words

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Key returns a title, subject or name in the form in which names are compared:
// Unicode NFC, case-folded (ß as ss), with each run of white space as one blank and
// none at the ends. Diacritics and punctuation count. Invalid UTF-8 becomes U+FFFD.
// Key of a key is that key.
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
		if r = lower(r); r == 'ß' {
			b.WriteByte('s')
			r = 's'
		}
		b.WriteRune(r)
	}
	return norm.NFC.String(b.String())
}
