package brain

// Verdict is a user's opinion of a memory.
type Verdict string

// The verdicts.
const (
	Helpful    Verdict = "helpful"
	NotHelpful Verdict = "notHelpful"
	Unsure     Verdict = "unsure"
)

// UseEvent is something that was done with a memory.
type UseEvent struct {
	Kind    string  `json:"kind"` // boost, access, recall, session, confirm, or a verdict
	Memory  string  `json:"memory"`
	Session string  `json:"session"`
	Context string  `json:"context,omitempty"`
	Energy  float64 `json:"energy,omitempty"` // added
	// Order orders events of one instant: the number of touches of the memory,
	// including this one.
	Order int `json:"order,omitempty"`
}
