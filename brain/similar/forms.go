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

// forms maps the stem of an irregular form to that of its base form.
var forms = sync.OnceValue(func() map[string]string {
	m := make(map[string]string)
	for line := range strings.Lines(irregular) {
		stems := words.Terms(line)
		for _, form := range stems {
			m[form] = stems[0]
		}
	}
	return m
})

// base returns the base form of an irregular one, which a stemmer leaves apart:
// kept is keep.
func base(term string) string {
	if form, ok := forms()[term]; ok {
		return form
	}
	return term
}
