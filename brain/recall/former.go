package recall

import (
	"strings"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/plaintext"
	"github.com/brainbridge/brainbridge/brain/similar"
	"github.com/brainbridge/brainbridge/brain/statement"
)

// formerValue returns what the latest of older memories claimed instead of m: its value or,
// without one, the words that differ; "" if none is known.
func formerValue(m *brain.Memory, ids []string, older map[string]brain.Memory) string {
	const longest = 40 // characters
	var latest *brain.Memory
	for _, id := range ids {
		if o, ok := older[id]; ok && (latest == nil || brain.CompareAge(&o, latest) > 0) {
			latest = &o
		}
	}
	if latest == nil {
		return ""
	}
	value := similar.ClaimOf(statement.Said(latest)).ValueUnlike(similar.ClaimOf(statement.Said(m)))
	if value == "" {
		value = differing(statement.Of(latest).Title, statement.Of(m).Title)
	}
	return plaintext.Shorten(value, longest)
}

// differing returns the words of a former statement that differ from the present one,
// without the common words at the beginning and the end. If one of them only has more
// words, such as "not", it returns "the opposite".
func differing(former, present string) string {
	was, is := strings.Fields(former), strings.Fields(present)
	begin, end := 0, 0
	for begin < min(len(was), len(is)) && strings.EqualFold(was[begin], is[begin]) {
		begin++
	}
	for end < min(len(was), len(is))-begin && strings.EqualFold(was[len(was)-1-end], is[len(is)-1-end]) {
		end++
	}
	if begin+end == min(len(was), len(is)) {
		return "the opposite"
	}
	return strings.Join(was[begin:len(was)-end], " ")
}
