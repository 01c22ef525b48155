package recall

import (
	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/plaintext"
)

// maxFormer is the longest former value in a line, in characters.
const maxFormer = 60

// formerValue returns what the latest of some older memories claimed instead of m, ""
// if none of them is known.
func formerValue(ids []string, older map[string]brain.Memory) string {
	var latest *brain.Memory
	for _, id := range ids {
		if o, ok := older[id]; ok && (latest == nil || o.Created.After(latest.Created)) {
			latest = &o
		}
	}
	if latest == nil {
		return ""
	}
	return plaintext.Shorten(brain.StatementOf(latest).Title, maxFormer)
}
