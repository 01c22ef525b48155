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
	maxTopics    = 4096 // names that are counted at a time
)

// topics counts the names that the user says, by their stems: a name that was said and
// is in no item may be worth a look.
type topics map[string]topic

type topic struct {
	name      string
	count     int
	mentioned bool
}

// count counts the names of a turn.
func (all topics) count(t Turn) {
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

func (all topics) add(name string) {
	stem := stemOf(name)
	one, known := all[stem]
	if !known && len(all) >= maxTopics {
		maps.DeleteFunc(all, func(_ string, t topic) bool { return t.count <= 1 && !t.mentioned })
	}
	if stem == "" || !known && len(all) >= maxTopics {
		return
	}
	one.name, one.count = cmp.Or(one.name, strings.Clone(name)), one.count+1
	all[stem] = one
}

// mention marks the words of a text as covered.
func (all topics) mention(text string) {
	for _, stem := range words.Terms(text) {
		if one, known := all[stem]; known {
			one.mentioned = true
			all[stem] = one
		}
	}
}

func stemOf(name string) string {
	if stems := words.Terms(name); len(stems) > 0 {
		return strings.Clone(stems[0])
	}
	return ""
}

// uncovered returns the names that no item mentions, the most frequent first.
func (all topics) uncovered() []string {
	open := slices.DeleteFunc(slices.Collect(maps.Values(all)), func(t topic) bool { return t.mentioned })
	slices.SortFunc(open, func(a, b topic) int {
		return cmp.Or(cmp.Compare(b.count, a.count), cmp.Compare(a.name, b.name))
	})
	var names []string
	for _, t := range open[:min(maxUncovered, len(open))] {
		names = append(names, t.name)
	}
	return names
}
