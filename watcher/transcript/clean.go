package transcript

import (
	"strings"
	"unicode/utf8"
)

// clean makes text of what a program wrote: valid UTF-8, LF at line ends, no
// control characters, no base64, no blanks around it.
func clean(text string) string {
	text = strings.TrimSpace(text)
	if !utf8.ValidString(text) {
		text = strings.ToValidUTF8(text, "\ufffd")
	}
	if len(text) >= minBase64 {
		text = withoutBase64(text)
	}
	for i := range len(text) {
		if text[i] < ' ' && text[i] != '\n' && text[i] != '\t' {
			return strings.TrimSpace(withoutControls(text))
		}
	}
	return text
}

func withoutControls(text string) string {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	return strings.Map(func(c rune) rune {
		switch {
		case c == '\r':
			return '\n'
		case c < ' ' && c != '\n' && c != '\t':
			return -1
		}
		return c
	}, text)
}

// minBase64 is the length from which bytes of the base64 alphabet in a row are taken for
// base64. Words have blanks and code has brackets; 4 KiB without either is nobody's text.
const minBase64 = 4 << 10

// withoutBase64 returns a text with marks in the place of its base64.
func withoutBase64(text string) string {
	var b strings.Builder
	written, run := 0, 0 // where the text goes on that is not written, and where the run begins
	for i := 0; i <= len(text); i++ {
		if i < len(text) && inBase64(text[i]) {
			continue
		}
		if i-run >= minBase64 {
			b.WriteString(text[written:run] + "[base64]")
			written = i
		}
		run = i + 1
	}
	return b.String() + text[written:]
}

func inBase64(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("+/=-_", c) >= 0
}
