package redact

import (
	"strings"
)

// spoken finds the secret that prose gives to the noun at s[i:end], in English, German,
// French and Spanish: "the password is x", "password of the database: x", "with password x",
// "login bob password x", "the api key is" and x on the next line.
func spoken(s string, i, end int, noun format) (span, bool) {
	line, _, _ := strings.Cut(s[end:min(len(s), end+160)], "\n")
	at := afterLink(line, strings.Contains(noun.prefix, " ") || !isASCII(noun.prefix))
	placed := false
	if at < 0 && strings.HasPrefix(line, " ") {
		sql := noun.noun == chosenPassword && strings.HasPrefix(line, " '")
		var direct bool
		if direct, placed = directly(s[max(0, i-48):i]); direct || sql || noun.noun == authHeader {
			at = 1
		}
	}
	if at < 0 {
		return span{}, false
	}
	at += end
	at += blanks(s[at:], 8)
	next := nextLine(s, at)
	if next > 0 {
		at = next
	}
	v := valueAt(s, at)
	if v.start >= v.end || next > 0 && !lineEndsAfter(s, v) {
		return span{}, false
	}
	text := s[v.start:v.end]
	v.placed = placed
	if v.quote == 0 && !placed && !strings.ContainsAny(text, "0123456789") || v.quote == 0 && v.start > at ||
		listed("about passwords", strings.ToLower(strings.TrimRight(text, ".,;:!?"))) {
		return span{}, false
	}
	return judge(s, noun.kind, noun.noun, v)
}

// directly reports whether the words before a noun let the secret follow it without a verb,
// and whether they are those of a .netrc file: login bob password x.
func directly(text string) (direct, placed bool) {
	before := strings.Fields(strings.ToLower(text))
	n := len(before)
	if n > 0 && listed("articles", before[n-1]) {
		n--
	}
	if n > 0 && listed("with", before[n-1]) {
		return true, false
	}
	placed = n > 1 && listed("netrc", before[n-2])
	return placed, placed
}

// afterLink returns where the text after "is", "lautet", ":" and the like begins in the rest
// of the line after a noun; a preposition and a few words may stand between. It is -1 if there
// is none. A colon directly after the noun counts only if colon says so: it is an assignment.
func afterLink(line string, colon bool) int {
	at := 0
	for n := range 8 {
		at += blanks(line[at:], 2)
		word, _, _ := strings.Cut(line[at:], " ")
		if word == "" {
			return -1
		}
		at += len(word)
		bare := strings.ToLower(strings.TrimRight(word, ":="))
		switch {
		case listed("links", bare) && (n > 0 || strings.HasPrefix(line, " ")):
			if strings.HasPrefix(line[at:], " :") {
				at += 2
			}
			return at
		case len(bare) < len(word) && (n > 0 || bare == "" && colon):
			return at
		case n == 0 && !listed("prepositions", bare):
			return -1
		}
	}
	return -1
}

func isASCII(s string) bool { return strings.IndexFunc(s, func(r rune) bool { return r >= 0x80 }) < 0 }
