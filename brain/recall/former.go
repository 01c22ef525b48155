package recall

import (
	"cmp"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/plaintext"
	"github.com/brainbridge/brainbridge/brain/similar"
)

// maxFormer is the longest former value in a line, in characters.
const maxFormer = 40

// formerValue returns what the latest of some older memories claimed instead of m, ""
// if none of them is known: the value of its claim, else all it says.
func formerValue(m *brain.Memory, ids []string, older map[string]brain.Memory) string {
	var latest *brain.Memory
	for _, id := range ids {
		if o, ok := older[id]; ok && (latest == nil || o.Created.After(latest.Created)) {
			latest = &o
		}
	}
	if latest == nil {
		return ""
	}
	value := similar.ClaimOf(brain.Said(latest)).Value()
	if value == similar.ClaimOf(brain.Said(m)).Value() {
		value = ""
	}
	return plaintext.Shorten(cmp.Or(value, brain.StatementOf(latest).Title), maxFormer)
}
