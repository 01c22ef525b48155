package brain

import (
	"context"
	"fmt"
	"time"
)

// SessionTally is what happened in a session of an agent.
type SessionTally struct {
	Captures int // since an instant; on a brain that several use at once also theirs
	Used     int // memories that were judged, boosted or opened in the session
}

// maxTallied is how many captures of a session are counted.
const maxTallied = 1000

// SessionTally counts what a session captured since an instant, activities
// apart, and which memories it used.
func (b *Brain) SessionTally(ctx context.Context, session string, since time.Time) (SessionTally, error) {
	var t SessionTally
	err := b.store.View(ctx, func(r Reader) error {
		t = SessionTally{}
		ss, err := r.ListSources(SourceFilter{Limit: maxTallied})
		if err != nil {
			return err
		}
		for i := range ss {
			if ss[i].Kind != Activity && !ss[i].Created.Before(Instant(since)) {
				t.Captures++
			}
		}
		events, err := r.RecordsByKey(UseEventRecord, session)
		used := map[string]bool{}
		for _, e := range events {
			used[e.Owner] = true
		}
		t.Used = len(used)
		return err
	})
	if err != nil {
		return t, fmt.Errorf("count what the session did: %w", err)
	}
	return t, nil
}
