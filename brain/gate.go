package brain

import "time"

// Gate asks for the relevance filter.
type Gate struct {
	Common bool `json:"common,omitempty"` // the caller says that it comes up often
	// Keep stores the text whatever its score.
	Keep bool `json:"keep,omitempty"`
}

// Judgement is the result of the relevance filter for a text.
type Judgement struct {
	Score     float64  `json:"score"`
	Threshold float64  `json:"threshold"` // the minimum score for storing it
	Reasons   []string `json:"reasons"`
	Warnings  []string `json:"warnings,omitempty"`
	// DuplicateOf is the id of a memory that says the same, "" for none.
	DuplicateOf string `json:"duplicateOf,omitempty"`
}

// Rejected reports whether the text is not worth keeping.
func (j Judgement) Rejected() bool { return j.DuplicateOf != "" || j.Score < j.Threshold }

// Rejection is a capture that was not stored.
type Rejection struct {
	ID    string    `json:"id"` // the id that the memory would have had
	At    time.Time `json:"at"`
	Name  string    `json:"name"` // the beginning of its text
	Cause string    `json:"cause"`
	Judgement
}

// RejectionsKept is the number of rejections that are stored for review. All are
// counted.
const RejectionsKept = 200
