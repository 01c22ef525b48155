package similar

import (
	_ "embed"
	"strings"
	"sync"

	"github.com/brainbridge/brainbridge/brain/words"
)

// irregular lists irregular forms: the base form first on each line. Number and
// person of to be, to have and to do are forms of one word, their tenses are not.
// Forms that are mostly another word (left, saw, felt) are left out.
//
//go:embed forms.txt
var irregular string

// spellings lists British spellings that no rule makes American, which comes
// first on each line.
//
//go:embed spelling.txt
var spellings string

// forms maps the stem of an irregular form, or of another spelling, to that of
// its base form.
var forms = sync.OnceValue(func() map[string]string {
	m := make(map[string]string)
	for _, list := range []string{irregular, spellings} {
		for line := range strings.Lines(list) {
			stems := words.Terms(line)
			for _, form := range stems {
				m[form] = stems[0]
			}
		}
	}
	return m
})

// base returns the base form of what a stemmer leaves apart: kept is keep,
// colour is color.
func base(term string) string {
	if form, ok := forms()[term]; ok {
		return form
	}
	if n := len(term); n >= 5 {
		switch term[n-2:] {
		case "is":
			return organize(term)
		case "ur":
			return color(term)
		case "ys":
			if term[n-3] == 'l' { // analyse
				return term[:n-1] + "z"
			}
		}
	}
	return term
}

// organize returns the stem of the American spelling of a verb in -ise. What is
// spelt so on both sides gets a stem that no word has, but for three.
func organize(term string) string {
	stem := words.Terms(strings.TrimSuffix(term, "is") + "ize")[0]
	switch stem {
	case "advert", "expert", "parad":
		return term
	}
	return color(stem)
}

// color returns the American spelling of a word in -our. A short one (hour,
// four) is spelt so on both sides.
func color(term string) string {
	if stem, ok := strings.CutSuffix(term, "our"); ok && len(stem) >= 3 {
		return stem + "or"
	}
	return term
}
