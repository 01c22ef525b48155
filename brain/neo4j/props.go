package neo4j

import (
	"slices"
	"time"

	"github.com/brainbridge/brainbridge/brain"
)

// maxKey is the maximum length of an indexed text in bytes: the server refuses a
// write with more than about 8 kB in an index.
const maxKey = 4096

// maxBrain is the maximum length of the name of a brain, which is in every index.
const maxBrain = 255

// props are the properties of a node.
type props map[string]any

// text returns the value of a property, nil for "".
func text(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// instant returns the value of a property, nil for the zero time. It is always in
// UTC: two times of one instant in different zones are not equal in Cypher.
func instant(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return milliseconds(t)
}

// milliseconds returns a time as it is stored, also the zero one.
func milliseconds(t time.Time) time.Time { return t.UTC().Truncate(time.Millisecond) }

// checkKeys returns an error for texts that are too long for an index.
func checkKeys(what, id string, keys ...string) error {
	if id == "" {
		return brain.Errorf(brain.ErrInvalid, "", "a %s without an id cannot be stored", what)
	}
	for _, k := range append(keys, id) {
		if len(k) > maxKey {
			return brain.Errorf(brain.ErrInvalid, "", "%s %.60s: a key of %d bytes is longer than %d", what, id, len(k), maxKey)
		}
	}
	return nil
}

// groupKey returns the form in which a project or a type is indexed: itself, or its hash if
// it is long.
func groupKey(s string) string {
	const longest = 256
	if len(s) <= longest {
		return s
	}
	return hashKey(s)
}

// hashKey returns one short key for several texts of any length. Neo4j stores a
// text of 32 hexadecimal digits inside the node, one of 64 elsewhere.
func hashKey(parts ...string) string {
	return brain.Hash(parts...)[:32]
}

// lookupKey returns the form in which a key is indexed, nil for none.
func lookupKey(key string) any {
	if key == "" {
		return nil
	}
	return hashKey(key)
}

// lookupKeys returns what distinct keys are indexed by, in their order.
func lookupKeys(keys []string) []string {
	return brain.Unique(brain.Map(keys, func(k string) string { return hashKey(k) }))
}

// sortedSet returns the distinct values in order.
func sortedSet(values []string) []string {
	return slices.Compact(slices.Sorted(slices.Values(values)))
}
