package brain

import (
	"time"

	"github.com/brainbridge/brainbridge/brain/plaintext"
	"github.com/brainbridge/brainbridge/tiers"
)

// View is a memory as every adapter shows it; its JSON keys are a contract. Energy is the
// current energy, and a memory past its expiry has the tier expired.
type View struct {
	ID           string      `json:"id"`
	Name         string      `json:"name"`
	MemoryType   string      `json:"memoryType"`
	Tier         *tiers.Tier `json:"tier"`   // null for a section
	Energy       *float64    `json:"energy"` // null for a section
	Content      string      `json:"content"`
	Created      time.Time   `json:"created"`
	Date         string      `json:"date"` // YYYY-MM-DD of its note or, without one, of its creation
	LastAccessed *time.Time  `json:"lastAccessed"`
	LastDecay    *time.Time  `json:"lastDecay"`
	ExpiresAt    *time.Time  `json:"expiresAt"`
	AccessCount  int         `json:"accessCount"`
	Importance   Importance  `json:"importance"`
	Project      OrNull      `json:"project"`
	Tags         []string    `json:"tags"`
	IsTest       bool        `json:"isTest"`
	ValidFrom    *time.Time  `json:"validFrom"`
	ValidTo      *time.Time  `json:"validTo"`
	Source       *Place      `json:"source"`
	// UseCount counts verdicts, boosts and openings. Confirmations counts how often it was
	// captured again.
	UseCount      int `json:"useCount"`
	Confirmations int `json:"confirmations"`
	// Effectiveness is the share of helpful verdicts, null without verdicts. RelevanceScore
	// is its score in the relevance filter, null if the filter was not used.
	Effectiveness  *float64 `json:"effectiveness"`
	RelevanceScore *float64 `json:"relevanceScore"`
	// Done is when the reminder of the memory was done, nil for an open one.
	Done *time.Time `json:"done,omitempty"`
}

// OrNull is a text that is null in JSON if it is empty.
type OrNull string

// MarshalJSON implements [json.Marshaler].
func (t OrNull) MarshalJSON() ([]byte, error) {
	if t == "" {
		return []byte("null"), nil
	}
	return []byte(plaintext.Quote(string(t))), nil
}

// Place is the place of a text in the notes.
type Place struct {
	File string `json:"file"` // relative to the notes directory
	Line int    `json:"line"`
	// Removed says that the text is no longer there.
	Removed bool `json:"removed,omitempty"`
}
