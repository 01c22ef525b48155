package storetest

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/tiers"
)

// Start is the instant at which the nodes of the builders were captured. Its milliseconds
// reveal a store that drops them.
var Start = time.Date(2026, 3, 1, 9, 30, 15, 123e6, time.UTC)

// Hours returns the instant h hours after [Start].
func Hours(h float64) time.Time {
	return Start.Add(time.Duration(h * float64(time.Hour))).Truncate(time.Millisecond)
}

// Hash returns a hash of s, for fields that hold one.
func Hash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}

// NewID returns a random id.
func NewID() string { return uuid.NewString() }

// Memory returns a live memory in working with a random id, as a capture of
// content at [Start] makes it, changed by the options.
func Memory(content string, options ...func(*brain.Memory)) brain.Memory {
	id := NewID()
	m := brain.Memory{
		ID: id, Name: "name", Content: content, MemoryType: "note",
		NameKey: Hash("name"), ContentHash: Hash(content), Importance: brain.Important,
		State: tiers.State{
			Tier: tiers.Working, Energy: 1, PeakEnergy: 1, LastDecay: Start,
			Base: 1, BaseAt: Start, ExpiresAt: Hours(4.5), ValidFrom: Start,
		},
		Created: Start, AccessCount: 1, Version: 1,
	}
	for _, o := range options {
		o(&m)
	}
	return m
}

// InTier puts a memory into a tier.
func InTier(t tiers.Tier) func(*brain.Memory) {
	return func(m *brain.Memory) { m.Tier = t }
}

// Expiring sets when a memory expires; zero is never.
func Expiring(at time.Time) func(*brain.Memory) {
	return func(m *brain.Memory) { m.ExpiresAt = at }
}

// Entity makes a memory the entity of that name.
func Entity(name string) func(*brain.Memory) {
	return func(m *brain.Memory) {
		m.Name, m.NameKey, m.EntityKey = name, Hash(name), Hash(name)
		m.Tier = tiers.LongTerm
		m.Entity = true
		m.ExpiresAt = time.Time{}
	}
}

// Source returns a source of that kind with the fields that the kind has.
func Source(kind brain.SourceKind) brain.Source {
	s := brain.Source{
		ID: NewID(), Kind: kind, Created: Start,
		Project: "atlas", Tags: []string{"go", "dark mode"},
	}
	switch kind {
	case brain.Crystallization:
		s.Trigger, s.Insight = "a trigger", "an insight\nof two lines"
	case brain.Learning:
		s.Concept, s.Learned = "a concept", "what was learned"
	case brain.Reminder:
		s.Text, s.Due, s.Done = "call back", Hours(24), Hours(25)
	case brain.Activity:
		s.Type, s.Description = "build", "built it"
	case brain.Outcome:
		fillOutcome(&s)
	}
	return s
}

func fillOutcome(s *brain.Source) {
	s.Date, s.Time, s.Type, s.Title = "2026-03-01", "10:30", "decision", "Title of "+s.ID
	s.Importance, s.Body = brain.Critical, "the body"
	s.File, s.Line, s.Dir = "2026/03-01.md", 12, "dir-one"
	s.BodyHash, s.TitleKey, s.Key = Hash(s.Body), Hash(s.Title), Hash(s.ID)
	s.Removed = Hours(48)
}

// OutcomeAt returns an outcome that is still in its file.
func OutcomeAt(dir, file string, line int) brain.Source {
	s := Source(brain.Outcome)
	s.Dir, s.File, s.Line, s.Removed = dir, file, line, time.Time{}
	return s
}

// Section returns a section of a notes file.
func Section(dir, file string, line int, text string) brain.Section {
	key := fmt.Sprint(dir, "|", file, "|", line, "|", uuid.NewString())
	return brain.Section{
		ID: NewID(), Key: Hash(key), Dir: dir, File: file, Heading: "heading",
		Line: line, Group: file, Position: line + 1, Text: text, Hash: Hash(text), Modified: Start,
	}
}

// Talk makes a section one of a transcript.
func Talk(s brain.Section) brain.Section {
	s.Transcript = true
	return s
}

// Record returns a record with a body of several kinds of values.
func Record(kind brain.RecordKind, owner, key string, at time.Time) brain.Record {
	return brain.Record{
		Kind: kind, ID: NewID(), Owner: owner, Key: key, At: at,
		Body: json.RawMessage(`{"text":"a \"b\"\nc — é","n":9007199254740993,"f":0.25,"words":"w","talk":"t",` +
			`"yes":true,"none":null,"list":[1,"x",{"deep":[]}],"map":{"a":{"b":1}}}`),
	}
}

// Memories returns n memories with the same content.
func Memories(n int, content string, options ...func(*brain.Memory)) []brain.Memory {
	ms := make([]brain.Memory, n)
	for i := range ms {
		ms[i] = Memory(content, options...)
	}
	return ms
}
