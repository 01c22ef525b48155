package similar

import (
	"strings"
	"unicode"
)

// symbolsOf returns the runs of symbols in a word: the # of c#, the == and the
// - of -f. Marks that only join, separate or emphasise are none: the hyphen in
// re-run, a dash, *word*, _word_, a & or | alone.
func symbolsOf(word string) []string {
	word = unemphasised(word)
	switch word {
	case "&", "|", "%", "*", "/":
		return nil
	case "->":
		return []string{"→"}
	}
	if strings.Trim(word, "-–—_") == "" {
		return nil
	}
	var runs []string
	for at, rest := 0, word; rest != ""; rest = rest[at:] {
		plain := strings.IndexFunc(rest, symbolic)
		if plain < 0 {
			break
		}
		rest = rest[plain:]
		if at = strings.IndexFunc(rest, func(r rune) bool { return !symbolic(r) }); at < 0 {
			at = len(rest)
		}
		if run := rest[:at]; !joins(run, len(rest) < len(word), at < len(rest)) {
			runs = append(runs, run)
		}
	}
	return runs
}

// joins holds for hyphens, slashes, ampersands and signs of percent that stand
// between words or after one.
func joins(run string, begun, goesOn bool) bool {
	switch run {
	case "-", "/", "%":
		return begun
	case "&":
		return begun && goesOn
	}
	return false
}

// symbolic holds for what programs and formulas are written with. Signs of
// sentences, brackets, quotes and pictures are none.
func symbolic(r rune) bool {
	return strings.ContainsRune("#$%&*-/@\\^!", r) || unicode.Is(unicode.Sm, r) || unicode.Is(unicode.Sc, r)
}

// unemphasised drops the marks of Markdown around a word.
func unemphasised(word string) string {
	word = strings.Trim(word, "`")
	for _, mark := range []string{"**", "*", "~~"} {
		if inner, ok := strings.CutPrefix(word, mark); ok && len(inner) > len(mark) {
			if inner, ok = strings.CutSuffix(inner, mark); ok {
				word = inner
			}
		}
	}
	return word
}
