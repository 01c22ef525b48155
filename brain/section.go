package brain

import "time"

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
