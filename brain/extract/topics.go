package extract

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

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
			known := strings.Fields(s.text)
			isGerman := slices.ContainsFunc(known, func(w string) bool { return inList(german, strings.ToLower(w)) })
			english := !isGerman && slices.ContainsFunc(known, words.Stop)
			for _, m := range nameWord().FindAllStringIndex(s.text, -1) {
				name := strings.Trim(s.text[m[0]:m[1]], "`")
				inCode := s.text[m[0]] == '`' && !strings.Contains(name, " ")
				if inCode || isCodeName(name) || english && m[0] > 0 && s.text[m[0]-1] != '[' && isName(name) {
					all.add(name)
				}
			}
		}
	}
}

// nameWord matches a passage in backticks, or a word with the marks inside numbers and paths.
var nameWord = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("`[^`\n]+`|[/~.]?[\\pL\\d_]+(?:[.:/@_+#%&-]+[\\pL\\d_]+)*")
})

// isName reports whether a word may be a name: a capital letter, and not a common word.
func isName(word string) bool {
	first, _ := utf8.DecodeRuneInString(word)
	return len(word) > 1 && unicode.IsUpper(first) && word != strings.ToUpper(word) && !strings.ContainsAny(word, "0123456789@/.") &&
		!words.Stop(word) && !inList(notNames, strings.ToLower(word))
}

// NameIn returns the first name in a sentence: up to three capitalized words in a row. A
// single word at its beginning is a name only if one of verbsOfNames follows it.
func NameIn(sentence string) string {
	all := strings.Fields(sentence)
	clean := func(i int) string { return strings.TrimSuffix(strings.Trim(all[i], ".,;:!?()*\"'"), "'s") }
	for i := 0; i < len(all); i++ {
		end := i
		for end < len(all) && end < i+3 && isName(clean(end)) && (end == i || clean(end-1) == all[end-1]) {
			end++
		}
		if end > i+1 || end > i && (i > 0 || end < len(all) && inList(verbsOfNames, all[end])) {
			name := clean(i)
			for n := i + 1; n < end; n++ {
				name += " " + clean(n)
			}
			return name
		}
		i = max(i, end-1)
	}
	return ""
}

// notNames are capitalized words that are not names. verbsOfNames are words that follow a name at
// the beginning of a sentence.
const (
	notNames = "january february march april may june july august september october november december " +
		"monday tuesday wednesday thursday friday saturday sunday today tomorrow yesterday " +
		"mr mrs ms dr prof ok okay yes no hello hi thanks please btw also"
	verbsOfNames = "is was are has had will runs works leads heads owns handles joined joins manages maintains wants prefers said says " +
		"knows uses looks takes moved left from and at"
)

// isCodeName reports whether a word is the name of a file, a function or the like.
func isCodeName(word string) bool {
	return len(word) > 3 && !strings.ContainsAny(word[:1], "0123456789") && !strings.Contains(word, "://") && strings.ContainsAny(word[1:], "._")
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
		for _, name := range nameWord().FindAllString(i.Quote, -1) {
			delete(open, stemOf(name))
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
