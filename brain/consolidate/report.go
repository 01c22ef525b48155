package consolidate

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/review"
	"github.com/brainbridge/brainbridge/tiers"
)

// Report describes the changes that a run made, or would make.
type Report struct {
	RunID          string        `json:"-"` // "" if the run did and found nothing
	DryRun         bool          `json:"dryRun"`
	Actions        []Action      `json:"actions"`
	Promoted       []Promotion   `json:"-"`
	Expired        int           `json:"expired"`
	Decayed        int           `json:"decayed"`
	Merged         int           `json:"merged"` // memories that were merged into others
	Forgotten      int           `json:"forgotten"`
	PromotedToCore int           `json:"promotedToCore"`
	Curated        int           `json:"-"` // files that were, or would be, written
	Duration       time.Duration `json:"-"`
	Figures
}

// Action is one action of a report.
type Action struct {
	Kind   string   `json:"kind"`
	IDs    []string `json:"ids"`
	Reason string   `json:"reason"`
	// OnRequest marks an action that was only listed, because a run takes it only on request.
	OnRequest bool `json:"listed,omitempty"`
}

// Done returns the actions that were taken, or would be in a dry run.
func (rep Report) Done() []Action {
	return slices.DeleteFunc(slices.Clone(rep.Actions), func(a Action) bool { return a.OnRequest })
}

// Promotion is one memory that moved up.
type Promotion struct {
	ID       string       `json:"id"`
	Archived brain.OrNull `json:"archived"` // id of what it was before, null in a dry run
	FromTier tiers.Tier   `json:"fromTier"`
	ToTier   tiers.Tier   `json:"toTier"`
	Energy   float64      `json:"energy"` // at the promotion
}

// Figures are the parts of a report that do not follow from its actions.
type Figures struct {
	Analysed   int    `json:"analysed"`  // memories that were compared
	Clusters   int    `json:"clusters"`  // clusters of duplicates that were found
	Flagged    int    `json:"flagged"`   // review items that were added
	Waiting    int    `json:"waiting"`   // review items that are added once the queue is shorter
	Remaining  int    `json:"remaining"` // left for the next run
	Related    int    `json:"relationsCreated"`
	Orphans    int    `json:"orphans"` // entities without a typed relation
	Skipped    int    `json:"skipped"` // memories that changed meanwhile
	LLMCalls   int    `json:"llmCalls"`
	Tokens     int    `json:"tokens"`
	Backup     string `json:"backup,omitempty"` // folder of the backup that was made first
	Candidates int    `json:"forgetCandidates"` // memories that could be forgotten and were only listed
	Resumed    bool   `json:"resumed"`
	Partial    bool   `json:"partial"` // ended early, because of a budget or a failing endpoint
	// AskModelAt is the earliest time to ask the model again; zero means now.
	AskModelAt time.Time `json:"askedAgain,omitzero"`
}

// plus returns the sum of f and o.
func (f Figures) plus(o Figures) Figures {
	f.Analysed += o.Analysed
	f.Clusters += o.Clusters
	f.Flagged += o.Flagged
	f.Waiting += o.Waiting
	f.Remaining += o.Remaining
	f.Related += o.Related
	f.Orphans += o.Orphans
	f.Skipped += o.Skipped
	f.LLMCalls += o.LLMCalls
	f.Tokens += o.Tokens
	f.Candidates += o.Candidates
	f.Backup = cmp.Or(f.Backup, o.Backup)
	f.Resumed = f.Resumed || o.Resumed
	f.Partial = f.Partial || o.Partial
	f.AskModelAt = cmp.Or(f.AskModelAt, o.AskModelAt)
	return f
}

// add adds actions and counts them.
func (rep *Report) add(actions ...brain.Action) {
	for _, a := range actions {
		rep.Actions = append(rep.Actions, Action{Kind: string(a.Kind), IDs: a.IDs, Reason: a.Reason})
		switch a.Kind {
		case brain.ActPromote:
			before, after := a.Changes[0].Before, a.Changes[0].After
			p := Promotion{ID: after.ID, FromTier: before.Tier, ToTier: after.Tier, Energy: after.Energy}
			if len(a.IDs) > 1 {
				p.Archived = brain.OrNull(a.IDs[1])
			}
			rep.Promoted = append(rep.Promoted, p)
		case brain.ActExpire:
			rep.Expired++
		case brain.ActMerge:
			rep.Merged += len(a.IDs) - 1 // without the keeper
		case review.ActCore:
			rep.PromotedToCore++
		case brain.ActForget:
			rep.Forgotten++
		case brain.ActCurate:
			rep.Curated++
		}
	}
}

// Summary returns the report in one line: the first four counts, and the others if not 0.
func (rep Report) Summary() string {
	counts := []struct {
		n    int
		what string
	}{
		{len(rep.Promoted), "promoted"},
		{rep.Expired, "expired"},
		{rep.Decayed, "decayed"},
		{rep.Skipped, "skipped"},
		{rep.Merged, "merged"},
		{rep.PromotedToCore, "promoted to core"},
		{rep.Forgotten, "forgotten"},
		{rep.Candidates, "may be forgotten"},
		{rep.Related, "relations created"},
		{rep.Flagged, "flagged"},
		{rep.Remaining, "remaining"},
		{rep.LLMCalls, "model calls"},
		{rep.Curated, "curated"},
	}
	var parts []string
	for i, c := range counts {
		if c.n > 0 || i < 4 {
			parts = append(parts, fmt.Sprintf("%d %s", c.n, c.what))
		}
	}
	return strings.Join(parts, ", ")
}
