package app

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/config"
	"github.com/brainbridge/brainbridge/tiers"
)

// StatusWithTests is Status with the number of test memories beside this brain.
func (u *UseCases) StatusWithTests(ctx context.Context) (StatusAnswer, error) {
	a, err := u.Status(ctx)
	if err == nil && !u.app.Settings.Test {
		a.Tests, err = u.countTests(ctx)
		a.WithTests = true
	}
	return a, err
}

// countTests returns the number of live and expired test memories beside this brain. It does
// not create their brain.
func (u *UseCases) countTests(ctx context.Context) (n int, err error) {
	settings, err := u.app.Settings.ForTests()
	if err != nil {
		return 0, err
	}
	where, err := config.ParseStore(settings.Config.Store)
	if err != nil {
		return 0, err
	}
	o := u.app.Options
	o.Settings = settings
	s, err := openAt(ctx, o, where, settings.StoredBrain(), u.patience, brain.Watch{})
	if err != nil {
		if errors.Is(err, brain.ErrNotFound) {
			err = nil
		}
		return 0, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	status, err := services.New(s, services.Options{Now: u.app.Now, IDPrefix: brain.TestPrefix}).Recall.Status(ctx)
	return status.Total, err
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
	c.Memory.Tier = cmp.Or(r.Tier, c.Memory.Tier)
	if r.Age > 0 {
		c.Memory.Created = brain.Instant(c.At.Add(-r.Age))
		c.Memory.LastDecay = c.Memory.Created
	}
	done, err := b.Capture.Capture(ctx, c)
	return u.captured(done), err
}
