package extract

import "strings"

const maxNameWords = 3

// NameIn returns the first name in a sentence: up to three capitalized words in a row. The
// first word of a sentence counts only if a verb after it shows that it is a subject.
func NameIn(sentence string) string {
	tokens := tokenize(nil, sentence)
	for i := 0; i < len(tokens); i++ {
		end := i
		for end < len(tokens) && end < i+maxNameWords && isName(tokens[end]) && (end == i || tokens[end].before == 0) {
			end++
		}
		starts := i == 0 || strings.IndexByte(".!?:", tokens[i].before) >= 0
		if end > i+1 || end > i && (!starts || end < len(tokens) && listed(verbs, tokens[end].word)) {
			return strings.TrimSuffix(sentence[tokens[i].lo:tokens[end-1].hi], "'s")
		}
		i = max(i, end-1)
	}
	return ""
}

// noNames are words with a capital letter that are not names, and verbs are the words that
// follow a name at the beginning of a sentence.
const (
	noNames = "january february march april may june july august september october november december " +
		"monday tuesday wednesday thursday friday saturday sunday today tomorrow yesterday " +
		"mr mrs ms dr prof ok okay yes no hello hi thanks please btw also"
	verbs = "is 's was are has had will 'll runs works leads heads owns handles joined joins manages maintains wants prefers said says " +
		"knows uses looks takes moved left from and at"
)

func isName(t token) bool { return t.name && !t.code && !listed(noNames, t.word) }
