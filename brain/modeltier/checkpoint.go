package modeltier

import (
	"context"
	"fmt"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/consolidate"
	"github.com/brainbridge/brainbridge/brain/pairs"
)

// checkpoint is how far the step has come. It is stored after each cluster, so
// that the next run continues one that a crash or the budget cut short.
type checkpoint struct {
	// Signature is that of the run that ended early, see [Step.signature]; "" if
	// none did.
	Signature string   `json:"signature"`
	Made      []string `json:"made,omitempty"` // ids of the memories that the run made

	Complete completed `json:"complete,omitzero"`
}

// completed is the last run that looked at all there was.
type completed struct {
	Signature string `json:"signature"`
	Mark      string `json:"mark"` // where reading new texts continues
	// Resting are the memories that the run left alone as just merged.
	Resting []string `json:"resting,omitempty"`
}

const checkpointName = "model-tier"

// signature identifies the store and the options that decide which clusters there
// are and who is asked.
func (s *Step) signature(scope consolidate.Scope, r rules) string {
	info := s.base.Store.Info()
	return brain.Hash(info.Kind, info.URI, info.Brain, s.o.Model, scope.Type,
		fmt.Sprint(s.o.IdempotencyDays, r.Thresholds, r.tolerance, r.minCluster, r.maxCluster, r.ruleCluster))
}

// finish stores that nothing is left of the run. One that continued another has
// not looked at what came meanwhile, and one that skipped something has to come
// back to it.
func (a *asker) finish(ctx context.Context, past, next completed) error {
	if a.Out.Resumed || a.Out.Skipped > 0 {
		next = past
	}
	if len(next.Resting) > pairs.ManyNew {
		next = completed{} // the next run looks at all memories
	}
	return a.base.PutCheckpoint(ctx, checkpointName, checkpoint{Complete: next})
}
