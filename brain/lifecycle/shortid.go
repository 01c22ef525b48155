package lifecycle

import (
	"slices"
	"strings"

	"github.com/brainbridge/brainbridge/brain"
)

// ShortIDs returns for each id the shortest prefix of at least six characters, besides
// the prefix of test memories, that no other id of the brain has.
func ShortIDs(r brain.MemoryReader, ids ...string) (map[string]string, error) {
	const shortest = 6
	short := make(map[string]string, len(ids))
	left := brain.Unique(ids)
	for length := shortest; len(left) > 0; length++ {
		prefixes := make([]string, len(left))
		for i, id := range left {
			n := length
			if brain.IsTest(id) {
				n += len(brain.TestPrefix)
			}
			prefixes[i] = id[:min(len(id), n)]
		}
		found, err := r.Matching(2, brain.Unique(prefixes)...)
		if err != nil {
			return nil, err
		}
		var longer []string
		for i, id := range left {
			other := func(known string) bool { return known != id && strings.HasPrefix(known, prefixes[i]) }
			if prefixes[i] != id && slices.ContainsFunc(found, other) {
				longer = append(longer, id)
			} else {
				short[id] = prefixes[i]
			}
		}
		left = longer
	}
	return short, nil
}
