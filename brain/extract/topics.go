package extract

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/brainbridge/brainbridge/brain/words"
)

const (
	maxUncovered = 20   // topics of a report
	maxTopics    = 4096 // names that are counted
)

// Topics counts the names that the user says: one that was said and is in no item may be
// worth a look.
type Topics map[string]topic

type topic struct {
	name  string
	count int
}

// Count counts the names in the turns of the user.
func (all Topics) Count(turns []Turn) {
	for _, t := range turns {
		if t.Speaker != User {
			continue
		}
		for s := range t.statements() {
			tokens := tokenize(nil, s.text)
			english := slices.ContainsFunc(tokens, func(t token) bool { return words.Stop(t.word) }) && !slices.ContainsFunc(tokens, func(t token) bool { return inList(german, t.word) })
			for i, one := range tokens {
				name := strings.Trim(s.text[one.lo:one.hi], "`")
				if isCodeName(name) || one.word == "`" && !strings.Contains(name, " ") || english && i > 0 && isName(one) && !one.digit && one.before != '[' && name != strings.ToUpper(name) {
					all.add(name)
				}
			}
		}
	}
}

// isCodeName reports whether a word is the name of a file, a function or the like.
func isCodeName(word string) bool {
	return len(word) > 3 && !hasDigit(word[:1]) && !strings.Contains(word, "://") && strings.ContainsAny(word[1:], "._")
}

// german are words that show that a sentence is German, where all nouns have a capital letter.
const german = "der das und ist sind nicht ein eine einen wir ich mit fuer auf zu den dem wird bei von bitte"

func (all Topics) add(name string) {
	key := stemOf(name)
	one, known := all[key]
	if key == "" || !known && len(all) >= maxTopics {
		return
	}
	one.name, one.count = cmp.Or(one.name, strings.Clone(name)), one.count+1
	all[key] = one
}

// stemOf returns the stems of the parts of a name.
func stemOf(name string) string { return strings.Join(words.Terms(name), " ") }

// Uncovered returns the names that no item mentions, the most frequent first, at most 20.
func (all Topics) Uncovered(items []Item) []string {
	open := maps.Clone(all)
	for _, i := range items {
		for _, t := range tokenize(nil, i.Quote) {
			delete(open, stemOf(i.Quote[t.lo:t.hi]))
		}
	}
	sorted := slices.SortedFunc(maps.Values(open), func(a, b topic) int {
		return cmp.Or(cmp.Compare(b.count, a.count), cmp.Compare(a.name, b.name))
	})
	names := []string{}
	for _, t := range sorted[:min(maxUncovered, len(sorted))] {
		names = append(names, t.name)
	}
	return names
}
