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
	if f.Survey, err = survey(ctx, b, f.Now); err != nil {
		return f, err
	}
	if f.OldResearch, err = b.Base.Memories(ctx, f.Outdated...); err != nil {
		return f, err
	}
	if f.LastCapture, err = lifecycle.Read(ctx, b.Base, lastCapture); err != nil {
		return f, err
	}
	numbers, err := b.Base.Numbers(ctx)
	if err != nil {
		return f, err
	}
	if f.Forgettable, err = forgettable(ctx, b, numbers.Forget, f.Now); err != nil {
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

// survey surveys the store. Core memory need not be used, so it is never stale.
func survey(ctx context.Context, b *services.Services, now time.Time) (brain.Survey, error) {
	stale := now.Add(-StaleDays * brain.Day)
	s, err := lifecycle.Read(ctx, b.Base, func(r brain.Reader) (brain.Survey, error) { return r.Survey(now, stale) })
	if err != nil {
		return s, err
	}
	core, err := b.Core.Memories(ctx)
	for i := range core {
		if at := core[i].IdleSince(); !at.IsZero() && at.Before(stale) {
			s.Stale--
		}
	}
	s.Stale = max(0, s.Stale)
	return s, err
}

// forgettable counts what a person's run may forget, up to [MaxForgettable].
func forgettable(ctx context.Context, b *services.Services, numbers tiers.ForgetNumbers, now time.Time) (int, error) {
	n := 0
	scope := forget.Scope{Now: now, Numbers: numbers, Entities: true, Page: MaxForgettable}
	for page, err := range b.Forget.Candidates(ctx, scope) {
		if err != nil {
			return 0, err
		}
		if n += len(page); n >= MaxForgettable {
			return MaxForgettable, nil
		}
	}
	return n, nil
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
