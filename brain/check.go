package brain

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// CheckText returns [ErrInvalid] for a text that no memory may contain.
func CheckText(what, text string) error {
	switch {
	case strings.TrimSpace(text) == "":
		return Errorf(ErrInvalid, "give it some text, or - to read standard input", "%s is empty", what)
	case len(text) > MaxContent:
		return Errorf(ErrInvalid, "split it, or keep it in a file below knowledge/",
			"%s has %d bytes, more than the %d that a memory holds", what, len(text), MaxContent)
	case !utf8.ValidString(text):
		return Errorf(ErrInvalid, "convert it to UTF-8 first", "%s is not valid UTF-8", what)
	case strings.ContainsRune(text, 0):
		return Errorf(ErrInvalid, "take the NUL byte out", "%s holds a NUL byte", what)
	}
	return nil
}

// IsWord reports whether s is valid as a type, tag, project or session name: UTF-8 of
// at most this many bytes, without control characters. It may be empty.
func IsWord(s string, bytes int) bool {
	return len(s) <= bytes && utf8.ValidString(s) && !strings.ContainsFunc(s, unicode.IsControl)
}
