package brain

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// CheckText returns [ErrInvalid] if text is not valid as the content of a memory. what
// names the text in the message.
func CheckText(what, text string) error {
	switch {
	case strings.TrimSpace(text) == "":
		return Errorf(ErrInvalid, "give it some text, or - to read standard input", "%s is empty", what)
	case len(text) > MaxContent:
		return Errorf(ErrInvalid, "split it, or keep it in a file below knowledge/",
			"%s has %d bytes, more than the limit of %d for a memory", what, len(text), MaxContent)
	case !utf8.ValidString(text):
		return Errorf(ErrInvalid, "convert it to UTF-8 first", "%s is not valid UTF-8", what)
	case strings.ContainsRune(text, 0):
		return Errorf(ErrInvalid, "remove the NUL byte", "%s contains a NUL byte", what)
	}
	return nil
}

// IsWord reports whether s is valid as a type, tag, project or session name: UTF-8 of
// at most maxBytes, without control characters. It may be empty.
func IsWord(s string, maxBytes int) bool {
	return len(s) <= maxBytes && utf8.ValidString(s) && !strings.ContainsFunc(s, unicode.IsControl)
}
