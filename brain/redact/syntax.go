package redact

import (
	"strings"

	"github.com/brainbridge/brainbridge/brain/words"
)

// maxValueLen is the maximum length of a value in bytes. AWS session tokens have
// about 1,000.
const maxValueLen = 4096

// nameBefore returns the name before the separator at i, without quotes, and its
// offset. If there is no name, at is i. The separator may be :=, ?= or +=, as in
// makefiles and shells.
func nameBefore(s string, i int) (name string, at int) {
	end := i
	if end > 0 && s[i] == '=' && (s[end-1] == ':' || s[end-1] == '?' || s[end-1] == '+') {
		end--
	}
	for end > 0 && i-end < 12 && (s[end-1] == ' ' || s[end-1] == '\t') {
		end--
	}
	if end > 0 && isQuote(s[end-1]) {
		end--
		if end > 0 && s[end-1] == '\\' {
			end--
		}
	} else if end > 1 && strings.HasSuffix(s[:end], "**") {
		end -= 2 // a name in bold
	}
	n := runBack(s[:end], nameClass, maxNameLen+1)
	if n == 0 || n > maxNameLen {
		return "", i
	}
	return s[end-n : end], end - n
}

func isQuote(c byte) bool { return c == '"' || c == '\'' || c == '`' }

// atLineStart reports whether i is preceded on its line by nothing but blanks, a
// shell keyword, or the marker of a comment, list or quotation.
func atLineStart(s string, i int) bool {
	line := s[max(0, i-24):i]
	if at := strings.LastIndexAny(line, "\n\r"); at >= 0 {
		line = line[at+1:]
	} else if i > 24 {
		return false
	}
	switch strings.Trim(line, " \t`") {
	case "", "export", "set", "ENV", "#", "-", "*", "//", "$", "$ export", ">", "env", "ARG", "declare -x", "setx":
		return true
	}
	return false
}

// valueAfter returns the value after the separator at i; tight reports whether it
// follows the separator directly.
func valueAfter(s string, i int) (v value, tight bool) {
	at := i + 1
	for at < len(s) && at-i < 3 && (s[at] == '=' || s[at] == '>') {
		at++
	}
	afterSeparator := at
	if strings.HasPrefix(s[at:], "**") {
		at += 2 // the end of a name in bold
	}
	for at < len(s) && at-i < 40 && (s[at] == ' ' || s[at] == '\t') {
		at++
	}
	return valueAt(s, at), at == afterSeparator
}

// valueAt returns the value that begins at i, quoted or not. If the quote is not
// closed, it is skipped and the rest read as an unquoted value.
func valueAt(s string, i int) value {
	quote, length := quoteAt(s[i:])
	if length > 0 {
		if end := quoteEnd(s, i+length, quote, length); end >= 0 {
			return value{start: i + length, end: end, quote: quote}
		}
	}
	n := unquotedLen(s[i+length:])
	if n > maxValueLen {
		return value{start: i + length, end: i + length, long: true}
	}
	return value{start: i + length, end: i + length + n}
}

// quoteAt returns the quote that s begins with. It may be escaped, as in JSON within
// JSON.
func quoteAt(s string) (quote byte, length int) {
	switch {
	case s != "" && isQuote(s[0]):
		return s[0], 1
	case len(s) > 1 && s[0] == '\\' && isQuote(s[1]):
		return s[1], 2
	}
	return 0, 0
}

// quoteEnd returns where the quoted text that begins at i ends, on the same
// line and within maxValueLen, or -1. length is that of the quote: 2 if it is escaped.
func quoteEnd(s string, i int, quote byte, length int) int {
	for at := i; at < len(s) && at-i < maxValueLen; at++ {
		switch c := s[at]; {
		case c == '\n':
			return -1
		case c == '\\' && length == 2 && at+1 < len(s) && s[at+1] == quote:
			return at
		case c == '\\' && length == 1:
			at++
		case c == quote && length == 1:
			return at
		}
	}
	return -1
}

// unquotedLen returns the length of the unquoted value at the start of s. Trailing
// punctuation is excluded. More than maxValueLen means that the text is data, not a
// value.
func unquotedLen(s string) int {
	n := 0
	for n < len(s) && n <= maxValueLen && !unquotedEndsAt(s, n) {
		if s[n] == '[' && strings.HasPrefix(s[n:], words.MarkerOpening) {
			break
		}
		n++
	}
	if n < len(s) && !unquotedEndsAt(s, n) {
		return n // data, or a marker follows
	}
	for n > 0 && strings.IndexByte(",.:)]}!?", s[n-1]) >= 0 && !ownsLastChar(s[:n]) {
		n--
	}
	return n
}

// ownsLastChar reports whether the last character of a value is part of it: a bracket
// that was opened inside, or the exclamation mark of a password.
func ownsLastChar(s string) bool {
	switch s[len(s)-1] {
	case '}':
		return strings.Contains(s, "{")
	case ']':
		return strings.Contains(s, "[")
	case ')':
		return strings.Contains(s, "(")
	case '!':
		return len(s) < 12 || strings.Contains(s, "&")
	}
	return false
}

// endsUnquoted reports whether an unquoted value ends before c.
func endsUnquoted(c byte) bool {
	return c <= ' ' || c == ';' || c == '\\' || c == '|' || isQuote(c)
}

// unquotedEndsAt reports whether an unquoted value ends before the byte at i.
func unquotedEndsAt(s string, i int) bool {
	return endsUnquoted(s[i]) || s[i] == '&' && ampersandEnds(s[i+1:])
}

// ampersandEnds reports whether an ampersand followed by after ends a value: before a
// form parameter, in an HTML entity, or between shell commands. Otherwise it is part
// of the value, as in a password.
func ampersandEnds(after string) bool {
	if after == "" || after[0] == '&' || endsUnquoted(after[0]) {
		return true
	}
	name := run(strings.TrimPrefix(after, "#"), nameClass, maxNameLen)
	ends := strings.TrimPrefix(after, "#")[name:]
	return name > 0 && ends != "" && (ends[0] == '=' || ends[0] == ';')
}
