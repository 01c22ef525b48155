package brain

import (
	"context"
	"fmt"
	"time"
)

// Begun reports whether anything was ever stored under the name of this brain.
// It is a few reads, whatever the brain holds.
func (b *Brain) Begun(ctx context.Context) (bool, error) {
	begun := false
	now := b.Now()
	err := b.store.View(ctx, func(r Reader) error {
		var err error
		begun, err = anything(r, now)
		return err
	})
	if err != nil {
		return false, fmt.Errorf("look whether brain %s was begun: %w", b.store.Info().Brain, err)
	}
	return begun, nil
}

func anything(r Reader, now time.Time) (bool, error) {
	counts, err := r.Counts(now)
	if err != nil || counts.Tests > 0 {
		return err == nil, err
	}
	for _, n := range counts.ByTier {
		if n > 0 {
			return true, nil
		}
	}
	for _, kind := range RecordKinds() {
		recs, err := r.LatestRecords(kind, time.Time{}, 1)
		if err != nil || len(recs) > 0 {
			return err == nil, err
		}
	}
	for _, tests := range []bool{false, true} {
		found, err := r.ListSources(SourceFilter{Tests: tests, Limit: 1})
		if err != nil || len(found) > 0 {
			return err == nil, err
		}
	}
	return false, nil
}

// beginningJob is the mark of a brain that was set up and holds nothing yet.
const beginningJob = "beginning"

// Begin marks the brain as set up, so that it is there before it holds
// anything. Doing it twice changes nothing.
func (b *Brain) Begin(ctx context.Context) error {
	begun, err := b.Begun(ctx)
	if err != nil || begun {
		return err
	}
	return b.FinishJob(ctx, beginningJob, b.Now())
}
