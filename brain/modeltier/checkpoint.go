package modeltier

import (
	"fmt"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/consolidate"
)

// checkpoint is the progress of the step. It is stored after each cluster, so that the next
// run continues one that ended early.
type checkpoint struct {
	// Signature is that of the run that ended early, see [Step.signature]; "" if
	// none did.
	Signature string   `json:"signature"`
	Made      []string `json:"made,omitempty"` // ids of the memories that the run made
}

const checkpointName = "model-tier"

// signature identifies the store and the options that decide which clusters there
// are and who is asked.
func (s *Step) signature(scope consolidate.Scope, r rules) string {
	info := s.base.Store.Info()
	return brain.Hash(info.Kind, info.URI, info.Brain, s.o.Model, scope.Type,
		fmt.Sprint(s.o.IdempotencyDays, r.Thresholds, r.tolerance, r.minCluster, r.maxCluster, r.ruleCluster))
}
