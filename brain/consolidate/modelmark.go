package consolidate

import (
	"context"
	"encoding/json"
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
	Signature string    `json:"signature"`
	Begun     time.Time `json:"begun"`
	Phase     int       `json:"phase"`    // the phases before it are done
	Clusters  int       `json:"clusters"` // that are done
	Made      []string  `json:"made"`     // ids of the memories that it made
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
	found := false
	err := r.brain.Store().View(ctx, func(rd brain.Reader) error {
		r.mark, found = fresh, false
		recs, err := rd.Records(brain.CheckpointRecord, r.markName())
		if err != nil || len(recs) == 0 {
			return err
		}
		found = true
		return json.Unmarshal(recs[0].Body, &r.mark)
	})
	if err != nil {
		return fmt.Errorf("look up how far the model tier is: %w", err)
	}
	if !found || r.mark.Signature != fresh.Signature {
		r.mark = fresh
		return nil
	}
	r.out.Resumed = true
	return nil
}

// save keeps how far the run is, after a cluster.
func (r *modelRun) save(ctx context.Context) error {
	r.mark.Clusters++
	body, err := json.Marshal(r.mark)
	if err != nil {
		return fmt.Errorf("encode how far the model tier is: %w", err)
	}
	rec := brain.Record{Kind: brain.CheckpointRecord, ID: r.markName(), At: r.scope.Now, Body: body}
	err = r.brain.Store().Update(ctx, func(tx brain.Tx) error { return tx.PutRecords(rec) })
	if err != nil {
		return fmt.Errorf("remember how far the model tier is: %w", err)
	}
	return nil
}

// end forgets how far the run was, once nothing is left of it.
func (r *modelRun) end(ctx context.Context) error {
	if r.out.Remaining > 0 {
		return nil
	}
	err := r.brain.Store().Update(ctx, func(tx brain.Tx) error {
		recs, err := tx.Records(brain.CheckpointRecord, r.markName())
		if err != nil || len(recs) == 0 {
			return err
		}
		return tx.DeleteRecords(brain.CheckpointRecord, r.markName())
	})
	if err != nil {
		return fmt.Errorf("end the model tier: %w", err)
	}
	return nil
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
