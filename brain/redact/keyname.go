package redact

import (
	"slices"
	"strings"
)

// secrecy classifies the name of a key by the kind of secret that its value may be.
type secrecy uint8

const (
	notSecret      secrecy = iota
	randomKey              // token, secret, api key: values are long and random
	chosenPassword         // password: values are short and chosen by a person
	sessionCookie          // a cookie that stands for a login
	authHeader             // Authorization: a scheme and a credential
)

// maxNameLen is the maximum length of the name of a key, in bytes.
const maxNameLen = 64

// nameClass is the set of bytes in the name of a key.
const nameClass = wordChars | dash | dot

// secretKey returns how to name the value of a key with this name, and which kind of secret
// it may be.
func secretKey(name string) (kind string, s secrecy) {
	parts := nameParts(name)
	for i := range parts {
		if i > 0 && parts[i-1] == "existing" {
			return "", notSecret // names the place of a secret, such as existingSecret in a Helm chart
		}
		p, n := secretPart(parts[i:])
		// SECRET_KEY_BASE is a secret, token_count is not.
		if p.secrecy != notSecret && !slices.ContainsFunc(parts[i+n:], func(word string) bool { return !listed("trailers", word) }) {
			return provider(parts[:i]) + p.kind, p.secrecy
		}
	}
	return "", notSecret
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

// secretPart looks up the first two words of a name, or the first, and returns how many
// it looked up.
func secretPart(parts []string) (p nameEntry, n int) {
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
