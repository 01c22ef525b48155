package brain

import "time"

// SourceKind is the label of a source node.
type SourceKind string

// The kinds of sources.
const (
	Crystallization SourceKind = "Crystallization"
	Learning        SourceKind = "Learning"
	Reminder        SourceKind = "Reminder"
	Activity        SourceKind = "Activity"
	Outcome         SourceKind = "Outcome"
)

// Source is the node that a memory was captured from, joined to it by
// HAS_MEMORY. Which fields are set follows from Kind.
type Source struct {
	ID      string     `json:"id"`
	Kind    SourceKind `json:"kind"`
	Created time.Time  `json:"created"`
	Project string     `json:"project,omitempty"`
	Tags    []string   `json:"tags,omitempty"`

	Trigger string `json:"trigger,omitempty"` // Crystallization
	Insight string `json:"insight,omitempty"`

	Concept string `json:"concept,omitempty"` // Learning
	Learned string `json:"learned,omitempty"`

	Text string    `json:"text,omitempty"` // Reminder
	Due  time.Time `json:"due,omitzero"`
	Done time.Time `json:"done,omitzero"` // zero while it is open

	Type        string `json:"type,omitempty"` // Activity, Outcome
	Description string `json:"description,omitempty"`

	Date       string     `json:"date,omitempty"` // Outcome: YYYY-MM-DD in notes.timezone
	Time       string     `json:"time,omitempty"` // HH:MM or HH:MM:SS, empty for a bullet
	Title      string     `json:"title,omitempty"`
	Importance Importance `json:"importance,omitempty"`
	Body       string     `json:"body,omitempty"`
	File       string     `json:"file,omitempty"` // relative to the notes directory, with slashes
	Line       int        `json:"line,omitempty"` // from 1
	BodyHash   string     `json:"bodyHash,omitempty"`
	TitleKey   string     `json:"titleKey,omitempty"` // hash of the normalised title

	// Key is the hash of the identity of an outcome within its notes
	// directory; the database keeps it unique within the brain.
	Key string `json:"key,omitempty"`
	// Dir is the id of the notes directory that the outcome was read from.
	Dir string `json:"dir,omitempty"`
	// Removed is the time at which the outcome was found to be missing in its file.
	Removed time.Time `json:"removed,omitzero"`
}

// Words returns the words of a source: its text, after its title.
func (s Source) Words() string {
	switch s.Kind {
	case Crystallization:
		return s.Trigger + ": " + s.Insight
	case Learning:
		return s.Concept + ": " + s.Learned
	case Reminder:
		return s.Text
	case Activity:
		return s.Type + ": " + s.Description
	}
	return s.Type + ": " + s.Title
}
