package health

import (
	"context"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/consolidate"
	"github.com/brainbridge/brainbridge/brain/journal"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/tiers"
)

// FullCheck is what the last check of the whole brain found on this machine.
type FullCheck struct {
	At       time.Time  `json:"at"`
	Memories int        `json:"memories"` // live and expired ones that were read
	Unusable []string   `json:"unusable"` // nodes, values and parts of the file, each with the reason
	Findings []Finding  `json:"findings"` // of the checks that are not ok
	Lost     LostWrites `json:"lost,omitzero"`
}

// LostWrites are acknowledged writes that a store did not have any more.
type LostWrites struct {
	Writes   int64 `json:"writes"`   // at most
	Memories int   `json:"memories"` // of a damaged file, that could not be read
	// Last is the last of the writes, and At when its loss was noticed: a backup from before has those until
	// its own state. At is zero after several losses.
	Last brain.Seen `json:"last"`
	At   time.Time  `json:"at"`
}

// Finding is the result of one check.
type Finding struct {
	Name   string       `json:"name"`
	State  State        `json:"state"`
	Detail string       `json:"detail"` // for people; one line for each thing that is wrong
	Fix    brain.OrNull `json:"fix"`    // what to do; null if it is ok
}

// OK reports whether the check found nothing.
func (f Finding) OK() bool { return f.State == OK }

// Read reads the facts that are in the store. The caller adds those of the machine (daemon,
// spool, size, backups, the last full check) and the days of silence. Read writes nothing.
func Read(ctx context.Context, b *services.Services) (f Facts, err error) {
	defer func() { err = brain.Wrap(err, "check the health of the brain") }()
	if f, err = ReadCounts(ctx, b); err != nil {
		return f, err
	}
	numbers, err := b.Base.Numbers(ctx)
	if err != nil {
		return f, err
	}
	scope := journal.ForgetScope{Now: f.Now, Numbers: numbers.Forget, Entities: true}
	wrong, err := f.survey(ctx, b, f.Now, func(page []brain.Memory) error {
		found, err := b.Journal.ForgettableAmong(ctx, scope, page)
		f.Forgettable += len(found)
		return err
	})
	f.Wrong = append(f.Wrong, wrong...)
	return f, err
}

// ReadCounts is Read without what takes a read of every memory.
func ReadCounts(ctx context.Context, b *services.Services) (f Facts, err error) {
	f.Now, f.Editable = b.Base.Now(), b.Base.Store.Info().Editable
	numbers, err := b.Base.Numbers(ctx)
	if err != nil {
		return f, err
	}
	f.MaxLive = numbers.MaxMemories
	if f.ByTier, err = countTiers(ctx, b, f.Now); err != nil {
		return f, err
	}
	if f.Wrong, err = InvalidNumbers(ctx, b); err != nil {
		return f, err
	}
	if f.LastCapture, err = lifecycle.Read(ctx, b.Base, lastCapture); err != nil {
		return f, err
	}
	items, err := b.Review.Reviews(ctx, brain.ReviewPending)
	if err != nil {
		return f, err
	}
	f.Review, f.Duplicates = len(items), len(merges(items))
	triggers, err := consolidate.ReadTriggers(ctx, b.Base, numbers)
	f.LastRun = triggers.Last.At
	return f, err
}

// InvalidNumbers says what is wrong with the lifecycle numbers in the store.
func InvalidNumbers(ctx context.Context, b *services.Services) ([]string, error) {
	invalid, err := b.Base.InvalidNumbers(ctx)
	return brain.Map(invalid, func(why string) string { return "the ConsolidationConfig has a number that cannot be used: " + why }), err
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
