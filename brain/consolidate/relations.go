package consolidate

import (
	"context"
	"slices"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
)

// Relations is the step of a run that completes the relations of what was written since the
// last run: relations that waited for a name, `follows` between outcomes of one title, and
// relations to a memory that became part of another. Its zero value is not usable.
type Relations struct {
	base lifecycle.Base
}

// NewRelations returns the step.
func NewRelations(base lifecycle.Base) *Relations { return &Relations{base} }

// Name returns [StepRelations].
func (s *Relations) Name() string { return StepRelations }

const pageSize = 100 // memories that one transaction reads

// relationsDone is the progress of the step, see [brain.MemoryLister.Written].
type relationsDone struct {
	After string `json:"after"`
}

// relationsCheckpoint is the name of the relationsDone.
const relationsCheckpoint = "relations"

// Apply completes the relations of the current memories that were written since the last
// run, and stores a relationsDone after each page. A run about one type stores none, because
// it leaves the other types out.
func (s *Relations) Apply(ctx context.Context, scope Scope, run brain.Run) (Outcome, brain.Run, error) {
	var out Outcome
	var last relationsDone
	if err := s.base.Checkpoint(ctx, relationsCheckpoint, &last); err != nil {
		return out, run, err
	}
	_, err := s.base.EachWritten(ctx, last.After, pageSize, func(page []brain.Memory, mark string) (bool, error) {
		ids := brain.IDs(slices.DeleteFunc(page, func(m brain.Memory) bool {
			return !m.Current() || scope.Type != "" && m.MemoryType != scope.Type
		}))
		actions, next, err := s.complete(ctx, scope, run, ids)
		if err != nil {
			return false, err
		}
		run, out.Actions = next, append(out.Actions, actions...)
		for _, a := range actions {
			out.Related += len(a.Linked)
		}
		if scope.DryRun || scope.Type != "" {
			return true, nil
		}
		return true, s.base.PutCheckpoint(ctx, relationsCheckpoint, relationsDone{mark})
	})
	return out, run, err
}

// complete plans the actions of a page and applies them, except in a dry run.
func (s *Relations) complete(ctx context.Context, scope Scope, run brain.Run, ids []string) ([]brain.Action, brain.Run, error) {
	planned, err := lifecycle.Read(ctx, s.base, func(r brain.Reader) ([]brain.Action, error) { return planPage(r, ids, scope.Now) })
	if err != nil || len(planned) == 0 || scope.DryRun {
		return planned, run, brain.Wrap(err, "plan relations")
	}
	actions, next, err := s.base.Act(ctx, run, scope.Now, func(tx brain.Tx) ([]brain.Action, error) {
		planned, err := planPage(tx, ids, scope.Now)
		if err != nil {
			return nil, err
		}
		return planned, lifecycle.PutLinks(tx, planned...)
	})
	return actions, next, brain.Wrap(err, "make relations")
}
