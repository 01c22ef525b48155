package duplicates

import (
	"context"

	"github.com/brainbridge/brainbridge/brain/consolidate"
	"github.com/brainbridge/brainbridge/tiers"
)

// checkpoint is the progress of the runs.
type checkpoint struct {
	Store   string             `json:"store"`   // a mark of another store means nothing
	Numbers tiers.MergeNumbers `json:"numbers"` // of the runs up to here
	// Mark is the position at which reading new texts continues, PersonMark the same for a
	// run that a person starts, which looks at entities as well.
	Mark       string `json:"mark"`
	PersonMark string `json:"entityMark,omitempty"`
	// Waiting is the number of questions that were not asked, because a person had
	// enough. Once some are decided, a run looks at all memories to find the others again.
	Waiting int `json:"waiting,omitempty"`
}

// past has the results of earlier runs and the decisions of people.
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
