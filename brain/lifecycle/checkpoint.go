package lifecycle

import (
	"context"
	"encoding/json"
	"time"

	"github.com/brainbridge/brainbridge/brain"
)

// Checkpoint reads the progress of a job into state, as JSON. Without a checkpoint, state
// is unchanged.
func (b Base) Checkpoint(ctx context.Context, job string, state any) error {
	err := b.Store.View(ctx, func(r brain.Reader) error { return ReadCheckpoint(r, job, state) })
	return brain.Wrap(err, "read how far %s has come", job)
}

// PutCheckpoint stores the progress of a job and replaces the earlier checkpoint.
func (b Base) PutCheckpoint(ctx context.Context, job string, state any) error {
	err := b.Store.Update(ctx, func(tx brain.Tx) error { return putCheckpoint(tx, job, b.Now(), state) })
	return brain.Wrap(err, "keep how far %s has come", job)
}

func putCheckpoint(tx brain.RecordWriter, job string, at time.Time, state any) error {
	return PutRecord(tx, brain.CheckpointRecord, job, "", "", at, state)
}

// ReadCheckpoint reads the progress of a job into state, as JSON. Without a checkpoint,
// state is unchanged.
func ReadCheckpoint(r brain.RecordReader, job string, state any) error {
	recs, err := r.Records(brain.CheckpointRecord, job)
	if err != nil || len(recs) == 0 {
		return err
	}
	return json.Unmarshal(recs[0].Body, state)
}

// Names of the jobs whose last end is stored.
const (
	ConsolidationJob = "consolidation"
	NightlyJob       = "nightly"
)

// JobState has the time at which a job last finished.
type JobState struct {
	Finished time.Time `json:"finished"`
}

// JobFinished returns when a job last finished; zero for never.
func (b Base) JobFinished(ctx context.Context, job string) (time.Time, error) {
	var state JobState
	err := b.Checkpoint(ctx, job, &state)
	return state.Finished, err
}

// FinishJob records that a job finished.
func (b Base) FinishJob(ctx context.Context, job string, at time.Time) error {
	return b.PutCheckpoint(ctx, job, JobState{at})
}
