package redact

import (
	"slices"
	"strings"
)

// secrecy says how much the name of a key promises that its value is secret.
type secrecy uint8

const (
	public  secrecy = iota
	keyed           // token, secret, api key: values are long and random
	chosen          // password: values are short and chosen by a person
	session         // a cookie that stands for a login
	header          // Authorization: a scheme and a credential
)

// longestName bounds the name of a key, in bytes.
const longestName = 64

// nameClass holds the bytes of a key's name.
const nameClass = wordly | dash | dot

// secretKey returns what the name of a key promises, and what to call its value.
func secretKey(name string) (kind string, s secrecy) {
	if !hinted(name) {
		return "", public
	}
	parts := nameParts(name)
	for i := range parts {
		if i > 0 && parts[i-1] == "existing" {
			return "", public // where a secret is kept: existingSecret of a chart
		}
		p, n := secretPart(parts[i:])
		// SECRET_KEY_BASE is a secret, token_count is not.
		if p.secrecy != public && !slices.ContainsFunc(parts[i+n:], func(word string) bool { return !listed("trailers", word) }) {
			return provider(parts[:i]) + p.kind, p.secrecy
		}
	}
	return "", public
}

// hinted is a quick check whether a name can promise a secret: whether it has two
// letters that begin a word of such names, as in password, token and auth.
func hinted(name string) bool {
	for i := range len(name) - 1 {
		switch string([]byte{name[i] | 0x20, name[i+1] | 0x20}) {
		case "pa", "pw", "ph", "to", "se", "si", "ke", "au", "ac", "cr", "cs", "xs":
			return true
		}
	}
	return false
}

// nameParts cuts a name at punctuation and camel humps into words in lower case.
func nameParts(name string) []string {
	parts := make([]string, 0, 8)
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

// secretPart returns what the first words of a name promise, and how many they
// are: two, as in api key, or one.
func secretPart(parts []string) (p promise, n int) {
	if len(parts) > 1 {
		if p, ok := known().names[parts[0]+"-"+parts[1]]; ok {
			return p, 2
		}
	}
	word := parts[0]
	for _, end := range []string{"password", "passwort", "kennwort"} {
		if strings.HasSuffix(word, end) { // Datenbankpasswort
			word = end
		}
	}
	return known().names[word], 1
}

// provider returns the first known provider among parts, followed by a space, or "".
// The list has providers whose keys have no format of their own.
func provider(parts []string) string {
	i := slices.IndexFunc(parts, func(part string) bool { return listed("providers", part) })
	if i < 0 {
		return ""
	}
	return parts[i] + " "
}
