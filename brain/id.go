package brain

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/brainbridge/brainbridge/brain/words"
)

// TestPrefix begins every id in a brain of test memories, see [IsTest].
const TestPrefix = "test_"

// NewID returns a random UUID.
func NewID() string { return uuid.NewString() }

// NewIDLike returns a random UUID with the prefix of another id: the id of a
// new node in the same brain.
func NewIDLike(id string) string { return IDLike(id, NewID()) }

// IDLike returns a UUID with the prefix of another id.
func IDLike(other, uuid string) string {
	if IsTest(other) {
		return TestPrefix + uuid
	}
	return uuid
}

// IsTest reports whether an id is one of a brain of test memories.
func IsTest(id string) bool { return strings.HasPrefix(id, TestPrefix) }

// ShortID returns the beginning of an id, as answers show it. Commands and tools accept it.
func ShortID[T ~string](id T) string {
	bare := strings.TrimPrefix(string(id), TestPrefix)
	return string(id[:len(id)-len(bare)+min(8, len(bare))])
}

// OwnsID reports whether an id is the prefix followed by a UUID.
func OwnsID(prefix, id string) bool {
	bare, ok := strings.CutPrefix(id, prefix)
	parsed, err := uuid.Parse(bare)
	return ok && err == nil && parsed.String() == bare
}

// OutcomeMemoryID returns the id of the first memory of a captured outcome. It is derived
// from the id of the outcome, so that a note and a spooled capture of the same outcome have
// the same one.
func OutcomeMemoryID(sourceID string) string {
	return IDLike(sourceID, UUIDOf("memory of "+sourceID))
}

// UUIDOf derives a UUID from a text, in the form of version 4.
func UUIDOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	id, err := uuid.FromBytes(sum[:16])
	if err != nil {
		panic(err) // 16 bytes always make a UUID
	}
	id[6], id[8] = id[6]&0x0f|0x40, id[8]&0x3f|0x80
	return id.String()
}

// Hash returns the SHA-256 of its parts, each followed by a NUL byte, in hexadecimal. All
// stored keys have this form.
func Hash(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		h.Write([]byte(p))
		h.Write([]byte{0})
	}
	return hex.EncodeToString(h.Sum(nil))
}

// NameKey is the key that a name is looked up by: case, blanks and Unicode
// form do not matter.
func NameKey(name string) string { return Hash("name", words.Key(name)) }

// EntityKey is the key that keeps the name of an entity unique: letter for
// letter.
func EntityKey(name string) string { return Hash("entity", name) }

// Instant returns t as the graph stores it: in UTC and milliseconds. Zero stays zero.
func Instant(t time.Time) time.Time {
	if t.IsZero() {
		return time.Time{}
	}
	return time.UnixMilli(t.UnixMilli()).UTC()
}

// Later returns the later of two instants.
func Later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// Day is the length of a day in settings and rules: 24 hours in any time zone.
const Day = 24 * time.Hour
