package capture

import (
	"context"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/tiers"
)

// newestPage is how many memories of each list [Service.LastCapture] looks at.
const newestPage = 50

// LastCapture returns the time of the latest capture; zero for never. What has a
// source (a note, a learning, …) says so exactly. Of memories without one the
// strongest of each tier are looked at, among which a new one stands: its cost
// does not grow with what is stored.
func (b *Service) LastCapture(ctx context.Context) (time.Time, error) {
	var last time.Time
	err := b.base.Store.View(ctx, func(r brain.Reader) error {
		last = time.Time{}
		sources, err := r.ListSources(brain.SourceFilter{Limit: 1})
		if err != nil {
			return err
		}
		for i := range sources {
			last = brain.Later(last, sources[i].Created)
		}
		ms, err := r.Strongest(newestLists()...)
		for i := range ms {
			last = brain.Later(last, ms[i].Created)
		}
		return err
	})
	return last, brain.Wrap(err, "find the last capture")
}

// newestLists are the heads of the lists of all live and expired memories.
func newestLists() []brain.ListFilter {
	var lists []brain.ListFilter
	for _, t := range tiers.All() {
		if t.Live() || t == tiers.Expired {
			lists = append(lists, lifecycle.WithDue(brain.ListFilter{Tier: t, Limit: newestPage})...)
		}
	}
	return lists
}
