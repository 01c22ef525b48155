package lifecycle

import (
	"context"
	"encoding/json"
	"time"

	"github.com/brainbridge/brainbridge/brain"
)

// Checkpoint reads the progress of a job into state, which is unchanged if there is none.
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

// ReadCheckpoint is [Base.Checkpoint] in a view or a transaction.
func ReadCheckpoint(r brain.RecordReader, job string, state any) error {
	recs, err := r.Records(brain.CheckpointRecord, job)
	if err != nil || len(recs) == 0 {
		return err
	}
	return brain.Wrap(json.Unmarshal(recs[0].Body, state), "read Checkpoint %s", job)
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

// SessionJob is the job whose checkpoint is the [SessionMark] of the session of an agent
// that ended last.
const SessionJob = "session"

// SessionMark records the end of the last session.
type SessionMark struct {
	Finished time.Time `json:"finished"`
	Written  string    `json:"written,omitempty"` // the position in the order of written texts at that time, see [brain.MemoryLister.Written]
	// Earlier are earlier ends, newest first, for sessions that continue while others end.
	Earlier []SessionMark `json:"earlier,omitempty"`
	// Projects has the last end of a session in each project.
	Projects map[string]SessionMark `json:"projects,omitempty"`
}

// Before returns the position of the latest end at or before an instant.
func (m SessionMark) Before(at time.Time) string {
	for _, end := range append([]SessionMark{m}, m.Earlier...) {
		if !end.Finished.After(at) {
			return end.Written
		}
	}
	return ""
}
