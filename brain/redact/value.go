package redact

import (
	"slices"
	"strings"
	"unicode"
)

// random reports whether s could be a randomly generated key over the alphabet set: it
// has enough distinct bytes and mixed character classes, and is not a placeholder.
func random(s string, set class) bool {
	in, _ := classes(s)
	if in&digit == 0 && (in&lower == 0 || in&upper == 0) && set != capitals { // an AWS key is of capitals, and one in thirty has no digit
		return false
	}
	need := 8
	if set&^hexAny == 0 || len(s) < 20 {
		need = 6
	}
	return distinct(s) >= need && !placeholder(s)
}

// distinct returns the number of distinct bytes in s.
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

// placeholder reports whether s is a placeholder for a secret in documentation: a
// variable, something in angle brackets, asterisks, "example". Sequences such as abcdef
// do not count, because people use them to test redaction.
func placeholder(s string) bool {
	return s == "" || variable(s) || repeated(s) || exemplary(s)
}

// variable reports whether s is a reference or a template: $NAME, ${NAME}, $(cmd),
// {{ name }}, {name}, %NAME%, <name>, [name], @name@. It is lenient: a leading [ or { is
// enough. s is not empty.
func variable(s string) bool {
	first, last := s[0], s[len(s)-1]
	switch first {
	case '<':
		return last == '>' || !strings.Contains(s, ">")
	case '[', '{':
		return true
	case '$':
		name := s[1:]
		return name == "" || name[0] == '{' || name[0] == '(' || run(name, wordChars, 0) == len(name) &&
			(classTable[name[0]]&digit == 0)
	case '%':
		return last == '%' || strings.HasPrefix(s, "%s") || strings.HasPrefix(s, "%v") || strings.HasPrefix(s, "%(")
	case '@':
		return last == '@' && len(s) > 1
	}
	return strings.Contains(s, "${") || strings.Contains(s, "{{") || strings.Contains(s, "…")
}

// repeated reports whether s is xxxx, 0000-0000 or the like, or contains three asterisks
// or six of another filler in a row.
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

// exemplary reports whether s contains a marker of an example, as in your-key-here.
func exemplary(s string) bool {
	const reach = 256 // placeholders are short
	folded := strings.ToLower(s[:min(len(s), reach)])
	return slices.ContainsFunc(known().parts, func(part string) bool { return strings.Contains(folded, part) })
}

// standIn reports whether s is a stand-in word for a secret, such as "secret", "string"
// or "null", as used in documentation, forms and code.
func standIn(s string) bool {
	return listed("stand-ins", strings.ToLower(strings.Trim(s, ".,;:!?")))
}

// passphrase reports whether a quoted phrase is likely a passphrase rather than a
// statement about passwords, such as "must be changed every 90 days". Text in another
// script is assumed to be a translated form label.
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
// letters in plain or camel case with punctuation between them, each optionally followed
// by up to three digits.
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

// wordyRun reports whether s is a camel-case word with at most three trailing digits, or
// a number of at most three digits.
func wordyRun(s string) bool {
	letters := run(s, lower|upper, 0)
	if len(s)-letters > 3 || run(s[letters:], digit, 0) != len(s)-letters {
		return false
	}
	humps := 0
	for i := 1; i < letters; i++ {
		if classTable[s[i]]&upper != 0 && classTable[s[i-1]]&lower != 0 {
			humps++
		}
	}
	return humps*4 <= letters // a random mix of cases changes at every other letter
}
