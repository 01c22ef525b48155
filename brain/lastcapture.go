package brain

import (
	"context"
	"fmt"
	"time"

	"github.com/brainbridge/brainbridge/tiers"
)

// newestPage is how many memories of each list [Brain.LastCapture] looks at.
const newestPage = 50

// LastCapture is when something was captured last; zero for never. What has a
// source (a note, a learning, …) says so exactly. Of memories without one the
// strongest of each tier are looked at, among which a new one stands: its cost
// does not grow with what is stored.
func (b *Brain) LastCapture(ctx context.Context) (time.Time, error) {
	var last time.Time
	err := b.store.View(ctx, func(r Reader) error {
		last = time.Time{}
		sources, err := r.ListSources(SourceFilter{Limit: 1})
		if err != nil {
			return err
		}
		for i := range sources {
			last = later(last, sources[i].Created)
		}
		ms, err := r.Strongest(newestLists()...)
		for i := range ms {
			last = later(last, ms[i].Created)
		}
		return err
	})
	if err != nil {
		return time.Time{}, fmt.Errorf("find the last capture: %w", err)
	}
	return last, nil
}

// newestLists are the heads of the lists of all live and expired memories.
func newestLists() []ListFilter {
	var lists []ListFilter
	for _, t := range tiers.All() {
		if t.Live() || t == tiers.Expired {
			lists = append(lists, ListFilter{Tier: t, Limit: newestPage}, ListFilter{Tier: t, DueOnly: true, Limit: newestPage})
		}
	}
	return lists
}
