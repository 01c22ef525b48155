package memorymd

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// words returns the form in which texts of the block are compared. Changes that
// an editor or a formatter makes on its own (line ends, blanks, wrapping, the
// sign of a list, the sign of emphasis, escapes) make no difference to it.
func words(s string) string {
	var out strings.Builder
	out.Grow(len(s))
	for field := range strings.FieldsSeq(s) {
		if out.Len() > 0 {
			out.WriteByte(' ')
		}
		if field == "*" || field == "+" {
			field = "-"
		}
		writeWord(&out, field)
	}
	return out.String()
}

func writeWord(out *strings.Builder, word string) {
	for i := range len(word) {
		c := word[i]
		switch {
		case c == '\\' && i+1 < len(word) && isPunct(word[i+1]):
		case c == '*':
			out.WriteByte('_')
		default:
			out.WriteByte(c)
		}
	}
}

func isPunct(c byte) bool {
	return c > ' ' && c < 0x7f && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z')
}

// digest returns a hash of the words of a text.
func digest(s string) string { return sum([]byte(words(s)))[:32] }

// sum returns the hex SHA-256 of a file.
func sum(data []byte) string {
	h := sha256.Sum256(data)
	return hex.EncodeToString(h[:])
}

// inToken reports whether a byte can be part of an id.
func inToken(c byte) bool { return c == '-' || c == '_' || !isPunct(c) && c > ' ' && c < 0x7f }

func withLF(s string) string { return strings.ReplaceAll(s, "\r\n", "\n") }
