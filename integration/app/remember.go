package app

import (
	"context"
	"strings"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/capture"
	"github.com/brainbridge/brainbridge/tiers"
	"github.com/brainbridge/brainbridge/watcher/dailynote"
)

// RememberRequest is a text to remember.
type RememberRequest struct {
	Content, Name, Type         string
	Severity, Origin, Retention string
	AppliesTo                   []string
	Entity                      bool // make it an entity: unique name, no decay
	Gate                        bool // store it only if the relevance filter accepts it
	Explain                     bool // include the score of the relevance filter
	Common                      bool // the caller says that it comes up again and again
	Details
}

// RememberAnswer is the stored capture, or the judgement of the relevance filter that
// rejected it.
type RememberAnswer struct {
	*CaptureAnswer      // nil if it was rejected
	Rejected       bool `json:"rejected,omitempty"`
	// Judgement is set if the text was rejected, or for Explain.
	*brain.Judgement
}

// Remember stores a text, or spools it while the store is unavailable. With Gate, the
// relevance filter decides once the store is available.
func (u *UseCases) Remember(ctx context.Context, r RememberRequest) (RememberAnswer, error) {
	m := brain.Memory{
		Content: r.Content, Name: r.Name, MemoryType: r.Type,
		Severity: r.Severity, Origin: r.Origin, AppliesTo: r.AppliesTo, Retention: r.Retention, State: tiers.State{Entity: r.Entity},
	}
	if err := capture.Check(m, r.Gate); err != nil {
		return RememberAnswer{}, err
	}
	b, d, err := u.forCapture(ctx, r.Details)
	if err != nil {
		return RememberAnswer{}, err
	}
	m.MemoryType = dailynote.CanonicalType(strings.TrimSpace(r.Type))
	c, err := b.Capture.NewMemory(m, d)
	if err != nil {
		return RememberAnswer{}, err
	}
	if r.Gate || r.Explain {
		// With Explain but without Gate, the text is judged but always stored.
		c.Gate = &brain.Gate{Common: r.Common, Keep: !r.Gate}
	}
	done, err := b.Capture.Remember(ctx, c)
	if err != nil {
		return RememberAnswer{}, err
	}
	j := done.Judgement
	if j != nil {
		for _, w := range j.Warnings {
			u.warn(w)
		}
		if done.MemoryID == "" {
			return RememberAnswer{Rejected: true, Judgement: j}, nil
		}
	}
	stored := u.captured(done)
	u.suggestType(ctx, b, &stored, c.Memory.MemoryType)
	a := RememberAnswer{CaptureAnswer: &stored}
	if j != nil && r.Explain {
		a.Judgement = &brain.Judgement{Score: j.Score, Threshold: j.Threshold, Reasons: j.Reasons}
	}
	return a, nil
}

// TestMemoryRequest is a test memory to create.
type TestMemoryRequest struct {
	Content string
	Energy  *float64      // nil: that of a new memory
	Tier    tiers.Tier    // "": that of a new memory
	Age     time.Duration // time since it had that energy
	Details
}

// CreateTestMemory stores a test memory with the requested energy, tier and age.
func (u *UseCases) CreateTestMemory(ctx context.Context, r TestMemoryRequest) (CaptureAnswer, error) {
	if r.Tier != "" && !r.Tier.Live() {
		return CaptureAnswer{}, invalid("use working, shortTerm, longTerm or core", "a memory cannot start in tier %s", r.Tier)
	}
	b, d, err := u.forCapture(ctx, r.Details)
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
