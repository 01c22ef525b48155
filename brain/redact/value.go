package redact

import (
	"math"
	"strings"
)

// random reports whether a key's body may have been drawn at random: enough
// different characters, digits or both cases where the alphabet has them, and
// not what documents print.
func random(s string, set class) bool {
	in, _ := classes(s)
	if in&digit == 0 && (in&lower == 0 || in&upper == 0) {
		return false
	}
	need := 8
	if set&^hexAny == 0 || len(s) < 20 {
		need = 6
	}
	return distinct(s) >= need && !placeholder(s)
}

// distinct counts the different bytes of s.
func distinct(s string) int {
	var seen [256]bool
	n := 0
	for i := range len(s) {
		if !seen[s[i]] {
			seen[s[i]] = true
			n++
		}
	}
	return n
}

// entropy returns Shannon's entropy of the bytes of s, in bits a byte.
func entropy(s string) float64 {
	var counts [256]int
	for i := range len(s) {
		counts[s[i]]++
	}
	var sum float64
	for _, n := range counts {
		if n > 0 {
			p := float64(n) / float64(len(s))
			sum -= p * math.Log2(p)
		}
	}
	return sum
}

// placeholder reports whether s is what documents print in place of a secret:
// a variable, something in angle brackets, asterisks, "example". A row of the
// alphabet is none: people test with it, and so a key of theirs may look.
func placeholder(s string) bool {
	return s == "" || variable(s) || repeated(s) || stands(s)
}

// variable holds for references and templates: $NAME, ${NAME}, $(cmd),
// {{ name }}, {name}, %NAME%, <name>, [name], @name@, :name.
func variable(s string) bool {
	first, last := s[0], s[len(s)-1]
	switch first {
	case '<':
		return last == '>' || !strings.Contains(s, ">")
	case '[', '{':
		return true
	case '$':
		name := s[1:]
		return name == "" || name[0] == '{' || name[0] == '(' || run(name, wordly, 0) == len(name) &&
			(classOf(name[0])&digit == 0)
	case '%':
		return last == '%' || strings.HasPrefix(s, "%s") || strings.HasPrefix(s, "%v") || strings.HasPrefix(s, "%(")
	case '@':
		return last == '@' && len(s) > 1
	}
	return strings.Contains(s, "${") || strings.Contains(s, "{{") || strings.Contains(s, "…")
}

// repeated holds for xxxx, ****, 0000-0000 and the like, and for what holds six
// of a filler in a row.
func repeated(s string) bool {
	row, letters := 1, distinct(strings.Trim(s, "-_."))
	if letters <= 1 || letters == 2 && strings.ContainsAny(s, "-_. ") {
		return true
	}
	for i := 1; i < len(s); i++ {
		if s[i] != s[i-1] {
			row = 1
			continue
		}
		row++
		if row >= 6 && strings.IndexByte("xX*.#?0_-", s[i]) >= 0 || strings.HasPrefix(s[i-1:], "***") {
			return true
		}
	}
	return false
}

// stands holds for what says that it stands for something else.
func stands(s string) bool {
	const reach = 256 // enough for what a person writes
	folded := strings.ToLower(s[:min(len(s), reach)])
	for _, part := range []string{
		"example", "placeholder", "changeme", "change-me", "change_me", "redacted", "your-", "your_", "yourpass",
		"yourtoken", "yoursecret", "yourkey", "yourapi", "dummy", "insert-", "insert_", "replace-", "replace_",
		"replaceme", "goes-here", "goes_here", "-here", "_here", "sometoken", "somepass", "mypassword", "my-password",
		"my_password", "not-a-real", "notareal", "xxxxx", "fake-", "fake_",
	} {
		if strings.Contains(folded, part) {
			return true
		}
	}
	return false
}

// standIn holds for words that documents and forms print where a password or
// a token would stand, and for the types and states that code gives to one.
func standIn(s string) bool {
	switch strings.ToLower(strings.Trim(s, ".,;:!?")) {
	case "password", "passwd", "pass", "pwd", "pw", "passphrase", "passwort", "secret", "token", "key", "apikey",
		"api_key", "api-key", "credentials", "credential", "creds", "auth", "bearer", "basic", "mypass", "p4ssw0rd",
		"username", "user", "foo", "bar", "baz", "foobar", "test", "testing", "value", "default", "sample", "demo",
		"string", "str", "text", "bytes", "byte", "int", "integer", "bool", "boolean", "object", "optional",
		"required", "hidden", "masked", "none", "null", "nil", "undefined", "true", "false", "yes", "no", "empty",
		"unset", "missing", "invalid", "incorrect", "wrong", "expired", "redacted", "todo", "tbd", "n/a", "env",
		"changed", "prompt", "interactive", "enabled", "disabled", "sensitive", "encrypted", "hashed", "plaintext",
		"md5", "sha1", "sha256", "sha-256", "sha512", "bcrypt", "bcrypt2", "argon2", "argon2id", "scrypt", "pbkdf2",
		"base64", "hs256", "rs256", "es256", "oauth2", "oauth", "jwt", "utf8", "utf-8", "x509", "ed25519", "aes256",
		"aes-256", "aes-256-gcm", "hmac-sha256", "pkcs8", "pkcs1", "web3", "2fa", "totp", "fido2", "ldap", "saml2":
		return true
	}
	return false
}

// wordy holds for what reads as words: letters with marks between them, each
// run of letters a plain word or a camel case one, numbers only at the end of a
// run and short. Identifiers, paths and prose are wordy.
func wordy(s string) bool {
	for s != "" {
		n := run(s, alnum, 0)
		if n == 0 {
			if s[0] >= 0x80 || strings.IndexByte("_-./:,'()!?@#", s[0]) < 0 {
				return false
			}
			s = s[1:]
			continue
		}
		if !wordyRun(s[:n]) {
			return false
		}
		s = s[n:]
	}
	return true
}

// wordyRun holds for letters whose case changes as in camel case, with at most
// three digits after them, and for short numbers.
func wordyRun(s string) bool {
	letters := run(s, lower|upper, 0)
	if len(s)-letters > 3 || run(s[letters:], digit, 0) != len(s)-letters {
		return false
	}
	humps := 0
	for i := 1; i < letters; i++ {
		if classOf(s[i])&upper != 0 && classOf(s[i-1])&lower != 0 {
			humps++
		}
	}
	return humps*4 <= letters // a random mix of cases changes at every other letter
}
