package health

import (
	"context"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/consolidate"
	"github.com/brainbridge/brainbridge/brain/forget"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/tiers"
)

// Read reads the facts that are in the store. The caller adds those of the machine (daemon,
// spool, size, backups) and the days of silence. Read writes nothing.
func Read(ctx context.Context, b *services.Services) (f Facts, err error) {
	defer func() { err = brain.Wrap(err, "check the health of the brain") }()
	f.Now = b.Base.Now()
	numbers, err := b.Base.Numbers(ctx)
	if err != nil {
		return f, err
	}
	scope := forget.Scope{Now: f.Now, Numbers: numbers.Forget, Entities: true}
	f.Editable = b.Base.Store.Info().Editable
	f.Survey, f.Wrong, err = survey(ctx, b, f.Now, func(page []brain.Memory) error {
		found, err := b.Forget.Among(ctx, scope, page)
		f.Forgettable += len(found)
		return err
	})
	if err != nil {
		return f, err
	}
	invalid, err := b.Base.InvalidNumbers(ctx)
	if err != nil {
		return f, err
	}
	for _, why := range invalid {
		f.Wrong = append(f.Wrong, "the ConsolidationConfig has a number that cannot be used: "+why)
	}
	if f.LastCapture, err = lifecycle.Read(ctx, b.Base, lastCapture); err != nil {
		return f, err
	}
	items, err := b.Review.Reviews(ctx, brain.ReviewPending)
	if err != nil {
		return f, err
	}
	f.Review, f.Duplicates, f.MaxLive = len(items), len(merges(items)), numbers.MaxMemories
	triggers, err := consolidate.ReadTriggers(ctx, b.Base, numbers)
	f.LastRun = triggers.Last.At
	return f, err
}

// lastCapture returns the time of the latest capture; zero for never. Of memories without a
// source it reads only the strongest of each tier, which include new ones.
func lastCapture(r brain.Reader) (time.Time, error) {
	const newestPage = 50 // memories of each list
	source, err := brain.First(r.ListSources(brain.SourceFilter{Limit: 1}))
	last := source.Created
	var newest []brain.ListFilter
	for _, t := range tiers.All() {
		if t.Current() {
			newest = append(newest, lifecycle.WithDue(brain.ListFilter{Tier: t, Limit: newestPage})...)
		}
	}
	for _, m := range lifecycle.Get(&err, r.ListMemories, newest...) {
		last = brain.Later(last, m.Created)
	}
	return last, err
}
