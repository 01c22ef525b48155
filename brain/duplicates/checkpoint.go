package duplicates

import (
	"context"
	"slices"

	"github.com/brainbridge/brainbridge/brain/consolidate"
	"github.com/brainbridge/brainbridge/tiers"
)

// checkpoint is the progress of the runs.
type checkpoint struct {
	Store   string             `json:"store"`   // a mark of another store means nothing
	Numbers tiers.MergeNumbers `json:"numbers"` // of the runs up to here
	// Mark is the position at which reading new texts continues, EntityMark the same for entities.
	Mark       string `json:"mark"`
	EntityMark string `json:"entityMark,omitempty"`
}

// deferred are the pairs that earlier runs did not ask about, because a person
// had enough questions. The most important come first.
type deferred struct {
	Pairs []deferredPair `json:"pairs,omitempty"`
	// Dropped is the number of further ones. Once the pairs are asked, a run looks
	// at all memories again.
	Dropped int `json:"dropped,omitempty"`
}

type deferredPair struct {
	IDs    [2]string `json:"ids"` // ascending
	Entity bool      `json:"entity,omitempty"`
}

// maxDeferred bounds the stored pairs to some 50 kB.
const maxDeferred = 500

// past has the results of earlier runs and the decisions of people.
type past struct {
	checkpoint
	deferred deferred
	queue    queue
}

func (s *Step) readPast(ctx context.Context) (p past, err error) {
	if err = s.base.Checkpoint(ctx, checkpointName, &p.checkpoint); err == nil {
		err = s.base.Checkpoint(ctx, deferredName, &p.deferred)
	}
	if err == nil {
		p.queue, err = consolidate.ReadQueue(ctx, s.review)
	}
	return p, err
}

// putPast stores what changed for the next run.
func (s *Step) putPast(ctx context.Context, was past, next checkpoint, rest deferred) error {
	if rest.Dropped != was.deferred.Dropped || !slices.Equal(rest.Pairs, was.deferred.Pairs) {
		if err := s.base.PutCheckpoint(ctx, deferredName, rest); err != nil {
			return err
		}
	}
	if next == was.checkpoint {
		return nil
	}
	return s.base.PutCheckpoint(ctx, checkpointName, next)
}

// The names under which checkpoint and deferred are stored.
const (
	checkpointName = consolidate.StepDuplicates
	deferredName   = consolidate.StepDuplicates + "-deferred"
)

// contains reports whether an earlier run deferred the question.
func (d deferred) contains(q question) bool {
	return slices.ContainsFunc(d.Pairs, func(p deferredPair) bool { return p.IDs == q.pair().IDs })
}

// left returns the pairs that stay deferred without having been compared again: all
// if the run compared none of them, else those of entities if it left out entities.
// Pairs that are questions again are left out.
func (d deferred) left(rest []question, compared, entities bool) []deferredPair {
	again := map[[2]string]bool{}
	for _, q := range rest {
		again[q.pair().IDs] = true
	}
	var left []deferredPair
	for _, p := range d.Pairs {
		if (!compared || p.Entity && !entities) && !again[p.IDs] {
			left = append(left, p)
		}
	}
	return left
}

// next returns what this run defers: its own questions, and the pairs that stay
// deferred.
func (d deferred) next(rest []question, left []deferredPair, full bool) deferred {
	var next deferred
	if !full {
		next.Dropped = d.Dropped
	}
	for _, q := range rest {
		next.Pairs = append(next.Pairs, q.pair())
	}
	next.Pairs = append(next.Pairs, left...)
	if over := len(next.Pairs) - maxDeferred; over > 0 {
		next.Pairs, next.Dropped = next.Pairs[:maxDeferred], next.Dropped+over
	}
	return next
}
