package brain

import (
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/brainbridge/brainbridge/tiers"
)

// Capture is one thing to remember, complete with its ids and its time, so that storing
// it later or twice has the same result.
type Capture struct {
	Source *Source `json:"source,omitempty"` // nil: no source node
	Memory *Memory `json:"memory,omitempty"` // nil: an activity has none
	// Energy is the initial energy; nil: the default of the lifecycle numbers.
	Energy *float64      `json:"energy,omitempty"`
	Relate []NewRelation `json:"relate,omitempty"`
	At     time.Time     `json:"at"`
	// Replaces are ids of memories that the captured one holds instead of.
	Replaces []string `json:"replaces,omitempty"`
	// LookUp asks for similar memories, by words and by Vector, if that is set. Vector is that of
	// the text of the memory, and is stored with it.
	LookUp bool   `json:"-"`
	Vector Vector `json:"-"`
	// Redacted is the number of secrets redacted from it.
	Redacted int `json:"redacted,omitempty"`
	// Gate asks the relevance filter whether to store it; nil: it is stored.
	Gate *Gate `json:"gate,omitempty"`
}

// Details are the optional fields of every kind of capture.
type Details struct {
	Project    string
	Tags       []string
	Importance Importance
	Relate     []NewRelation
	Replaces   []string
}

// Captured is the answer to a capture.
type Captured struct {
	Kind     string // of the source, or type of the memory
	Title    string
	SourceID string // "" if there is no source node
	MemoryID string // "" for an activity, and if the relevance filter rejected it
	// Tier and Energy are the current ones; zero if the capture is not stored yet.
	Tier   tiers.Tier
	Energy float64
	// Known is the id of the memory that says the same; if set, MemoryID is the same id.
	Known string
	// Similar are memories that may be about the same subject, nearest first.
	Similar []Memory
	// Replaced are the ids of the memories that it replaced, in the run RunID.
	Replaced []string
	RunID    string
	// Judgement is the result of the relevance filter; nil if it was not used.
	Judgement *Judgement
	// SpooledFor is the reason why the capture waits in the spool; nil if it is stored.
	SpooledFor error
}

// CleanTags trims tags and removes a leading #, empty tags and duplicates. Blanks and
// commas inside a tag become hyphens, because they separate tags in a note.
func CleanTags(tags []string) []string {
	var clean []string
	seen := map[string]bool{}
	for _, t := range tags {
		t = strings.TrimPrefix(strings.TrimSpace(t), "#")
		t = strings.Join(strings.FieldsFunc(t, func(r rune) bool { return r == ',' || unicode.IsSpace(r) }), "-")
		if t != "" && !seen[t] {
			seen[t] = true
			clean = append(clean, t)
		}
	}
	return clean
}

// NewRelation is a relation to create from the captured memory.
type NewRelation struct {
	Type string `json:"type"`
	To   string `json:"to"` // id, or a unique prefix
}

// CheckDetails returns [ErrInvalid] if details cannot be stored with a capture.
func CheckDetails(d Details) error {
	switch d.Importance {
	case "", Critical, Important, Reference:
	default:
		return Errorf(ErrInvalid, "use critical, important or reference", "%q is not an importance", d.Importance)
	}
	for _, r := range d.Relate {
		if err := CheckRelationType(r.Type); err != nil {
			return err
		}
	}
	for _, tag := range append(slices.Clip(d.Tags), d.Project) {
		if !IsWord(tag, MaxName) {
			return Errorf(ErrInvalid, "use a short word", "%.40q is not valid as a tag or project", tag)
		}
	}
	return nil
}

// Gate are the options of the relevance filter.
type Gate struct {
	Common bool `json:"common,omitempty"` // the caller says that the topic comes up often
	// Keep stores the text even if its score is too low.
	Keep bool `json:"keep,omitempty"`
}

// Judgement is the result of the relevance filter for a text.
type Judgement struct {
	Score     float64  `json:"score"`
	Threshold float64  `json:"threshold"` // the minimum score for storing it
	Reasons   []string `json:"reasons"`
	Warnings  []string `json:"warnings,omitempty"`
	// DuplicateOf is the id of a memory that says the same, "" for none. Known says that it
	// does so in the same words.
	DuplicateOf string `json:"duplicateOf,omitempty"`
	Known       bool   `json:"-"`
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

// RejectionsKept is the number of rejections that are stored for review; tallies count all
// of them.
const RejectionsKept = 200
