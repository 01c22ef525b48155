package consolidate

import (
	"context"
	"fmt"
	"time"

	"github.com/dustin/go-humanize/english"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/brain/moment"
	"github.com/brainbridge/brainbridge/tiers"
)

// Thresholds for a full run, besides lifecycle.maxMemories.
const (
	dueAfter = 7 * brain.Day // time since the last run
	dueNew   = 10            // new memories since the last run
)

// Triggers decide whether a full run, that is, a run of all steps, is due.
type Triggers struct {
	Now  time.Time
	Last LastRun
	Live int // live memories
	Max  int // a run is due with more live memories than this
	New  int // memories added since the last run, minus those forgotten

	memories int // see [LastRun.Memories]
}

// LastRun is the last full run, including one that changed nothing.
type LastRun struct {
	RunID string    `json:"runId,omitempty"` // "" if it changed nothing
	At    time.Time `json:"at"`              // when it started; zero: no run yet
	// Memories is the number of memories at its end, without the archived originals
	// of promoted ones, so that promotion does not change it.
	Memories int `json:"memories"`
}

const fullRunCheckpoint = "whole-run" // of the last full run

// ReadTriggers reads the triggers; policy has the limit of live memories.
func ReadTriggers(ctx context.Context, base lifecycle.Base, policy tiers.Policy) (Triggers, error) {
	t := Triggers{Now: base.Now(), Max: policy.MaxMemories}
	counts, err := lifecycle.Read(ctx, base, func(r brain.Reader) (brain.Counts, error) {
		if err := lifecycle.ReadCheckpoint(r, fullRunCheckpoint, &t.Last); err != nil {
			return brain.Counts{}, err
		}
		return r.Counts(t.Now)
	})
	if err != nil {
		return Triggers{}, fmt.Errorf("read the triggers of a run: %w", err)
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
	if t.Last.At.IsZero() {
		return true, "there has been no run yet"
	}
	live := english.Plural(t.Live, "memory is", "memories are")
	switch since := t.Now.Sub(t.Last.At); {
	case t.Live > t.Max:
		return true, fmt.Sprintf("%s live, more than %d", live, t.Max)
	case since >= dueAfter:
		return true, fmt.Sprintf("the last run was %d days ago", int(since/brain.Day))
	case t.New >= dueNew:
		return true, fmt.Sprintf("%d memories are new since the last run", t.New)
	default:
		return false, fmt.Sprintf("%s live (limit %d), %d new (due at %d), and the last run was %s ago (due after %d days)",
			live, t.Max, t.New, dueNew, moment.Rough(max(0, since)), int(dueAfter/brain.Day))
	}
}

// Next lists the conditions that make the next run due if one ends now.
func (t Triggers) Next() []string {
	return []string{
		fmt.Sprintf("more than %d live memories (%d are)", t.Max, t.Live),
		fmt.Sprintf("%s, %d days after this run", t.Now.Add(dueAfter).Format(time.RFC3339), int(dueAfter/brain.Day)),
		fmt.Sprintf("%d new memories", dueNew),
	}
}
