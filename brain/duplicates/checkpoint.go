package duplicates

import (
	"context"

	"github.com/brainbridge/brainbridge/brain/consolidate"
	"github.com/brainbridge/brainbridge/tiers"
)

// checkpoint is the stored state from which the next run continues.
type checkpoint struct {
	Store   string             `json:"store"`   // the store that the marks belong to
	Numbers tiers.MergeNumbers `json:"numbers"` // the thresholds of the runs so far
	// Mark is the position at which reading new texts continues. PersonMark is the same
	// for runs that a person starts, which compare entities too.
	Mark       string `json:"mark"`
	PersonMark string `json:"entityMark,omitempty"`
	// Waiting is the number of questions that were not asked because the review queue was
	// full. Once there is room, a run compares all memories to find these questions again.
	Waiting int `json:"waiting,omitempty"`
}

// past is the state that earlier runs left, and the review queue with its decisions.
type past struct {
	checkpoint
	queue queue
}

func (s *Step) readPast(ctx context.Context) (p past, err error) {
	if err = s.base.Checkpoint(ctx, checkpointName, &p.checkpoint); err == nil {
		p.queue, err = consolidate.ReadQueue(ctx, s.review)
	}
	return p, err
}

// checkpointName is the name under which the checkpoint is stored.
const checkpointName = consolidate.StepDuplicates
