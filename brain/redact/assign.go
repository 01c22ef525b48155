package redact

import (
	"encoding/base64"
	"strings"

	"github.com/google/uuid"
)

// assigned finds the value that the separator at i gives to the name of a secret:
// name = value, name: value, "name": "value", name := value, name => value.
func (w *walk) assigned(i int) (span, bool) {
	name, at := nameBefore(w.s, i)
	if name == "" || i < w.noValues {
		return span{}, false
	}
	kind, secret := secretKey(name)
	if secret == notSecret || secret == sessionCookie && w.s[i] == ':' {
		return span{}, false
	}
	v, tight := valueAfter(w.s, i)
	if v.long {
		w.noValues = v.start + maxValueLen
		return span{}, false
	}
	if at > 0 && (w.s[at-1] == '?' || w.s[at-1] == '&') && v.quote == 0 { // the query of a URL
		parameter, _, _ := strings.Cut(w.s[v.start:v.end], "&")
		v.end = v.start + len(parameter)
	}
	v.env = tight && name == strings.ToUpper(name) && atLineStart(w.s, at)
	return w.judge(kind, secret, v)
}

// value is the place of a value, and how it is written.
type value struct {
	start, end int
	quote      byte // the quote around it, or 0
	env        bool // written as NAME=value, as in environment files and shells
	flag       bool // the argument of a flag
	long       bool // too long for a value, and left out
}

// judge reports whether a value is a secret.
func (w *walk) judge(kind string, secret secrecy, v value) (span, bool) {
	if secret == authHeader {
		v = afterScheme(w.s, v)
		if strings.HasSuffix(w.s[:v.start], "earer ") {
			kind = "bearer token"
		}
	}
	if t, ok := w.formats.find(w.s, v.start); ok && t.end >= v.end {
		return t, true
	}
	return span{kind, v.start, v.end}, isSecret(w.s[v.start:v.end], secret, v)
}

// isSecret reports whether a text is a secret of a kind.
func isSecret(text string, secret secrecy, v value) bool {
	switch {
	case placeholder(text), standIn(text):
		return false
	case secret == chosenPassword:
		return password(text, v)
	case secret == sessionCookie:
		return len(text) >= 16 && uuid.Validate(text) != nil && random(text, alnum) && !wordy(text)
	case secret == authHeader:
		return len(text) >= 8 && random(text, alnum) && (!wordy(text) || len(text) >= 20) && !exampleBasic(text)
	}
	return keyText(text, v)
}

// keyText reports whether s may be a token, secret or key: it is long and random,
// or it is in an environment file and not made of words.
func keyText(s string, v value) bool {
	in, other := classes(s)
	switch {
	case len(s) < 8, isPath(s), strings.Contains(s, "://"), isCode(s, v), v.quote != 0 && strings.Contains(s, " "):
		return false
	case in&digit == 0 && len(s) < 20:
		return false
	case wordy(s):
		return v.env && in&digit != 0 && strings.Contains(s, "-") && distinct(s) >= 8
	case in&^(digit|dot|dash) == 0 && !other:
		return false // a number, a date, a version
	case len(s) < 16:
		return in&digit != 0 && in&(lower|upper) != 0 && distinct(s) >= 6
	}
	return distinct(s) >= 8
}

// password reports whether s may be a password that a person chose: in quotes,
// several words that are not about passwords; in quotes or in an environment file,
// anything but a word of a form; in prose, letters with digits or signs.
func password(s string, v value) bool {
	in, other := classes(s)
	letters, digits := in&(lower|upper) != 0, in&digit != 0
	signs := other || in&^alnum != 0
	switch {
	case isPath(s), strings.Contains(s, "://"), isCode(s, v):
		return false
	case strings.Contains(s, " "):
		return v.quote != 0 && passphrase(s)
	case v.quote != 0 || v.env || v.flag:
		return len(s) >= 4 && !nonASCIIWord(s)
	case len(s) < 6 || !letters || strings.HasSuffix(s, "-") || !digits && !signs:
		return false
	case digits && (!strings.ContainsAny(s, "-./_") || strings.ContainsAny(s, "!@#$%^&*?")):
		return true
	}
	return !wordy(s)
}

// nonASCIIWord reports whether s is one word with letters beyond ASCII, as in
// translations of the word password.
func nonASCIIWord(s string) bool {
	for i := range len(s) {
		if s[i] < 0x80 && classTable[s[i]]&(lower|upper) == 0 {
			return false
		}
	}
	return strings.IndexFunc(s, func(r rune) bool { return r >= 0x80 }) >= 0
}

// isPath reports whether s is a path. The path of a secret is not a secret.
func isPath(s string) bool {
	rooted := s[0] == '/' || strings.HasPrefix(s, "./") || strings.HasPrefix(s, "~/") || strings.HasPrefix(s, "../")
	in, other := classes(s)
	return rooted && !other && (in&upper == 0 || wordy(s))
}

// isCode reports whether a value is an expression: a call, an index, a member or an
// identifier without quotes.
func isCode(s string, v value) bool {
	if v.quote != 0 {
		return false
	}
	if at := strings.IndexAny(s, "([{"); at > 0 && wordy(s[:at]) {
		return true
	}
	in, other := classes(s)
	dotted := in&(dot|underscore) != 0 && !other && in&(plusSlash|equals|percent) == 0
	if !v.env && dotted && wordy(s) && classTable[s[0]]&digit == 0 {
		return true
	}
	return strings.HasPrefix(s, "&") || strings.HasPrefix(s, "!") && wordy(s[1:]) || strings.HasPrefix(s, "*")
}

// exampleBasic reports whether s is the base64 of user:password or the like, which
// documents print.
func exampleBasic(s string) bool {
	plain, err := base64.StdEncoding.DecodeString(s)
	if err != nil {
		return false
	}
	user, secret, ok := strings.Cut(string(plain), ":")
	return ok && !urlPassword(user, secret, "")
}

// afterScheme returns the value of an Authorization header without the scheme and
// the blank after it.
func afterScheme(s string, v value) value {
	scheme, _, ok := strings.Cut(s[v.start:min(len(s), v.start+len("negotiate "))], " ")
	if !ok {
		return v
	}
	switch strings.ToLower(scheme) {
	case "bearer", "basic", "token", "apikey", "negotiate", "digest", "bot":
		if v.quote == 0 {
			return valueAt(s, v.start+len(scheme)+1)
		}
		v.start = min(v.start+len(scheme)+1, v.end)
	}
	return v
}
