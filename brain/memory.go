// Package brain is the domain of brainbridge: memories with an energy that
// fades, the sources they came from, the sections of a person's notes, the
// relations between them and the journal of everything that changed them.
//
// It holds the types and the contract of the stores, without any behaviour that
// needs a store. SQLite and Neo4j implement the contract of store.go in packages of
// their own and pass the same conformance suite.
package brain

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/brainbridge/brainbridge/brain/plaintext"
	"github.com/brainbridge/brainbridge/brain/words"
	"github.com/brainbridge/brainbridge/tiers"
)

// The limits of a memory.
const (
	// MaxName is the longest name of a memory, in characters (runes).
	MaxName = 512
	// MaxContent is the longest content of a capture, in bytes (1 MiB).
	MaxContent = 1 << 20
	// DerivedName is the length of a name that is made from the first line of the
	// content, in characters.
	DerivedName = 80
)

// Memory is one remembered thing. Its text and its source are its identity, the embedded
// [tiers.State] is its life, and the counters say how it was used. Times are UTC with
// millisecond precision; a zero time means "none". Its JSON form is that of the journal and
// the archives; programs get a [View].
type Memory struct {
	ID           string          `json:"id"`
	Name         string          `json:"name"`
	Content      string          `json:"content"`
	MemoryType   string          `json:"memoryType"`
	Tags         []string        `json:"tags,omitempty"`
	Observations []string        `json:"observations,omitempty"`
	Project      string          `json:"project,omitempty"`
	Agent        string          `json:"agent,omitempty"`
	SessionID    string          `json:"sessionId,omitempty"`
	Group        string          `json:"group,omitempty"`
	Position     int             `json:"position,omitempty"`
	SourceNodeID string          `json:"sourceNodeId,omitempty"`
	ContentHash  string          `json:"contentHash"`
	Extra        json.RawMessage `json:"extra,omitempty"`

	// NameKey is the hash of the normalised name, for lookups by name.
	NameKey string `json:"nameKey"`
	// EntityKey is the hash of the name of an entity, letter for letter, while the entity
	// is live, expired or not stored yet; otherwise it is empty. The database keeps it
	// unique within the brain.
	EntityKey string `json:"entityKey,omitempty"`

	tiers.State

	Created      time.Time `json:"created"`
	PromotedFrom string    `json:"promotedFrom,omitempty"` // id of what it was before its last promotion
	Retention    string    `json:"retention,omitempty"`    // core, permanent, temporary or none

	AccessCount     int       `json:"accessCount,omitempty"`
	RecallCount     int       `json:"recallCount,omitempty"`
	UseCount        int       `json:"useCount,omitempty"`
	HelpfulCount    int       `json:"helpfulCount,omitempty"`
	NotHelpfulCount int       `json:"notHelpfulCount,omitempty"`
	Confirmations   int       `json:"confirmations,omitempty"`
	LastAccessed    time.Time `json:"lastAccessed,omitzero"`
	LastUsed        time.Time `json:"lastUsed,omitzero"`

	Importance     Importance `json:"importance"`
	Severity       string     `json:"severity,omitempty"`
	Origin         string     `json:"origin,omitempty"`
	AppliesTo      []string   `json:"appliesTo,omitempty"`
	RelevanceScore *float64   `json:"relevanceScore,omitempty"`
	MergedFrom     []string   `json:"mergedFrom,omitempty"`
	ConsolidatedAt time.Time  `json:"consolidatedAt,omitzero"`

	// Version counts changes of text, tier, validity and relations. Touches do not change
	// it.
	Version int `json:"version"`
}

// Complete fills the fields that follow from others.
func (m *Memory) Complete() {
	if m.Entity {
		m.Content = strings.Join(m.Observations, "\n")
	}
	if !m.Entity && strings.TrimSpace(m.Name) == "" {
		m.Name = NameOf(m.Content)
	}
	m.Name = plaintext.Clip(m.Name, MaxName)
	m.NameKey = NameKey(m.Name)
	m.ContentHash = Hash(m.Name, m.Content)
	m.EntityKey = ""
	if m.Entity && (m.Tier == "" || m.Current()) {
		m.EntityKey = EntityKey(m.Name)
	}
	if m.Importance == "" {
		m.Importance = Reference
	}
}

// NameOf returns the name for a memory with this content that was not given a name.
func NameOf(content string) string {
	line := strings.TrimSpace(content)
	if i := strings.IndexAny(line, "\r\n"); i >= 0 {
		line = strings.TrimSpace(line[:i])
	}
	return plaintext.Shorten(line, DerivedName)
}

// GivenName returns the name that the memory was given, "" if its name is only the
// beginning of its content.
func (m *Memory) GivenName() string {
	if !m.Entity && m.Name == NameOf(m.Content) {
		return ""
	}
	return m.Name
}

// TextKey returns the key under which the store finds the text of a memory: the hash of its
// project, its given name and its content, without differences in case, blanks, Unicode form
// and the punctuation at the end, and without the label of a bullet ("decision: …"). Two
// current memories with one key say the same. It is "" for entities, test memories and
// punctuation alone, which are never known by their text.
func (m *Memory) TextKey() string {
	if m.Entity || IsTest(m.ID) || said(m.Content) == "" {
		return ""
	}
	name, content := said(m.GivenName()), said(m.Content)
	if label, ok := strings.CutSuffix(content, " "+name); ok && strings.HasSuffix(strings.TrimRight(label, "*_"), ":") && !strings.Contains(label, " ") {
		name, content = "", name // a bullet with its label
	}
	return Hash("text", m.Project, name, content)
}

// said returns a text in the form in which texts are compared.
func said(text string) string { return strings.TrimRight(words.Key(text), " .,;:!?…。！？") }

// Current reports whether a memory is live or expired, see [tiers.Tier.Current].
func (m *Memory) Current() bool { return m.Tier.Current() }

// CompareAge orders memories by when their texts were written, oldest first. Memories of
// the same note or file are in the order of that file; others that were written at the same
// instant compare equal.
func CompareAge(a, b *Memory) int {
	if c := a.Created.Compare(b.Created); c != 0 || a.Group != b.Group || a.Group == "" {
		return c
	}
	return cmp.Compare(a.Position, b.Position)
}

// IsCore reports whether a memory is in core.
func (m *Memory) IsCore() bool { return m.Tier == tiers.Core }

// Merged reports whether the memory of an outcome was merged with others. Edits of the
// outcome then do not apply to it.
func (m *Memory) Merged() bool { return len(m.MergedFrom) > 0 || m.Tier == tiers.Superseded }

// SetLife copies from another memory the fields that [MemoryWriter.PutLives] stores.
func (m *Memory) SetLife(from *Memory) {
	m.State, m.EntityKey, m.Version = from.State, from.EntityKey, from.Version
	m.AccessCount, m.RecallCount, m.UseCount = from.AccessCount, from.RecallCount, from.UseCount
	m.HelpfulCount, m.NotHelpfulCount, m.Confirmations = from.HelpfulCount, from.NotHelpfulCount, from.Confirmations
	m.LastAccessed, m.LastUsed = from.LastAccessed, from.LastUsed
	m.SourceNodeID, m.Group, m.Position, m.PromotedFrom = from.SourceNodeID, from.Group, from.Position, from.PromotedFrom
}

// ReleasingFirst returns memories without an entity key before those with one. So a memory
// can take over the key that another one gives up in the same write.
func ReleasingFirst(ms []Memory) []Memory {
	if !slices.ContainsFunc(ms, func(m Memory) bool { return m.EntityKey != "" }) {
		return ms
	}
	return slices.SortedStableFunc(slices.Values(ms), func(a, b Memory) int {
		return min(1, len(a.EntityKey)) - min(1, len(b.EntityKey))
	})
}

// Past turns m, which is not stored yet, into a memory that was valid from its
// creation until an instant and was then replaced.
func (m *Memory) Past(until time.Time) {
	m.State = tiers.State{Tier: tiers.Superseded, LastDecay: m.Created, ValidFrom: m.Created, ValidTo: until}
	m.EntityKey = ""
}

// Says returns the text of a memory for comparison, without its tags.
func Says(m Memory) [3]string { return [3]string{m.ContentHash, m.MemoryType, string(m.Importance)} }

// Counters returns the counters of how the memory was used.
func (m *Memory) Counters() []*int {
	return []*int{&m.AccessCount, &m.RecallCount, &m.UseCount, &m.HelpfulCount, &m.NotHelpfulCount, &m.Confirmations}
}

// IdleSince returns the time of the last use of a memory or, if it was never used, of its
// creation; zero if unknown.
func (m *Memory) IdleSince() time.Time {
	if m.LastUsed.IsZero() {
		return m.Created
	}
	return m.LastUsed
}

// Importance is how much a memory matters: one of the three words below.
type Importance string

// The three levels of importance, highest first.
const (
	Critical  Importance = "critical"
	Important Importance = "important"
	Reference Importance = "reference"
)

// Higher returns the higher one of two.
func (i Importance) Higher(other Importance) Importance {
	for _, level := range []Importance{Critical, Important} {
		if i == level || other == level {
			return level
		}
	}
	return Reference
}

// ImportanceOf converts the importance that other programs give as a number from 1 to 10.
func ImportanceOf(n float64) Importance {
	switch {
	case n >= 8:
		return Critical
	case n >= 5:
		return Important
	}
	return Reference
}

// The retentions of memories. Any other memory has an empty one.
const (
	RetainCore      = "core"
	RetainPermanent = "permanent"
	RetainTemporary = "temporary"
)

// Effectiveness is the share of helpful verdicts, nil without verdicts.
func (m *Memory) Effectiveness() *float64 {
	verdicts := m.HelpfulCount + m.NotHelpfulCount
	if verdicts <= 0 {
		return nil
	}
	share := float64(m.HelpfulCount) / float64(verdicts)
	return &share
}

// CoreOrigin is the origin of a memory that a person wrote into the core memory file. Its
// name is the key in that file.
const CoreOrigin = "core-memory"

// CoreContent converts a JSON value of core-memory.json to the content of a memory: a
// string without its quotes, anything else as it is written. A string keeps its quotes if
// it would otherwise be read as another value.
func CoreContent(raw string) string {
	var text string
	if json.Unmarshal([]byte(raw), &text) != nil || json.Valid([]byte(text)) {
		return raw
	}
	return text
}
