package consolidate

import (
	"context"
	"slices"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/review"
)

// CoreFile is the file that shows core memory to people.
type CoreFile interface {
	// Check returns an error if the file, and thus its thresholds, cannot be read.
	Check(ctx context.Context) error
	// Plan returns the edits that Read would apply. It writes nothing.
	Plan(ctx context.Context) ([]brain.Action, error)
	// Read applies a person's edits of the file to core memory, as actions of the run.
	Read(ctx context.Context, run brain.Run, now time.Time) ([]brain.Action, brain.Run, error)
	// Entry returns the place where the file would show a memory, or "" if its type is not
	// shown. free is false if a person wrote something else there.
	Entry(ctx context.Context, m brain.Memory) (place string, free bool, err error)
	// Write updates the file. After a full run, the file also shows the time of the run.
	Write(ctx context.Context, now time.Time, fullRun bool) error
}

// Core is the step of core memory. It applies a person's edits of the file, promotes
// memories that have earned it, and updates the file. A promotion that would overwrite a
// person's text goes to the review queue.
type Core struct {
	review *review.Service
	file   CoreFile
}

// NewCore returns the step.
func NewCore(r *review.Service, file CoreFile) *Core { return &Core{r, file} }

// Name returns [StepCore].
func (c *Core) Name() string { return StepCore }

// Apply applies the step. If the file cannot be read, it promotes nothing.
func (c *Core) Apply(ctx context.Context, s Scope, run brain.Run) (out Outcome, next brain.Run, err error) {
	if s.NumbersErr != nil {
		out.Partial = true
		return out, run, nil
	}
	if s.DryRun {
		out.Actions, err = c.file.Plan(ctx)
	} else {
		out.Actions, run, err = c.file.Read(ctx, run, s.Now)
	}
	if err != nil {
		return out, run, err
	}
	found, err := c.review.CoreCandidates(ctx, review.CoreScope{Now: s.Now, Numbers: s.Numbers.Core, Type: s.Type, Entities: s.ByPerson})
	if err != nil {
		return out, run, err
	}
	changes, items, err := c.splitCandidates(ctx, found)
	if err != nil {
		return out, run, err
	}
	if s.DryRun {
		for _, ch := range changes {
			out.Actions = append(out.Actions, plannedAction(review.ActCore, ch.Memory, ch.Reason, s.Now))
		}
		out.Flagged = len(items)
		return out, run, nil
	}
	for batch := range slices.Chunk(changes, coreBatch) {
		done, skipped, next, err := c.review.ChangeCore(ctx, run, s.Now, batch)
		if err != nil {
			return out, run, err
		}
		run = next
		out.Actions, out.Skipped = append(out.Actions, done...), out.Skipped+skipped
	}
	if len(items) > 0 {
		out.Flagged, err = c.review.Flag(ctx, items...)
	}
	return out, run, err
}

const coreBatch = 1000 // promotions in one transaction

// splitCandidates returns the memories to promote, and those that a person must decide.
func (c *Core) splitCandidates(ctx context.Context, found []review.CoreCandidate) (changes []review.CoreChange, items []brain.ReviewItem, err error) {
	for _, cand := range found {
		place, free, err := c.file.Entry(ctx, cand.Memory)
		if err != nil {
			return nil, nil, err
		}
		if free {
			changes = append(changes, review.CoreChange{Memory: cand.Memory, Reason: cand.Reason, Entry: place})
			continue
		}
		items = append(items, review.Collision(cand.Memory, cand.Reason, place))
	}
	return changes, items, nil
}
