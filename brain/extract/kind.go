package extract

import (
	"slices"
	"time"
)

// Kind is the kind of a memory. It is also the type word of the outcome that the
// memory becomes in a daily note.
type Kind string

// The kinds, as they are written in notes.
const (
	Decision   Kind = "decision"   // something was chosen
	Preference Kind = "preference" // how somebody wants things done from now on
	Lesson     Kind = "lesson"     // what was learned: cause and rule
	Fact       Kind = "fact"       // a value about the project, its people or its environment
	Commitment Kind = "commitment" // somebody took on a piece of work
	Person     Kind = "person"     // who somebody is
)

// Kinds returns all kinds.
func Kinds() []Kind { return []Kind{Decision, Preference, Lesson, Fact, Commitment, Person} }

// Known reports whether k is one of Kinds.
func (k Kind) Known() bool { return slices.Contains(Kinds(), k) }

// Item is a statement worth keeping.
type Item struct {
	Kind     Kind      `json:"type"`
	Title    string    `json:"title"` // the statement on one line, at most 100 characters
	Quote    string    `json:"quote"` // the sentence as it was said, byte for byte
	Strength float64   `json:"-"`     // the evidence that it is worth keeping: log-odds, more than 0
	At       time.Time `json:"at"`
	Session  string    `json:"session"`
	Speaker  Speaker   `json:"speaker"`
	Place    string    `json:"place"` // of the turn
}
