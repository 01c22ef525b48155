package brain

import (
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/brainbridge/brainbridge/tiers"
)

// Capture is one thing to remember, complete with its ids and the instant of
// its capture, so that storing it later, or twice, comes to the same.
type Capture struct {
	Source *Source `json:"source,omitempty"` // nil: there is no source node
	Memory *Memory `json:"memory,omitempty"` // nil: an activity has none
	// Energy is the initial energy; nil: what the lifecycle numbers give.
	Energy *float64  `json:"energy,omitempty"`
	Relate []Relate  `json:"relate,omitempty"`
	At     time.Time `json:"at"`
	// Redacted is the number of secrets redacted from it.
	Redacted int `json:"redacted,omitempty"`
	// Gate lets the relevance filter decide; nil: it is stored, whatever it says.
	Gate *Gate `json:"gate,omitempty"`
}

// Details are the optional fields of every kind of capture.
type Details struct {
	Project    string
	Tags       []string
	Importance Importance
	Relate     []Relate
}

// Captured is the answer to a capture.
type Captured struct {
	Kind     string // of the source, or type of the memory
	Title    string
	SourceID string // "" where there is no source node
	MemoryID string // "" for an activity, and if the relevance filter rejected it
	// Tier and Energy are those of now; the zero values for what is not stored yet.
	Tier   tiers.Tier
	Energy float64
	// EchoOf is the memory that the capture only repeats, which is why it was
	// not stored; MemoryID is the same then.
	EchoOf string
	// DiffersFrom are older memories that claim something else about the subject.
	DiffersFrom []Memory
	// Judgement is that of the relevance filter, nil if it was not asked.
	Judgement *Judgement
	// Away says why the capture waits in the spool; nil if it does not.
	Away error
}

// CleanTags trims tags, drops a leading # and empty and double ones. Blanks and
// commas within one become hyphens, as in a note, where they part tags.
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

// Relate is a relation from a memory that is being captured.
type Relate struct {
	Type string `json:"type"`
	To   string `json:"to"` // id, or a unique prefix
}

// CheckDetails returns [ErrInvalid] if details cannot be stored with a capture.
func CheckDetails(d Details) error {
	switch d.Importance {
	case "", Critical, Important, Reference:
	default:
		return Errorf(ErrInvalid, "use critical, important or reference", "there is no importance %q", d.Importance)
	}
	for _, r := range d.Relate {
		if err := CheckRelationType(r.Type); err != nil {
			return err
		}
	}
	for _, tag := range append(slices.Clip(d.Tags), d.Project) {
		if !IsWord(tag, MaxName) {
			return Errorf(ErrInvalid, "use a short word", "%.40q is no tag or project", tag)
		}
	}
	return nil
}
