package consolidate

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/brainbridge/brainbridge/brain"
)

// modelMark is how far a run of the model tier came, kept in the store after
// each cluster. A run that was cut short, by a crash or by its budget, is gone
// on with by the next one with the same options.
type modelMark struct {
	// Signature is of the store and of the options: another one makes another run.
	// "" where no run ended early.
	Signature string    `json:"signature"`
	Begun     time.Time `json:"begun,omitzero"`
	Phase     int       `json:"phase"`          // the phases before it are done
	Clusters  int       `json:"clusters"`       // that are done
	Made      []string  `json:"made,omitempty"` // ids of the memories that it made
}

// markName is the checkpoint's name; that of test memories is another.
func (r *modelRun) markName() string {
	if r.scope.TestOnly {
		return "model-tier-tests"
	}
	return "model-tier"
}

// signature names the store and the options that decide which clusters there
// are and who is asked.
func (r *modelRun) signature() string {
	info := r.brain.Store().Info()
	return brain.Hash(info.Kind, info.URI, info.Brain, r.o.Model, r.scope.Type, fmt.Sprint(r.scope.TestOnly),
		fmt.Sprint(r.numbers, r.o.IdempotencyDays, r.o.MinCluster, r.o.MaxCluster))
}

// resume takes up the run that ended early, if there is one with the same
// signature.
func (r *modelRun) resume(ctx context.Context) error {
	fresh := modelMark{Signature: r.signature(), Begun: r.scope.Now}
	r.mark = fresh
	if r.o.NoResume {
		return nil
	}
	var held modelMark
	if err := r.brain.Checkpoint(ctx, r.markName(), &held); err != nil {
		return err
	}
	if held.Signature == fresh.Signature {
		r.mark, r.out.Resumed = held, true
	}
	return nil
}

// save keeps how far the run is, after a cluster.
func (r *modelRun) save(ctx context.Context) error {
	r.mark.Clusters++
	r.saved = true
	return r.brain.PutCheckpoint(ctx, r.markName(), r.mark)
}

// end forgets how far the run was, once nothing is left of it.
func (r *modelRun) end(ctx context.Context) error {
	if r.out.Remaining > 0 || !r.saved && !r.out.Resumed {
		return nil
	}
	return r.brain.PutCheckpoint(ctx, r.markName(), modelMark{})
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
