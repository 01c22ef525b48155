package app

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/tiers"
)

// RememberRequest is a text to remember.
type RememberRequest struct {
	Content, Name, Type         string
	Severity, Origin, Retention string
	AppliesTo                   []string
	Entity                      bool // its name is unique, and it does not fade
	Gate                        bool // stored only if the relevance filter finds it worth keeping
	Explain                     bool // the answer says what the relevance filter finds
	Common                      bool // it comes up again and again
	Details
}

// RememberAnswer is the answer to a text to remember: one of its fields is set.
type RememberAnswer struct {
	Stored   *StoredAnswer
	Rejected *RejectedAnswer
}

// Document is the answer as a JSON document.
func (a RememberAnswer) Document() any {
	if a.Rejected != nil {
		return a.Rejected
	}
	return a.Stored
}

// StoredAnswer is a capture with what the relevance filter found, if that was
// asked for.
type StoredAnswer struct {
	CaptureAnswer
	Score     *float64 `json:"score,omitempty"`
	Threshold *float64 `json:"threshold,omitempty"`
	Reasons   []string `json:"reasons,omitempty"`
}

// RejectedAnswer is a text that is not worth keeping.
type RejectedAnswer struct {
	Rejected bool `json:"rejected"`
	brain.Judgement
	DryRun bool `json:"dryRun,omitempty"`
}

// Remember stores a text, or spools it while the store is away. With Gate the
// relevance filter decides, when the store is there.
func (u *UseCases) Remember(ctx context.Context, r RememberRequest) (RememberAnswer, error) {
	if err := r.check(); err != nil {
		return RememberAnswer{}, err
	}
	d, err := u.details(r.Details)
	if err != nil {
		return RememberAnswer{}, err
	}
	b, err := u.brainForCapture(ctx)
	if err != nil {
		return RememberAnswer{}, err
	}
	c, err := b.Capture.NewMemory(r.memory(), d)
	if err != nil {
		return RememberAnswer{}, err
	}
	if r.Gate || r.Explain {
		c.Gate = &brain.Gate{Common: r.Common, Keep: !r.Gate}
	}
	done, err := b.Capture.Remember(ctx, c)
	if err != nil {
		return RememberAnswer{}, err
	}
	return u.remembered(done, r.Explain), nil
}

// remembered returns the answer to a text to remember.
func (u *UseCases) remembered(done brain.Captured, explain bool) RememberAnswer {
	j := done.Judgement
	if j != nil {
		for _, w := range j.Warnings {
			u.warn(w)
		}
	}
	if j != nil && done.MemoryID == "" {
		return RememberAnswer{Rejected: &RejectedAnswer{true, *j, u.caller.DryRun}}
	}
	stored := StoredAnswer{CaptureAnswer: u.captured(done)}
	if j != nil && explain {
		stored.Score, stored.Threshold, stored.Reasons = &j.Score, &j.Threshold, j.Reasons
	}
	return RememberAnswer{Stored: &stored}
}

func (r RememberRequest) memory() brain.Memory {
	m := brain.Memory{
		Content: r.Content, Name: r.Name, MemoryType: strings.TrimSpace(r.Type),
		Severity: r.Severity, Origin: r.Origin, AppliesTo: r.AppliesTo, Retention: r.Retention,
	}
	m.Entity = r.Entity
	return m
}

// IsType reports whether a memory may have a type of that name.
func IsType(name string) bool { return strings.TrimSpace(name) != "" && brain.IsWord(name, 64) }

func (r RememberRequest) check() error {
	if r.Entity && strings.TrimSpace(r.Name) == "" {
		return invalid("give it a name", "an entity needs a name")
	}
	if r.Type != "" && !IsType(r.Type) {
		return invalid("use a word such as note, decision or preference", "a memory cannot have the type %.40q", r.Type)
	}
	var severity error
	if !r.Gate { // else the relevance filter warns, and counts 0 for it
		severity = oneOf("severity", r.Severity, "critical", "high", "medium", "low")
	}
	return cmp.Or(severity,
		oneOf("origin", r.Origin, "mistake", "failure", "feedback"),
		oneOf("retention", r.Retention, "core", "permanent", "temporary"))
}

// oneOf refuses a value that is not one of the known ones. An empty value is fine.
func oneOf(field, value string, known ...string) error {
	if value == "" || slices.Contains(known, value) {
		return nil
	}
	last := len(known) - 1
	return invalid("use "+strings.Join(known[:last], ", ")+" or "+known[last], "%s cannot be %q", field, value)
}

// TestMemoryRequest is a test memory to make.
type TestMemoryRequest struct {
	Content string
	Energy  *float64      // nil: as of a new memory
	Tier    tiers.Tier    // "": as of a new memory
	Age     time.Duration // since it got its energy
	Details
}

// MakeTest stores a test memory in the state that is asked for.
func (u *UseCases) MakeTest(ctx context.Context, r TestMemoryRequest) (CaptureAnswer, error) {
	d, err := u.details(r.Details)
	if err != nil {
		return CaptureAnswer{}, err
	}
	if r.Tier != "" && !r.Tier.Live() {
		return CaptureAnswer{}, invalid("use working, shortTerm, longTerm or core", "a memory cannot begin in tier %s", r.Tier)
	}
	b, err := u.brainForCapture(ctx)
	if err != nil {
		return CaptureAnswer{}, err
	}
	c, err := b.Capture.NewMemory(brain.Memory{Content: r.Content, MemoryType: "test"}, d)
	if err != nil {
		return CaptureAnswer{}, err
	}
	c.Energy = r.Energy
	if r.Tier != "" {
		c.Memory.Tier = r.Tier
	}
	if r.Age > 0 {
		c.Memory.Created = brain.Instant(c.At.Add(-r.Age))
		c.Memory.LastDecay = c.Memory.Created
	}
	done, err := b.Capture.Remember(ctx, c)
	return u.captured(done), err
}
