package redact

import (
	"encoding/base64"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/google/uuid"
)

// isSecret reports whether a text is a secret of a kind.
func isSecret(text string, secret secrecy, v value) bool {
	switch {
	case placeholder(text), standIn(text), isCode(text, v), isPath(text), strings.Contains(text, "://"):
		return false
	case secret == chosenPassword:
		return !nonASCIIWord(text) && password(text, v)
	case strings.Contains(text, " "):
		return false
	case secret == sessionCookie:
		return (v.placed || len(text) >= 16 && uuid.Validate(text) != nil) && len(text) >= 8 && random(text, alnum) && !wordy(text)
	case secret == authHeader:
		return len(text) >= 8 && random(text, alnum) && (!wordy(text) || len(text) >= 20) && !exampleBasic(text)
	}
	return keyText(text, v)
}

// keyText reports whether s may be a token, secret or key: it is long and random, or it is
// in an environment file and not made of words.
func keyText(s string, v value) bool {
	in, other := classes(s)
	switch {
	case len(s) < 8, in&digit == 0 && len(s) < 20:
		return false
	case wordy(s):
		return v.env && in&digit != 0 && strings.Contains(s, "-") && entropy(s) >= 3
	case in&^(digit|dot|dash) == 0 && !other:
		return false // a number, a date, a version
	case len(s) < 16:
		return in&digit != 0 && in&(lower|upper) != 0 && entropy(s) >= 2.5
	}
	return entropy(s) >= 3
}

// password reports whether s may be a password that a person chose: in quotes, several words
// that are not about passwords; in quotes, in an environment file or at the place of one,
// anything but a word of a form; in prose, letters with digits or signs.
func password(s string, v value) bool {
	in, other := classes(s)
	letters, digits := in&(lower|upper) != 0, in&digit != 0
	signs := other || in&^alnum != 0
	switch {
	case strings.Contains(s, " "):
		return v.quote != 0 && passphrase(s)
	case v.quote != 0 || v.env || v.placed:
		return len(s) >= 4 && (in&^(digit|dot) != 0 || in&dot == 0 || other) // no version
	case len(s) < 6 || !letters || strings.HasSuffix(s, "-") || !digits && !signs:
		return false
	case digits && (!strings.ContainsAny(s, "-./_") || strings.ContainsAny(s, "!@#$%^&*?")):
		return true
	}
	return !wordy(s)
}

// nonASCIIWord reports whether s is one word with letters beyond ASCII, as in translations
// of the word password.
func nonASCIIWord(s string) bool {
	return !isASCII(s) && !strings.ContainsFunc(s, func(r rune) bool { return r < 0x80 && !unicode.IsLetter(r) })
}

// isPath reports whether s is a path. The path of a secret is not a secret.
func isPath(s string) bool {
	in, other := classes(s)
	return strings.HasPrefix(strings.TrimLeft(s, ".~"), "/") && !other && (in&upper == 0 || wordy(s))
}

// isCode reports whether a value is an expression: a call, an index, a member or an
// identifier without quotes.
func isCode(s string, v value) bool {
	if v.quote != 0 {
		return false
	}
	if at := strings.IndexAny(s, "([{"); at > 0 && run(s[:at], nameClass, 0) == at && (wordy(s[:at]) || !v.env && s[at] == '(') {
		return true
	}
	in, other := classes(s)
	dotted := in&(dot|underscore) != 0 && !other && in&(plusSlash|equals|percent) == 0
	return !v.env && dotted && wordy(s) && classTable[s[0]]&digit == 0 ||
		strings.IndexByte("&*", s[0]) >= 0 || s[0] == '(' || s[0] == '!' && wordy(s[1:])
}

// exampleBasic reports whether s is the base64 of user:password or the like, which documents
// print.
func exampleBasic(s string) bool {
	plain, err := base64.StdEncoding.DecodeString(s)
	if err != nil {
		return false
	}
	user, secret, ok := strings.Cut(string(plain), ":")
	return ok && !realPassword(user, secret, "")
}

// afterScheme returns the value of an Authorization header without the scheme and the blank
// after it.
func afterScheme(s string, v value) value {
	scheme, _, ok := strings.Cut(s[v.start:min(len(s), v.start+len("negotiate "))], " ")
	switch strings.ToLower(scheme) {
	case "bearer", "basic", "token", "apikey", "negotiate", "digest", "bot":
		if ok && v.quote == 0 {
			return valueAt(s, v.start+len(scheme)+1)
		}
		v.start = min(v.start+len(scheme)+1, v.end)
	}
	return v
}

// random reports whether s could be a randomly generated key over the alphabet set: it mixes
// character classes, its entropy is high, and it is not a placeholder.
func random(s string, set class) bool {
	in, _ := classes(s)
	if in&digit == 0 && (in&lower == 0 || in&upper == 0) && set != alphabets["capitals"] { // an AWS key is of capitals, and one in thirty has no digit
		return false
	}
	need := 2.5
	if set&^hexAny == 0 || len(s) < 20 {
		need = 2.3
	}
	return entropy(s) >= need && !placeholder(s)
}

// entropy returns the Shannon entropy of the bytes of s, in bits a byte: log n - Σ c·log c / n.
// A random key of 16 characters has about 3.6, one of 40 about 4.6, hexadecimal ones less
// than 4.
func entropy(s string) float64 {
	var counts [256]float64
	for i := range len(s) {
		counts[s[i]]++
	}
	n, sum := float64(max(1, len(s))), 0.0
	for _, c := range counts {
		if c > 1 {
			sum += c * math.Log2(c)
		}
	}
	return math.Log2(n) - sum/n
}

// placeholder reports whether s is a placeholder for a secret in documentation: a variable,
// something in angle brackets, asterisks, "example". Sequences such as abcdef do not count,
// because people use them to test redaction.
func placeholder(s string) bool {
	return s == "" || variable(s) || repeated(s) || exemplary(s)
}

// variable reports whether s is a reference or a template: $NAME, ${NAME}, $(cmd), {{ name
// }}, {name}, %NAME%, <name>, [name], @name@. It is lenient: a leading [ or { is enough.
func variable(s string) bool {
	last := s[len(s)-1]
	switch s[0] {
	case '<':
		return last == '>' || !strings.Contains(s, ">")
	case '[', '{':
		return true
	case '$':
		name := s[1:]
		return name == "" || name[0] == '{' || name[0] == '(' || run(name, wordChars, 0) == len(name) && classTable[name[0]]&digit == 0
	case '%':
		return last == '%' || len(s) > 1 && strings.IndexByte("sv(", s[1]) >= 0
	case '@':
		return last == '@' && len(s) > 1
	}
	return strings.Contains(s, "${") || strings.Contains(s, "{{") || strings.Contains(s, "…")
}

// repeated reports whether s is xxxx, 0000-0000 or the like, or contains three asterisks or
// six of another filler in a row.
func repeated(s string) bool {
	if bits := entropy(strings.Trim(s, "-_.")); bits == 0 || bits <= 1 && strings.ContainsAny(s, "-_. ") {
		return true
	}
	row := 1
	for i := 1; i < len(s); i++ {
		if s[i] != s[i-1] {
			row = 1
			continue
		}
		row++
		if row >= 6 && strings.IndexByte("xX*.#?0_-", s[i]) >= 0 || row >= 3 && s[i] == '*' {
			return true
		}
	}
	return false
}

// exemplary reports whether s contains a marker of an example, as in your-key-here.
func exemplary(s string) bool {
	const reach = 256 // placeholders are short
	folded := strings.ToLower(s[:min(len(s), reach)])
	return slices.ContainsFunc(known().parts, func(part string) bool { return strings.Contains(folded, part) })
}

// standIn reports whether s is a stand-in word for a secret, such as "secret", "string" or
// "null", as used in documentation, forms and code.
func standIn(s string) bool {
	return listed("stand-ins", strings.ToLower(strings.Trim(s, ".,;:!?"))) || listed("published", s[max(0, len(s)-11):])
}

// passphrase reports whether a quoted phrase is likely a passphrase rather than a statement
// about passwords, such as "must be changed every 90 days". Text in another script is assumed
// to be a translated form label.
func passphrase(s string) bool {
	const longest = 12 // maximum number of words; more are prose
	if strings.ContainsFunc(s, func(r rune) bool { return unicode.IsLetter(r) && !unicode.Is(unicode.Latin, r) }) {
		return false
	}
	words := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune(".,;:!?()/\"", r)
	})
	functionWords := 0
	for _, word := range words {
		if listed("about passwords", word) {
			return false
		}
		if listed("function words", word) {
			functionWords++
		}
	}
	return len(words) > 1 && len(words) <= longest && functionWords*2 <= len(words)
}

// wordy reports whether s consists of readable words, as in identifiers, paths and prose:
// letters in plain or camel case with at most three digits after them, numbers of at most
// three digits, and punctuation between them.
func wordy(s string) bool {
	for s != "" {
		n := run(s, alnum, 0)
		letters := run(s[:n], lower|upper, 0)
		switch {
		case n == 0 && (s[0] >= 0x80 || strings.IndexByte("_-./:,'()!?@#", s[0]) < 0),
			n-letters > 3, run(s[letters:n], digit, 0) != n-letters, !camelCase(s[:letters]):
			return false
		}
		s = s[max(n, 1):]
	}
	return true
}

// camelCase reports whether letters may be words. Random letters change case at every other;
// a long row without capitals is an alphabet.
func camelCase(letters string) bool {
	humps, capitals := 0, 0
	for i := range len(letters) {
		if classTable[letters[i]]&upper != 0 {
			capitals++
			if i > 0 && classTable[letters[i-1]]&lower != 0 {
				humps++
			}
		}
	}
	n := len(letters)
	return humps*4 <= n && (humps <= 2 || capitals*3 <= n) && (n <= 20 || n <= 16*(humps+1))
}
