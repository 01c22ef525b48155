package extract

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/brainbridge/brainbridge/brain/words"
)

const (
	maxUncovered = 20   // topics of a report
	maxTopics    = 4096 // names that are counted
)

// Topics counts the names that the user says, by their stems: a name that was said and is
// in no item may be worth a look.
type Topics map[string]topic

type topic struct {
	name      string
	count     int
	mentioned bool
}

// Count counts the names in the turns of the user.
func (all Topics) Count(turns []Turn) {
	for _, t := range turns {
		if t.Speaker == User {
			all.count(t)
		}
	}
}

func (all Topics) count(t Turn) {
	for s := range t.statements() {
		if strings.IndexFunc(s.text[1:], unicode.IsUpper) < 0 {
			continue
		}
		for i, one := range tokenize(nil, s.text) {
			if i == 0 || !one.name || one.code || one.digit || one.before == '[' {
				continue
			}
			all.add(s.text[one.lo:one.hi])
		}
	}
}

func (all Topics) add(name string) {
	stem := stemOf(name)
	one, known := all[stem]
	if stem == "" || !known && len(all) >= maxTopics {
		return
	}
	one.name, one.count = cmp.Or(one.name, strings.Clone(name)), one.count+1
	all[stem] = one
}

// Cover marks the names that items mention.
func (all Topics) Cover(items []Item) {
	for _, i := range items {
		for _, stem := range words.Terms(i.Quote) {
			if one, known := all[stem]; known {
				one.mentioned = true
				all[stem] = one
			}
		}
	}
}

func stemOf(name string) string {
	if stems := words.Terms(name); len(stems) > 0 {
		return strings.Clone(stems[0])
	}
	return ""
}

// Uncovered returns the names that no item mentions, the most frequent first, at most 20.
func (all Topics) Uncovered() []string {
	open := slices.DeleteFunc(slices.Collect(maps.Values(all)), func(t topic) bool { return t.mentioned })
	slices.SortFunc(open, func(a, b topic) int {
		return cmp.Or(cmp.Compare(b.count, a.count), cmp.Compare(a.name, b.name))
	})
	names := []string{}
	for _, t := range open[:min(maxUncovered, len(open))] {
		names = append(names, t.name)
	}
	return names
}
