package health

import (
	"context"
	"slices"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/tiers"
)

// Audit says how clean the memory is.
type Audit struct {
	Memories   int               `json:"memories"` // live and expired
	Rates      []Rate            `json:"rates"`
	Rejections []brain.Rejection `json:"rejections"` // the latest, newest first
}

// Rate is a count and its share of a total.
type Rate struct {
	Name    string   `json:"name"`
	Count   int      `json:"count"`
	Of      *int     `json:"of"`      // null for a number of events
	Percent *float64 `json:"percent"` // null if there is no total
	What    string   `json:"what"`    // for people
}

// ReadAudit counts rejected, duplicate, stale and forgotten memories from a survey of the
// store and the counts of the relevance filter. It lists the latest rejections, at most
// limit.
func ReadAudit(ctx context.Context, b *services.Services, limit int) (a Audit, err error) {
	defer func() { err = brain.Wrap(err, "audit") }()
	now := b.Base.Now()
	var s Survey
	if s.ByTier, err = countTiers(ctx, b, now); err != nil {
		return a, err
	}
	if _, err := s.survey(ctx, b, now, func([]brain.Memory) error { return nil }); err != nil {
		return a, err
	}
	counted, err := lifecycle.Read(ctx, b.Base, func(r brain.Reader) (_ map[lifecycle.Tally]int, err error) {
		a.Rejections, err = brain.Bodies[brain.Rejection](r.ListRecords(brain.RejectionRecord, brain.RecordFilter{Limit: brain.RejectionsKept}))
		if err != nil {
			return nil, err
		}
		return lifecycle.Tallies(r, lifecycle.TallyRedacted, lifecycle.TallyGated, lifecycle.TallyRejected, lifecycle.TallyDuplicates)
	})
	if err != nil {
		return a, err
	}
	items, err := b.Review.Reviews(ctx, brain.ReviewPending)
	if err != nil {
		return a, err
	}
	flagged := map[string]bool{} // memories that wait for a review
	for _, item := range merges(items) {
		for _, id := range item.Memories {
			flagged[id] = true
		}
	}
	return Audit{s.Total(), rates(s, counted, len(flagged)), a.Rejections[:min(max(limit, 0), len(a.Rejections))]}, nil
}

// merges returns the items that propose a merge.
func merges(items []brain.ReviewItem) []brain.ReviewItem {
	return slices.DeleteFunc(slices.Clone(items), func(item brain.ReviewItem) bool { return item.Kind != brain.ReviewMerge })
}

func rates(s Survey, counted map[lifecycle.Tally]int, flagged int) []Rate {
	total := s.Total()
	low := counted[lifecycle.TallyRejected] - counted[lifecycle.TallyDuplicates] // rejected for their score
	all := total + s.ByTier[tiers.Superseded]
	return []Rate{
		rate("junk", low+s.Ineffective, total+low, "below the threshold of the relevance filter, or judged as not helpful"),
		rate("duplicates", flagged+counted[lifecycle.TallyDuplicates], total+counted[lifecycle.TallyDuplicates], "waiting for a review, or rejected because they repeat a stored memory"),
		rate("superseded", s.ByTier[tiers.Superseded], all, "replaced by a merge, a correction or an edit"),
		rate("stale", s.Stale, s.Live(), "live, not core, and not used for 90 days"),
		rate("faded", s.ByTier[tiers.Expired], total, "expired: recalled, and pushed only while they are salient"),
		rate("ineffective", s.Ineffective, s.Judged, "helpful in less than 30 % of their verdicts"),
		rate("rejected", counted[lifecycle.TallyRejected], counted[lifecycle.TallyGated], "not let through by the relevance filter"),
		{Name: "redacted", Count: counted[lifecycle.TallyRedacted], What: "secrets redacted before they were stored"},
	}
}

func rate(name string, count, of int, what string) Rate {
	r := Rate{Name: name, Count: count, Of: &of, What: what}
	if of > 0 {
		r.Percent = new(100 * float64(count) / float64(of))
	}
	return r
}
