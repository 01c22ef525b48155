package brain

import (
	"cmp"
	"slices"
	"time"
)

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

// SourceKinds lists every kind of source.
func SourceKinds() []SourceKind {
	return []SourceKind{Crystallization, Learning, Reminder, Activity, Outcome}
}

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

	Type        string `json:"type,omitempty"`        // Activity, Outcome
	Description string `json:"description,omitempty"` // Activity; of a bullet or task of a note: the heading above it; of an outcome: the word for its type in the note, if that is another

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

// SectionType is the name of sections in lists of memory types.
const SectionType = "section"

// Section is a text that can be recalled but has no energy and no lifecycle: the part of a
// note that is not an outcome, a file in knowledge/, or a part of a transcript.
type Section struct {
	ID       string `json:"id"`
	Key      string `json:"key"` // hash of directory, file, heading and ordinal; unique within the brain
	Dir      string `json:"dir"`
	File     string `json:"file"`
	Heading  string `json:"heading"`
	Line     int    `json:"line"`
	Group    string `json:"group"`
	Position int    `json:"position"`
	Text     string `json:"text"`
	Project  string `json:"project,omitempty"`
	Hash     string `json:"hash"`
	// Modified is the start of the day that the note is about; if the note has no date, the
	// time at which the file was modified.
	Modified time.Time `json:"modified"`
	// Transcript marks a section of a transcript. Only searches that include transcripts
	// find it.
	Transcript bool `json:"transcript,omitempty"`
}

// Problem is something in a file that a person should check.
type Problem struct {
	File    string `json:"file"` // relative to the folder that was read
	Line    int    `json:"line"` // 0 if it concerns the whole file
	Message string `json:"message"`
}

// SortProblems sorts by file, line and message.
func SortProblems(all []Problem) {
	slices.SortStableFunc(all, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Message, b.Message))
	})
}
