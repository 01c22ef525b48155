package app

import (
	"context"
	"fmt"
	"time"

	"github.com/dustin/go-humanize/english"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/capture"
	"github.com/brainbridge/brainbridge/brain/consolidate"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/tiers"
)

// ConsolidateRequest asks for a run of all steps.
type ConsolidateRequest struct {
	Type    *string // the steps consider only memories of this type; nil: all types
	Only    string  // the only step to apply besides settling; "": all
	NoModel bool
	Forget  bool // the person agreed to what the run forgets
	IfDue   bool // nothing is done unless a run is due
	Wait    time.Duration

	// Options of the step that merges duplicates; nil is the default.
	Similarity             *float64
	MinCluster, MaxCluster *int // the model takes no larger clusters than it does by default

	// Options of the step that asks the model; nil is the default.
	Batch           *int // clusters at most
	IdempotencyDays *int
	NoResume        bool // start from the beginning even if an earlier run ended early
}

// check refuses values out of range.
func (r ConsolidateRequest) check() error {
	const clusterHint = "give a number from 2 to 1000"
	outside := func(n *int) bool { return n != nil && (*n < 2 || *n > 1000) }
	fewest, most := or(r.MinCluster, 2), or(r.MaxCluster, tiers.MaxCluster)
	switch {
	case r.Type != nil && !capture.IsType(*r.Type):
		return invalid("use a word such as note, decision or preference", "%.40q is not a type of a memory", *r.Type)
	case r.Similarity != nil && !(*r.Similarity >= 0.5 && *r.Similarity <= 1): // NaN too; below a half, texts are unrelated
		return invalid("give a number from 0.5 to 1; 0.7 is the default", "a similarity of %v is out of range", *r.Similarity)
	case outside(r.MinCluster):
		return invalid(clusterHint, "a minimum of %d memories in a cluster is out of range", *r.MinCluster)
	case outside(r.MaxCluster):
		return invalid(clusterHint, "a maximum of %d memories in a cluster is out of range", *r.MaxCluster)
	case most < fewest:
		return invalid("give a larger maximum", "no cluster has at least %d and at most %d memories", fewest, most)
	case r.Batch != nil && *r.Batch < 1:
		return invalid("leave it out for all clusters", "a batch cannot be %d clusters", *r.Batch)
	case r.IdempotencyDays != nil && (*r.IdempotencyDays < 0 || *r.IdempotencyDays > 36500):
		return invalid("from 0 to 36500; 0 leaves nothing out", "%d idempotency days are out of range", *r.IdempotencyDays)
	}
	return nil
}

func (r ConsolidateRequest) run(u *UseCases) consolidate.Request {
	req := u.request(brain.RunConsolidate, r.Wait)
	req.Type = or(r.Type, "")
	if r.Only != "" {
		req.Only = []string{r.Only}
	}
	if r.NoModel {
		req.Skip = []string{consolidate.StepModel}
	}
	// Without Forget a run lists what it could forget. A dry run of that step lists what it would forget.
	req.Forget = r.Forget || req.DryRun && r.Only == consolidate.StepForget
	return req
}

// ConsolidateAnswer is the report of a run.
type ConsolidateAnswer struct {
	consolidate.Report
	// These hide the fields of Report with the same JSON names.
	RunID      brain.OrNull `json:"runId"` // null if nothing was done
	Promoted   int          `json:"promoted"`
	Backup     brain.OrNull `json:"backup"`
	DurationMs int64        `json:"durationMs"`

	Embedded    int    `json:"embedded"` // texts that got a vector
	NotDue      string `json:"-"`        // why nothing was run, if the request has IfDue
	CuratedFile string `json:"-"`        // MEMORY.md if it was written, else ""
}

func (u *UseCases) reported(rep consolidate.Report) ConsolidateAnswer {
	rep.DryRun, rep.Actions = u.caller.DryRun, append([]consolidate.Action{}, rep.Actions...)
	a := ConsolidateAnswer{
		Report: rep, RunID: brain.OrNull(rep.RunID), Promoted: len(rep.Promoted), Backup: brain.OrNull(rep.Backup),
		DurationMs: rep.Duration.Milliseconds(),
	}
	if rep.Curated > 0 {
		a.CuratedFile = u.app.Settings.Paths.MemoryMD
	}
	return a
}

// Consolidate settles and applies all steps. Without Forget it lists what it could forget.
func (u *UseCases) Consolidate(ctx context.Context, r ConsolidateRequest) (ConsolidateAnswer, error) {
	if err := r.check(); err != nil {
		return ConsolidateAnswer{}, err
	}
	b := u.services(ctx)
	if r.IfDue {
		due, reason, err := runDue(ctx, b)
		if err != nil || !due {
			a := u.reported(consolidate.Report{})
			a.NotDue = reason
			return a, err
		}
		u.caller.Notices.Info("a run is due: " + reason)
	}
	embeds := !u.caller.DryRun && r.Only == ""
	embedded, notEmbedded := 0, error(nil)
	if embeds { // first, because the steps compare vectors
		embedded, notEmbedded = u.embedTexts(ctx, b, true)
	}
	rep, err := u.Runner(b, r).Run(ctx, r.run(u))
	if err != nil && !rep.DryRun && rep.RunID != "" {
		u.caller.Notices.Info(fmt.Sprintf("%s before that; run `brainbridge consolidate` to continue, or undo with: brainbridge undo %.8s",
			english.Plural(len(rep.Done()), "action", ""), rep.RunID))
	}
	if embeds && err == nil && notEmbedded == nil { // so that recall by meaning finds what was merged
		var more int
		more, notEmbedded = u.embedTexts(ctx, b, true)
		embedded += more
	}
	if notEmbedded != nil && ctx.Err() == nil {
		u.caller.Notices.Warn(notEmbedded) // the next run continues with it
	}
	a := u.reported(rep)
	a.Embedded = embedded
	return a, err
}

// AsksToForget reports whether a person is asked before a run forgets something.
func (u *UseCases) AsksToForget(r ConsolidateRequest) bool {
	return !r.Forget && !u.caller.DryRun && !u.app.Settings.Config.Consolidate.Forget
}

// runDue reports whether a run of all steps is due, and why or why not.
func runDue(ctx context.Context, b *services.Services) (due bool, reason string, err error) {
	numbers, err := b.Base.Numbers(ctx)
	if err != nil {
		return false, "", err
	}
	triggers, err := consolidate.ReadTriggers(ctx, b.Base, numbers)
	if err != nil {
		return false, "", err
	}
	due, reason = triggers.Due()
	return due, reason, nil
}
