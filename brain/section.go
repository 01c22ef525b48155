package brain

import "time"

// SectionType stands for sections where types of memory are listed.
const SectionType = "section"

// Section is text of a note or of knowledge/ that is not an outcome, or of a
// transcript: it can be recalled, but has no energy and no lifecycle.
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
	// Modified is the beginning of the day that the note is about, if it has a date, else
	// when the file was modified.
	Modified time.Time `json:"modified"`
	// Transcript marks a section of a transcript, which only searches for transcripts
	// find.
	Transcript bool `json:"transcript,omitempty"`
}
