package plaintext

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/unicode/norm"
)

// NotText returns why a file is not text in UTF-8, and the line of the first bad byte,
// counted from 1; "" if it is text.
func NotText(data []byte) (line int, reason string) {
	for text := range bytes.Lines(data) {
		line++
		switch {
		case bytes.IndexByte(text, 0) >= 0:
			return line, "contains a NUL byte, so it is not text, or not in UTF-8"
		case !utf8.Valid(text):
			return line, "is not valid UTF-8"
		}
	}
	return 0, ""
}

// Repair restores a text whose UTF-8 was read as Windows-1252 ("â€™" for ’) or
// as MacRoman ("‚Üí" for →) and stored like that, also more than once. It
// returns the text and the number of characters that it restored.
//
// A text is restored as a whole or not at all: if a single character does not
// fit, nothing was misread, or only a part, and the text stays as it is. Bytes
// that are not UTF-8 are read as Windows-1252.
func Repair(text string) (string, int) {
	text, restored := fromBytes(text)
	for {
		next, ok := undoMisreading(text, charmap.Windows1252)
		if !ok {
			next, ok = undoMisreading(text, charmap.Macintosh)
		}
		if !ok {
			return text, restored
		}
		text = next
		restored = 0
		for _, r := range text {
			if r >= utf8.RuneSelf {
				restored++
			}
		}
	}
}

// fromBytes reads bytes that are not UTF-8 as Windows-1252, and returns their number.
func fromBytes(text string) (string, int) {
	if utf8.ValidString(text) {
		return text, 0
	}
	var out strings.Builder
	n := 0
	for len(text) > 0 {
		r, size := utf8.DecodeRuneInString(text)
		if r == utf8.RuneError && size == 1 {
			n++
			if r = charmap.Windows1252.DecodeByte(text[0]); r == utf8.RuneError {
				r = rune(text[0]) // it has no character there, and browsers read a control character
			}
		}
		out.WriteRune(r)
		text = text[size:]
	}
	return out.String(), n
}

// undoMisreading encodes a text as c and decodes it as UTF-8, if that changes it.
func undoMisreading(text string, c *charmap.Charmap) (string, bool) {
	var out strings.Builder
	for _, r := range text {
		b, ok := c.EncodeRune(r)
		if !ok && c == charmap.Windows1252 && r >= utf8.RuneSelf && r < 0xa0 {
			b, ok = byte(r), true
		}
		if !ok {
			return "", false
		}
		out.WriteByte(b)
	}
	raw := out.String()
	if c == charmap.Macintosh {
		raw = withLostBytes(raw)
	}
	return raw, raw != text && utf8.ValidString(raw) && !strings.ContainsFunc(norm.NFC.String(raw), isStrayAccent)
}

// isStrayAccent reports whether r is an accent that composes with no letter.
// Read as MacRoman, the "Ã©" of another misreading becomes one.
func isStrayAccent(r rune) bool { return r >= 0x300 && r < 0x370 }

// withLostBytes inserts the first byte of emojis where it is missing: MacRoman
// shows it as a private character that many programs drop.
func withLostBytes(raw string) string {
	var out strings.Builder
	for len(raw) > 0 {
		r, size := utf8.DecodeRuneInString(raw)
		if r == utf8.RuneError && size == 1 && raw[0] == 0x9f {
			out.WriteByte(0xf0)
		}
		out.WriteString(raw[:size])
		raw = raw[size:]
	}
	return out.String()
}
