package consolidate

import (
	"context"
	"fmt"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/tiers"
)

// When a run is due, besides the number of live memories (lifecycle.maxMemories).
const (
	dueAfter = 7 * brain.Day // since the last one
	dueNew   = 10            // new memories since the last one
)

// Triggers are what decides whether a run of all steps is due.
type Triggers struct {
	Now  time.Time
	Last LastRun
	Live int // live memories
	Max  int // live memories over which a run is due
	New  int // memories that came since the last run, less what was forgotten

	memories int // see [LastRun.Memories]
}

// LastRun is the last run of all steps, also one that found nothing to do. The
// daemon's frequent runs do not count.
type LastRun struct {
	RunID string    `json:"runId,omitempty"` // "" if it changed nothing
	At    time.Time `json:"at"`              // its one reading of the clock; zero: there was none
	// Memories is how many memories there were at its end, without the originals
	// of promoted ones: a number that only new ones raise.
	Memories int `json:"memories"`
}

// lastRunJob is the name of the checkpoint of the last run.
const lastRunJob = "whole-run"

// ReadLastRun reads the last run of all steps.
func ReadLastRun(ctx context.Context, base lifecycle.Base) (last LastRun, err error) {
	err = base.Checkpoint(ctx, lastRunJob, &last)
	return last, err
}

// ReadTriggers counts what came since the last run, in two reads whatever the
// brain holds. A run is due by the number of memories of policy.
func ReadTriggers(ctx context.Context, base lifecycle.Base, policy tiers.Policy) (Triggers, error) {
	t := Triggers{Now: base.Now(), Max: policy.MaxMemories}
	counts, err := lifecycle.Read(ctx, base, func(r brain.Reader) (brain.Counts, error) {
		if err := lifecycle.ReadCheckpoint(r, lastRunJob, &t.Last); err != nil {
			return brain.Counts{}, err
		}
		return r.Counts(t.Now)
	})
	if err != nil {
		return Triggers{}, fmt.Errorf("count what is new since the last run: %w", err)
	}
	for tier, n := range counts.ByTier {
		if tier.Live() {
			t.Live += n - counts.Faded[tier]
		}
		if tier != tiers.ArchivedWorking && tier != tiers.ArchivedShortTerm {
			t.memories += n
		}
	}
	t.New = max(0, t.memories-t.Last.Memories)
	return t, nil
}

// Due reports whether a run is due, and why or why not.
func (t Triggers) Due() (due bool, reason string) {
	switch since := t.Now.Sub(t.Last.At); {
	case t.Last.At.IsZero():
		return true, "there was no run yet"
	case t.Live > t.Max:
		return true, fmt.Sprintf("%s live, more than %d", memoriesAre(t.Live), t.Max)
	case since >= dueAfter:
		return true, fmt.Sprintf("the last run was %d days ago", int(since/brain.Day))
	case t.New >= dueNew:
		return true, fmt.Sprintf("%d memories are new since the last run", t.New)
	default:
		return false, fmt.Sprintf("%s live of at most %d, %d of %d are new, and the last run was %d of %d days ago",
			memoriesAre(t.Live), t.Max, t.New, dueNew, max(0, int(since/brain.Day)), int(dueAfter/brain.Day))
	}
}

func memoriesAre(n int) string {
	if n == 1 {
		return "1 memory is"
	}
	return fmt.Sprintf("%d memories are", n)
}

// Next returns what makes the next run due after one at Now.
func (t Triggers) Next() []string {
	return []string{
		fmt.Sprintf("more than %d live memories (%d are)", t.Max, t.Live),
		fmt.Sprintf("%s, %d days after this run", t.Now.Add(dueAfter).Format(time.RFC3339), int(dueAfter/brain.Day)),
		fmt.Sprintf("%d new memories", dueNew),
		"a finished project",
	}
}
