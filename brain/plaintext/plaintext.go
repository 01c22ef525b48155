// Package plaintext fits text into limited space: on one line, within a number
// of characters, within a budget of tokens, in JSON. A character is a Unicode code
// point. It also restores text that was read in another encoding. All functions are
// pure.
package plaintext

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
)

// Ellipsis is the last character of a text that [Shorten] cut.
const Ellipsis = "…"

// BytesPerToken is the usual estimate for English text and code.
const BytesPerToken = 4

// Tokens estimates how many tokens s has for a language model.
func Tokens(s string) int { return (len(s) + BytesPerToken - 1) / BytesPerToken }

// Visible returns s for a terminal or an agent, without the characters that change how the
// rest is shown: control characters other than tabs and line breaks, and marks of direction. The
// joiners of emoji and of scripts such as Persian stay.
func Visible(s string) string {
	if strings.IndexFunc(s, hidden) < 0 {
		return s
	}
	return strings.Map(func(r rune) rune {
		if hidden(r) {
			return -1
		}
		return r
	}, s)
}

func hidden(r rune) bool {
	return r != '\n' && r != '\t' && unicode.IsControl(r) || direction(r)
}

// direction reports whether r is a mark of direction.
func direction(r rune) bool { return unicode.Is(unicode.Bidi_Control, r) }

// OneLine returns s on one line: each run of white space and control characters
// becomes one blank, and none is left at the ends. Marks of direction are left out. Bytes
// that are not UTF-8 become U+FFFD.
func OneLine(s string) string {
	s = strings.Map(func(r rune) rune {
		if direction(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
}

// QuoteMark begins the lines of a quotation in Markdown.
const QuoteMark = "> "

// Says reports whether a text in one line begins with a title, or is a quotation that contains
// it. Items extracted from sessions are quotations. The title may be cut at its end.
func Says(text, title string) bool {
	title = strings.TrimSuffix(title, Ellipsis)
	return strings.HasPrefix(text, title) ||
		strings.HasPrefix(text, QuoteMark) && strings.Contains(strings.ToLower(text), strings.ToLower(title))
}

// Clip returns the first n characters of s.
func Clip(s string, n int) string { return s[:clipAt(s, n)] }

// ClipLines returns the first lines of s, at most n characters in all.
func ClipLines(s string, n int) string {
	head := Clip(s, n)
	if len(head) == len(s) {
		return s
	}
	return head[:strings.LastIndexByte(head, '\n')+1]
}

// clipAt returns the length of the first n characters of s in bytes.
func clipAt(s string, n int) int {
	if len(s) <= n {
		return len(s)
	}
	for i := range s {
		if n <= 0 {
			return i
		}
		n--
	}
	return len(s)
}

// Shorten returns s if it has at most n characters. Otherwise it returns the
// beginning of s and an ellipsis, together at most n characters, cut between two
// words if the second half has a blank.
func Shorten(s string, n int) string {
	if clipAt(s, n) == len(s) {
		return s
	}
	cut := clipAt(s, n-1)
	head := s[:cut]
	if at := strings.LastIndexByte(head, ' '); at > cut/2 && s[cut] != ' ' {
		head = head[:at]
	}
	return strings.TrimRight(head, " \t\n,;:-–—") + Ellipsis
}

// Slug returns s as a part of a file name, at most maxBytes long: its letters and
// digits in lower case, with one hyphen for each run of other characters between them.
func Slug(s string, maxBytes int) string {
	words := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	slug := strings.Join(words, "-")
	if len(slug) > maxBytes {
		slug = strings.TrimRight(strings.ToValidUTF8(slug[:maxBytes], ""), "-")
	}
	return slug
}

// JSON returns a value as a JSON document that ends with a newline. It does not escape < >
// &, but everything that [Visible] leaves out. Without an indent it is one line.
func JSON(v any, indent string) ([]byte, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", indent)
	err := e.Encode(v)
	if bytes.IndexFunc(out.Bytes(), hidden) < 0 {
		return out.Bytes(), err
	}
	var escaped bytes.Buffer
	for _, r := range out.String() {
		if hidden(r) {
			fmt.Fprintf(&escaped, `\u%04x`, r)
		} else {
			escaped.WriteRune(r)
		}
	}
	return escaped.Bytes(), err
}

// Quote returns a text as a JSON string, which is also valid in TOML.
func Quote(text string) string {
	quoted, _ := JSON(text, "") // a string can always be encoded
	return strings.TrimSuffix(string(quoted), "\n")
}
