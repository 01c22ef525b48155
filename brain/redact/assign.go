package redact

import (
	"slices"
	"strings"

	"github.com/brainbridge/brainbridge/brain/words"
)

// maxValueLen is the maximum length of a value in bytes. AWS session tokens have about
// 1,000.
const maxValueLen = 4096

// maxNameLen is the maximum length of a name in bytes.
const maxNameLen = 64

// value is the place of a value, and how it is written.
type value struct {
	start, end int
	quote      byte // the quote around it, or 0
	env        bool // written as NAME=value, as in environment files and shells
	placed     bool // secret by its place: the argument of a flag, a line of .netrc
	long       bool // too long for a value, and left out
}

// assigned finds the value that the separator at i gives to the name of a secret: name =
// value, name: value, "name": "value", name := value, call("name", "value"),
// <name>value</name>, key="name" value="value".
func (w *walk) assigned(i int) (span, bool) {
	s := w.s
	if i < w.noValues || i == 0 || s[i] == ',' && !isQuote(s[i-1]) {
		return span{}, false
	}
	name, at := nameBefore(s, i)
	if name == "" || s[i] == '>' && (at == 0 || s[at-1] != '<') || w.cookieHeader(i, name) {
		return span{}, false
	}
	name, at = realName(s, i, name, at)
	kind, secret := secretKey(name)
	if i < w.cookies {
		kind, secret = "session", sessionCookie
	}
	if secret == notSecret || secret == sessionCookie && s[i] == ':' {
		return span{}, false
	}
	v, tight := valueAfter(s, i)
	if v.long {
		w.noValues = v.start + maxValueLen
	}
	if v.start >= v.end || notValue(s, i, at, v) {
		return span{}, false
	}
	v.end = parameterEnd(s, at, v)
	v.env = tight && name == strings.ToUpper(name) && atLineStart(s, at)
	v.placed = i < w.cookies
	if key, ok := namedKey(secret, name, s[v.start:v.end]); ok {
		return span{key, v.start, v.end}, true
	}
	return judge(s, kind, secret, v)
}

// parameterEnd returns the end of a value, which in the query of a URL is before the next
// parameter.
func parameterEnd(s string, at int, v value) int {
	if at == 0 || s[at-1] != '?' && s[at-1] != '&' || v.quote != 0 {
		return v.end
	}
	parameter, _, _ := strings.Cut(s[v.start:v.end], "&")
	return v.start + len(parameter)
}

// notValue reports whether what follows the separator at i and the name at at is none of its
// value: a second element of a list that is no argument of a call, or, in "PWD=" + dir, the
// rest of the line after the string.
func notValue(s string, i, at int, v value) bool {
	if s[i] == ',' {
		return v.quote == 0 || at < 2 || s[at-2] != '('
	}
	return at > 0 && isQuote(s[at-1]) && i+1 < len(s) && s[i+1] == s[at-1] && s[i-1] != s[at-1]
}

// realName returns the name that a type or the word "value" stands between and its value:
// token: string = "x", key="token" value="x", name: TOKEN and value: x on the next line.
func realName(s string, i int, name string, at int) (string, int) {
	switch {
	case s[i] == '=' && len(name) < len("varchar")+1 && listed("types", strings.ToLower(name)):
		end := len(strings.TrimRight(s[max(0, at-16):at], " \t:*&?")) + max(0, at-16)
		if n := runBack(s[:end], wordChars|dash, maxNameLen); n > 0 {
			return s[end-n : end], end - n
		}
	case (s[i] == '=' || s[i] == ':') && strings.EqualFold(name, "value"):
		before := strings.TrimRight(s[max(0, at-100):at], " \t\r\n\"',-")
		n := runBack(before, nameClass, maxNameLen)
		label := strings.TrimRight(before[:len(before)-n], " \t\"':=")
		if n > 0 && (strings.HasSuffix(label, "key") || strings.HasSuffix(label, "name")) {
			return before[len(before)-n:], at
		}
	}
	return name, at
}

// judge reports whether a value is a secret.
func judge(s, kind string, secret secrecy, v value) (span, bool) {
	if secret == authHeader {
		v = afterScheme(s, v)
		if strings.HasSuffix(s[:v.start], "earer ") {
			kind = "bearer token"
		}
	}
	if startsWord(s, v.start) {
		if t, ok := known().prefixedAt(s, v.start); ok && t.end >= v.end {
			return t, true
		}
	}
	cut := strings.HasPrefix(s[v.end:], "...") // an example that was cut off
	return span{kind, v.start, v.end}, !cut && isSecret(s[v.start:v.end], secret, v)
}

// nameBefore returns the name before the separator at i, without quotes, and its offset. If
// there is no name, at is i. The separator may be :=, ::=, ?=, += or .=.
func nameBefore(s string, i int) (name string, at int) {
	end := i
	for end > 0 && i-end < 3 && s[i] == '=' && strings.IndexByte(":?+.", s[end-1]) >= 0 {
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

// atLineStart reports whether i is preceded on its line by nothing but blanks, a shell
// keyword, or the marker of a comment, list or quotation.
func atLineStart(s string, i int) bool {
	line := s[max(0, i-24):i]
	if at := strings.LastIndexAny(line, "\n\r"); at >= 0 {
		line = line[at+1:]
	} else if i > 24 {
		return false
	}
	return listed("line starts", strings.ReplaceAll(strings.Trim(line, " \t`"), " ", "_")) || strings.Trim(line, " \t`") == ""
}

// valueAfter returns the value after the separator at i; tight reports whether it follows
// the separator directly. The value of an element ends at the next tag; that of a label at
// the end of a line may be alone on the next one.
func valueAfter(s string, i int) (v value, tight bool) {
	at := i + 1
	if s[i] == '>' {
		text, _, ok := strings.Cut(s[at:min(len(s), at+maxValueLen)], "</")
		if trimmed := strings.TrimSpace(text); ok && !strings.ContainsAny(trimmed, "<\n") {
			at += strings.Index(text, trimmed)
			return value{start: at, end: at + len(trimmed), quote: '>'}, true
		}
		return value{}, false
	}
	for at < len(s) && at-i < 3 && (s[at] == '=' || s[at] == '>') {
		at++
	}
	tightAt := at
	if strings.HasPrefix(s[at:], "**") {
		at += 2 // the end of a name in bold
	}
	at += blanks(s[at:], 40)
	if s[i] == ':' {
		if next := nextLine(s, at); next > 0 {
			if v = valueAt(s, next); v.start < v.end && lineEndsAfter(s, v) {
				return v, false
			}
		}
	}
	return valueAt(s, at), at == tightAt
}

// blanks returns how many blanks and tabs s begins with, at most limit.
func blanks(s string, limit int) int {
	n := 0
	for n < len(s) && n < limit && (s[n] == ' ' || s[n] == '\t') {
		n++
	}
	return n
}

// nextLine returns where the text of the next line begins if nothing but the mark of a block
// of YAML follows on this one, else 0.
func nextLine(s string, at int) int {
	rest := strings.TrimLeft(s[at:min(len(s), at+3)], "|>-\r")
	at = min(len(s), at+3) - len(rest)
	if rest == "" || rest[0] != '\n' {
		return 0
	}
	return at + 1 + blanks(s[at+1:], 40)
}

// lineEndsAfter reports whether a value is the last of its line.
func lineEndsAfter(s string, v value) bool {
	rest := strings.TrimLeft(s[v.end:min(len(s), v.end+4)], "\"'`.")
	return rest == "" || rest[0] == '\n' || rest[0] == '\r'
}

// valueAt returns the value that begins at i, quoted or not. If the quote is not closed, it
// is skipped and the rest read as an unquoted value.
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

// quoteAt returns the quote that s begins with. It may be escaped, as in JSON within JSON.
func quoteAt(s string) (quote byte, length int) {
	switch {
	case s != "" && isQuote(s[0]):
		return s[0], 1
	case len(s) > 1 && s[0] == '\\' && isQuote(s[1]):
		return s[1], 2
	}
	return 0, 0
}

// quoteEnd returns where the quoted text that begins at i ends, on the same line and within
// maxValueLen, or -1. length is that of the quote: 2 if it is escaped.
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
// punctuation is excluded. More than maxValueLen means that the text is data, not a value.
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

// ownsLastChar reports whether the last character of a value is part of it: a bracket that
// was opened inside, or the exclamation mark of a password.
func ownsLastChar(s string) bool {
	last := s[len(s)-1]
	if last == '!' {
		return len(s) < 12 || strings.Contains(s, "&")
	}
	at := strings.IndexByte("}])", last)
	return at >= 0 && strings.IndexByte(s, "{[("[at]) >= 0
}

// unquotedEndsAt reports whether an unquoted value ends before the byte at i: at a blank, a
// quote or a tag, at the ampersand before a form parameter, in an HTML entity, or between
// shell commands. Another ampersand is part of the value, as in a password.
func unquotedEndsAt(s string, i int) bool {
	ends := func(c byte) bool { return c <= ' ' || c == ';' || c == '\\' || c == '|' || isQuote(c) }
	if s[i] != '&' {
		return ends(s[i]) || s[i] == '<' && i > 0
	}
	after := s[i+1:]
	if after == "" || after[0] == '&' || ends(after[0]) {
		return true
	}
	name := run(strings.TrimPrefix(after, "#"), nameClass, maxNameLen)
	after = strings.TrimPrefix(after, "#")[name:]
	return name > 0 && after != "" && (after[0] == '=' || after[0] == ';')
}

// secrecy classifies the name of a key by the kind of secret that its value may be.
type secrecy uint8

const (
	notSecret      secrecy = iota
	randomKey              // token, secret, api key: values are long and random
	chosenPassword         // password: values are short and chosen by a person
	sessionCookie          // a cookie that stands for a login
	authHeader             // Authorization: a scheme and a credential
)

// secretKey returns how to name the value of a key with this name, and which kind of secret
// it may be. SECRET_KEY_BASE is a secret, token_count is not.
func secretKey(name string) (kind string, s secrecy) {
	var room [8]string
	parts := nameParts(room[:0], name)
	for i := range parts {
		if i > 0 && listed("not secret", parts[i-1]) {
			return "", notSecret // existingSecret in a Helm chart is the place of one
		}
		p, n := secretPart(parts[i:])
		if p.secrecy != notSecret && !slices.ContainsFunc(parts[i+n:], func(word string) bool { return !listed("trailers", word) }) {
			return p.kind, p.secrecy
		}
	}
	return "", notSecret
}

// nameParts adds the words of a name, cut at punctuation and camel humps, in lower case.
func nameParts(parts []string, name string) []string {
	start := 0
	cut := func(end int) {
		if end > start {
			parts = append(parts, strings.ToLower(name[start:end]))
		}
		start = end
	}
	for i := range len(name) {
		c := classTable[name[i]]
		switch {
		case c&alnum == 0:
			cut(i)
			start = i + 1
		case i > start && c&upper != 0 && (classTable[name[i-1]]&upper == 0 ||
			i+1 < len(name) && classTable[name[i+1]]&lower != 0):
			cut(i)
		}
	}
	cut(len(name))
	return parts
}

// secretPart looks up the first two words of a name, or the first, and returns how many it
// looked up.
func secretPart(parts []string) (p nameEntry, n int) {
	names := known().names
	if len(parts) > 1 {
		if p, ok := names[parts[0]+"-"+parts[1]]; ok {
			return p, 2
		}
	}
	word := parts[0]
	for _, end := range []string{"password", "passwort", "kennwort"} {
		if strings.HasSuffix(word, end) { // Datenbankpasswort
			word = end
		}
	}
	return names[word], 1
}
