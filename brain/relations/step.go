// Package relations is the step of a run that completes the relations of what
// was written since the last run: relations that waited for a name, `follows`
// between outcomes of one title, and relations to a memory that became part of
// another.
package relations

import (
	"context"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/consolidate"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
)

// Step is the step. Its zero value is not usable, see [New].
type Step struct {
	base lifecycle.Base
}

// New returns the step.
func New(base lifecycle.Base) *Step { return &Step{base} }

// Name returns [consolidate.StepRelations].
func (s *Step) Name() string { return consolidate.StepRelations }

// pageSize is how many memories one transaction looks at.
const pageSize = 100

// checkpoint is the progress of the step, see [brain.MemoryReader.Written].
type checkpoint struct {
	After string `json:"after"`
}

// checkpointName is the name of the checkpoint.
const checkpointName = "relations"

// Apply makes the relations, and stores a checkpoint after each page. A run
// about one type stores none, because it leaves the other types out.
func (s *Step) Apply(ctx context.Context, scope consolidate.Scope, run brain.Run) (consolidate.Outcome, brain.Run, error) {
	var out consolidate.Outcome
	err := s.eachPage(ctx, scope, func(ids []string, next checkpoint) error {
		actions, err := s.plan(ctx, ids, scope.Now)
		if err == nil && len(actions) > 0 && !scope.DryRun { // most pages need none, and no transaction
			actions, run, err = s.apply(ctx, run, ids, scope.Now)
		}
		if err != nil {
			return err
		}
		out.Actions = append(out.Actions, actions...)
		for _, a := range actions {
			out.Related += len(a.Linked)
		}
		if scope.DryRun || scope.Type != "" {
			return nil
		}
		return s.base.PutCheckpoint(ctx, checkpointName, next)
	})
	return out, run, err
}

// eachPage calls do with the ids of the current memories that were written since
// the last run, a page at a time, and with the checkpoint behind the page.
func (s *Step) eachPage(ctx context.Context, scope consolidate.Scope, do func(ids []string, next checkpoint) error) error {
	var last checkpoint
	if err := s.base.Checkpoint(ctx, checkpointName, &last); err != nil {
		return err
	}
	_, err := s.base.EachWritten(ctx, last.After, pageSize, func(page []brain.Memory, mark string) (bool, error) {
		var ids []string
		for i := range page {
			if page[i].Current() && (scope.Type == "" || page[i].MemoryType == scope.Type) {
				ids = append(ids, page[i].ID)
			}
		}
		return true, do(ids, checkpoint{mark})
	})
	return err
}

// plan returns the actions that apply would carry out.
func (s *Step) plan(ctx context.Context, ids []string, now time.Time) ([]brain.Action, error) {
	actions, err := lifecycle.Read(ctx, s.base, func(r brain.Reader) ([]brain.Action, error) { return planPage(r, ids, now) })
	return actions, brain.Wrap(err, "plan relations")
}

// apply carries out the actions of a page in one transaction.
func (s *Step) apply(ctx context.Context, run brain.Run, ids []string, now time.Time) ([]brain.Action, brain.Run, error) {
	actions, next, err := s.base.Act(ctx, run, now, func(tx brain.Tx) ([]brain.Action, error) {
		planned, err := planPage(tx, ids, now)
		if err != nil {
			return nil, err
		}
		return planned, lifecycle.PutLinks(tx, planned...)
	})
	return actions, next, brain.Wrap(err, "make relations")
}
