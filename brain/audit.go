package brain

import (
	"context"
	"fmt"
	"time"

	"github.com/brainbridge/brainbridge/tiers"
)

// Audit says how clean the memory is, of real memories.
type Audit struct {
	Memories   int         `json:"memories"` // live and expired
	Rates      []Rate      `json:"rates"`
	Rejections []Rejection `json:"rejections"` // the latest, newest first
}

// Rate is how many of so many are one thing.
type Rate struct {
	Name    string   `json:"name"`
	Count   int      `json:"count"`
	Of      *int     `json:"of"`      // null: it is a number of events
	Percent *float64 `json:"percent"` // null where there is nothing to compare with
	What    string   `json:"what"`    // for people
}

// staleAfter is how long a live memory may go without a use before it counts
// as stale: the indicator of health has the same.
const staleAfter = 90 * 24 * time.Hour

// Audit counts what is junk, double, stale or gone, from the survey of the
// store and what was counted at the gate, and lists the latest rejections, at
// most limit.
func (b *Brain) Audit(ctx context.Context, limit int) (Audit, error) {
	now := b.Now()
	var s Survey
	var counted map[Tally]int
	err := b.store.View(ctx, func(r Reader) (err error) {
		if s, err = r.Survey(now, now.Add(-staleAfter)); err != nil {
			return err
		}
		counted, err = tallies(r, TallyRedacted, TallyGated, TallyRejected, TallyDuplicates, TallyEchoes)
		return err
	})
	if err != nil {
		return Audit{}, fmt.Errorf("audit: %w", err)
	}
	idle, err := b.IdleCore(ctx, now.Add(-staleAfter))
	if err != nil {
		return Audit{}, fmt.Errorf("audit: %w", err)
	}
	s.Stale = max(0, s.Stale-idle)
	flagged, err := b.flagged(ctx)
	if err != nil {
		return Audit{}, fmt.Errorf("audit: %w", err)
	}
	a := Audit{Memories: s.total(), Rates: rates(s, counted, flagged)}
	if a.Rejections, err = b.Rejections(ctx, false, limit); err != nil {
		return Audit{}, fmt.Errorf("audit: %w", err)
	}
	if a.Rejections == nil {
		a.Rejections = []Rejection{}
	}
	return a, nil
}

// total is how many memories are live or expired.
func (s Survey) total() int { return s.live() + s.ByTier[tiers.Expired] }

func (s Survey) live() int {
	n := 0
	for tier, count := range s.ByTier {
		if tier.Live() {
			n += count
		}
	}
	return n
}

// IdleCore counts the core memories that were last used, or else created, before
// an instant: what is always true does not have to be used, and is not stale.
func (b *Brain) IdleCore(ctx context.Context, since time.Time) (int, error) {
	ms, err := b.CoreMemories(ctx, false)
	n := 0
	for i := range ms {
		if at := ms[i].IdleSince(); !at.IsZero() && at.Before(since) {
			n++
		}
	}
	return n, err
}

// flagged counts the memories that wait for a review because they say much of
// the same.
func (b *Brain) flagged(ctx context.Context) (int, error) {
	items, err := b.Reviews(ctx, ReviewPending)
	waiting := map[string]bool{}
	for _, item := range items {
		if item.Kind == ReviewCore || item.IsTest {
			continue
		}
		for _, id := range item.Memories {
			waiting[id] = true
		}
	}
	return len(waiting), err
}

func rates(s Survey, counted map[Tally]int, flagged int) []Rate {
	total := s.total()
	low := counted[TallyRejected] - counted[TallyDuplicates] // rejected for their score
	all := total + s.ByTier[tiers.Superseded]
	return []Rate{
		rate("junk", low+s.Ineffective, total+low, "below the threshold of the relevance filter, or judged as not helpful"),
		rate("duplicates", flagged+counted[TallyDuplicates], total+counted[TallyDuplicates], "waiting for a review, or rejected because they say what is stored"),
		rate("superseded", s.ByTier[tiers.Superseded], all, "replaced by a merge, a correction or an edit"),
		rate("stale", s.Stale, s.live(), "live, not core, and not used for 90 days"),
		rate("faded", s.ByTier[tiers.Expired], total, "expired: recallable, but not pushed any more"),
		rate("ineffective", s.Ineffective, s.Judged, "helpful in less than 30 % of their verdicts"),
		rate("rejected", counted[TallyRejected], counted[TallyGated], "not let through by the relevance filter"),
		{Name: "echoes", Count: counted[TallyEchoes], What: "captures that only repeated what was recalled"},
		{Name: "redacted", Count: counted[TallyRedacted], What: "secrets taken out on their way in"},
	}
}

func rate(name string, count, of int, what string) Rate {
	r := Rate{Name: name, Count: count, Of: &of, What: what}
	if of > 0 {
		percent := 100 * float64(count) / float64(of)
		r.Percent = &percent
	}
	return r
}
