package consolidate

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/brainbridge/brainbridge/brain"
)

// Checkup is the health of a brain at an instant.
type Checkup struct {
	Vitals
	OrphanIDs       []string // of entities without a typed relation
	Recommendations []string // each names a command
}

// Measures are the numbers of a brain that a run may change, or the changes in them.
type Measures struct {
	Live                 int      `json:"live"`
	Expired              int      `json:"expired"`
	Stale                int      `json:"stale"` // live, but not used for a long time
	LowEffectiveness     int      `json:"lowEffectiveness"`
	Duplicates           int      `json:"duplicates"` // awaiting review
	Orphans              int      `json:"orphans"`    // entities without a typed relation
	AverageAgeDays       *float64 `json:"averageAgeDays"`
	AverageEffectiveness *float64 `json:"averageEffectiveness"` // null without a verdict
}

// Vitals are the measures of a brain at an instant.
type Vitals struct {
	Measures
	Warnings []string `json:"warnings"` // names of the indicators that warn
}

// StoredReport is stored with a run in addition to its actions; see [ReadReport].
type StoredReport struct {
	Previous   *PreviousRun `json:"previous,omitempty"`
	DurationMs int64        `json:"durationMs"`
	Figures
	Before          *Vitals  `json:"before,omitempty"`
	After           *Vitals  `json:"after,omitempty"`
	OrphanNames     []Named  `json:"orphanNames,omitempty"`
	Recommendations []string `json:"recommendations,omitempty"`
	NextTriggers    []string `json:"nextTriggers,omitempty"`
}

// ReadReport decodes the report that is stored with a run. It is nil if there is none.
func ReadReport(run brain.Run) (*StoredReport, error) {
	if len(run.Report) == 0 {
		return nil, nil
	}
	var report StoredReport
	if err := json.Unmarshal(run.Report, &report); err != nil {
		return nil, fmt.Errorf("read the report of run %s: %w", run.ID, err)
	}
	return &report, nil
}

// hasFindings reports whether a recorded run queued a review or found memories that could
// be forgotten. Such a run has a report even if it has no actions.
func (op *operation) hasFindings() bool {
	return op.req.isRecorded() && op.report.Flagged+op.report.Candidates > 0
}

func (r *Runner) checkup(ctx context.Context) *Checkup {
	if r.o.Checkup == nil {
		return nil
	}
	c, err := r.o.Checkup(ctx)
	if err != nil {
		r.o.Warn(fmt.Errorf("measure the health of the brain: %w", err))
		return nil
	}
	return &c
}

// storeEnd stores when a full run ended, and then the report with the health after the run.
func (r *Runner) storeEnd(ctx context.Context, op *operation) error {
	triggers, err := ReadTriggers(ctx, r.base, op.numbers)
	if err != nil {
		return err
	}
	triggers.Now = op.now
	if len(op.req.Only) == 0 { // otherwise the other steps are still due
		op.setReportID()
		last := LastRun{RunID: op.report.RunID, At: op.now, Memories: triggers.memories}
		if err := r.base.PutCheckpoint(ctx, fullRunCheckpoint, last); err != nil {
			return fmt.Errorf("store the end of the run: %w", err)
		}
	}
	if op.run.Actions == 0 && !op.hasFindings() {
		return nil
	}
	report := StoredReport{Figures: op.report.Figures, NextTriggers: triggers.Next()}
	if last := triggers.Last; !last.At.IsZero() {
		report.Previous = &PreviousRun{Date: last.At}
		if last.RunID != "" {
			report.Previous.RunID = &last.RunID
		}
	}
	if op.before != nil {
		report.Before = &op.before.Vitals
	}
	if after := r.checkup(ctx); after != nil {
		report.After, report.Recommendations = &after.Vitals, after.Recommendations
		orphans, err := r.base.Memories(ctx, after.OrphanIDs...)
		if err != nil {
			return fmt.Errorf("read the orphans: %w", err)
		}
		report.OrphanNames = brain.Map(orphans, func(m brain.Memory) Named { return named(&m) })
	}
	report.DurationMs = time.Since(op.started).Milliseconds()
	raw, err := json.Marshal(report)
	if err != nil {
		return fmt.Errorf("encode the report of the run: %w", err)
	}
	op.run.Report = raw
	if op.run.Finished.IsZero() {
		op.run.Finished = r.base.Now()
	}
	return r.base.PutRun(ctx, op.run)
}
