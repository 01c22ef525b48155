package similar

import (
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/brainbridge/brainbridge/brain/words"
)

// The kinds of marks that texts are compared by, in the order of the bits of
// [Difference].
const (
	negations = iota
	numbers
	dates
	versions
	paths
	urls
	symbols

	plain = -1 // a word
)

// token is what stands between two blanks.
type token struct {
	chunk  string // with the punctuation around it
	text   string // without
	folded string // text in lower case
	kind   int8
	symbol bool // a plain word with symbols in it, see symbolic
	code   bool // between backticks
	first  bool // begins a sentence
}

// tokens appends the tokens of a line.
func tokens(all []token, line string) []token {
	first, code := true, false
	for i, chunk := range strings.Fields(line) {
		if strings.Trim(chunk, lowercase) == "" {
			all = append(all, token{kind: plain, chunk: chunk, text: chunk, folded: chunk, code: code, first: first})
			first = false
			continue
		}
		ticks := strings.Count(chunk, "`")
		word := bare(chunk)
		text := strings.Trim(word, "*|()[]{}<>\"'`,;")
		folded := strings.ToLower(text)
		t := token{kind: kindOf(folded), chunk: chunk, text: text, folded: folded, code: code || ticks > 0, first: first}
		bullet := i == 0 && strings.Trim(word, "*-+#>•") == ""
		if t.kind == plain && !bullet {
			t.symbol = symbolic(word) != ""
		}
		all = append(all, t)
		code = code != (ticks%2 == 1)
		last, _ := utf8.DecodeLastRuneInString(chunk)
		first = bullet || first && text == "" || strings.ContainsRune(".!?:…", last)
	}
	return all
}

// patterns are the forms of tokens and of parts of them.
type patterns struct{ url, date, version, number, path, identifier, symbol, thousands *regexp.Regexp }

var pattern = sync.OnceValue(func() patterns {
	return patterns{
		url: regexp.MustCompile(`://|^www\.|^mailto:`),
		// 10:30, 2026-11-21, 2026-11-21T10:30:00Z, 21.11.2026, 11/21/2026
		date: regexp.MustCompile(`^(\d\d?:\d\d(:\d\d?)?|(\d{4}[-./]\d\d?[-./]\d\d?|\d\d?[-./]\d\d?[-./]\d{4})(t.*)?)$`),
		// v2, go1.26, 1.2.3, 1.2-rc1
		version: regexp.MustCompile(`^((v\d[\d.]*|\pL{1,6}\d+\.[\d.]*|\d+(\.\d+){2,})([-+~].*)?|\d+\.\d+[-+~].*)$`),
		// -1, 3.5, 1,000, 99.9%, 10GB, 30s, $20, 10-20, 1/2, #42
		number: regexp.MustCompile(`^([-+±~≈<>=$€£¥#]*\d(?:.*\d)?)-?(\D*)$`),
		// /etc, ~/notes, ./x, .., C:\in, a/b/c, dist/, .env, store.go; and/or is two words
		path: regexp.MustCompile(`^(~|\.\.?)?/|^\.\.?$|\\|/.*/|/$|\.\pL[^.]{0,4}$|^\.[^.]`),
		// --force, @alice, user_id, userId, http.Client
		identifier: regexp.MustCompile(`^(--|@)[^-@]|[^_]_+[^_]|\p{Ll}\p{Lu}|\pL\.\pL`),
		symbol:     regexp.MustCompile(`[#$@^\\!\p{Sm}\p{Sc}]|^--?\w|\w--$|&&`),
		thousands:  regexp.MustCompile(`,(\d{3})\b`),
	}
})

// kindOf returns the kind of a word in lower case.
func kindOf(s string) int8 {
	if !strings.ContainsAny(s, "0123456789./\\:") {
		return plain
	}
	if strings.Trim(s, digits) == "" {
		return numbers
	}
	switch is := pattern(); {
	case is.url.MatchString(s):
		return urls
	case is.date.MatchString(s):
		return dates
	case is.version.MatchString(s):
		return versions
	case isNumber(s):
		return numbers
	case is.path.MatchString(s):
		return paths
	}
	return plain
}

// cutNumber cuts a number with a unit, in lower case, into the two. It reports
// whether s is one: the unit has four characters at most, or is a known one.
func cutNumber(s string) (number, unit string, ok bool) {
	switch {
	case s == "", s[0] >= 'a' && s[0] <= 'z':
		return "", "", false
	case strings.Trim(s, digits) == "":
		return s, "", true
	}
	parts := pattern().number.FindStringSubmatch(s)
	if len(parts) < 3 || utf8.RuneCountInString(parts[2]) > 4 && known().units[parts[2]] == "" {
		return "", "", false
	}
	number = pattern().thousands.ReplaceAllString(parts[1], "$1")
	return strings.TrimPrefix(number, "+"), parts[2], true
}

func isNumber(s string) bool {
	_, _, ok := cutNumber(s)
	return ok
}

// isArticle reports whether an a is the article and not a letter, as in plan A
// and foo(b, a).
func (t token) isArticle() bool {
	return t.text == "a" && strings.HasSuffix(t.chunk, "a") || t.text == "A" && t.first
}

// isIdentifier reports whether a word is one that programs are written with,
// where each letter counts.
func (t token) isIdentifier() bool {
	return t.text != "" && (t.code || (t.text[0] == '@' || strings.Trim(t.text[1:], lowercase) != "") && pattern().identifier.MatchString(t.text))
}

// isName reports whether a word is written as a name: with a capital, unless it
// begins a sentence and no verb seems to follow; with a capital or an underscore
// inside; after @, # or --.
func (t token) isName(next string) bool {
	letter, n := utf8.DecodeRuneInString(t.text)
	rest := t.text[n:]
	switch {
	case strings.ContainsRune("@#", letter), strings.HasPrefix(t.text, "--"):
		return true
	case strings.IndexFunc(rest, func(r rune) bool { return r == '_' || unicode.IsUpper(r) }) >= 0:
		return true
	case !unicode.IsUpper(letter), words.Stop(t.folded) && rest != "":
		return false
	case rest == "":
		return !t.first && t.text != "I"
	}
	return !t.first || isVerbLike(next)
}

// isVerbLike reports whether a word can follow the name of somebody.
func isVerbLike(word string) bool {
	switch word {
	case "had", "will", "would", "can", "could", "must", "may", "should", "did", "said",
		"wrote", "owned", "joined", "left", "took", "made", "and":
		return true
	}
	return strings.HasSuffix(word, "s") && !strings.HasSuffix(word, "ss")
}

// Checking for other characters is faster than matching a pattern.
const (
	lowercase = "abcdefghijklmnopqrstuvwxyz"
	digits    = "0123456789"
)

// symbolic returns a word that symbols of programs and formulas are part of, in
// one spelling: c#, ==, -f, i++. It is "" for other words; marks that join,
// separate or emphasise words are not symbols, as in re-run and *word*.
func symbolic(word string) string {
	if strings.Trim(word, lowercase) == "" {
		return ""
	}
	word = strings.ReplaceAll(strings.Trim(strings.ToLower(word), "*~`"), "->", "→")
	if word == "|" || !pattern().symbol.MatchString(word) {
		return ""
	}
	return word
}
