package consolidate

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/forget"
)

// Forget is the step that forgets memories if a person agreed or consolidate.forget is on,
// and otherwise lists them. It considers entities only in runs that a person starts.
type Forget struct {
	forget *forget.Service
	always bool
}

// NewForget returns the step. If always is set, every run forgets.
func NewForget(f *forget.Service, always bool) *Forget { return &Forget{f, always} }

// Name returns [StepForget].
func (f *Forget) Name() string { return StepForget }

// Listed is the number of candidates that a run lists if it forgets none. A dry run lists all.
const Listed = forget.ForgetPage

// Apply forgets the candidates, or lists the longest idle of them, up to [Listed]. If
// forgetting fails, it lists those that are left.
func (f *Forget) Apply(ctx context.Context, s Scope, run brain.Run) (Outcome, brain.Run, error) {
	var out Outcome
	if s.Unread != nil {
		return out, run, fmt.Errorf("the thresholds are not known: %w", s.Unread)
	}
	var failed error
	forgets, most := f.always || s.Forget, Listed
	if s.DryRun {
		most = math.MaxInt
	}
	scope := forget.Scope{Now: s.Now, Numbers: s.Numbers.Forget, Type: s.Type, Entities: s.ByPerson}
	err := eachPage(s, f.forget.Candidates(ctx, scope), func(page []forget.Candidate) (more bool, err error) {
		if forgets && !s.DryRun && failed == nil {
			done, skipped, next, err := f.forget.ForgetFound(ctx, run, page)
			run = next
			out.Actions, out.Skipped = append(out.Actions, done...), out.Skipped+skipped
			if err == nil || ctx.Err() != nil {
				return true, err
			}
			failed = err
			page = slices.DeleteFunc(page, func(c forget.Candidate) bool {
				return slices.ContainsFunc(done, func(a brain.Action) bool { return slices.Contains(a.IDs, c.Memory.ID) })
			})
		}
		planned := brain.Map(page, func(c forget.Candidate) brain.Action {
			return plannedAction(brain.ActForget, c.Memory, c.Reason, s.Now)
		})
		if forgets && failed == nil {
			out.Actions = append(out.Actions, planned...)
			return true, nil
		}
		out.Listed = append(out.Listed, planned[:min(len(planned), most-len(out.Listed))]...)
		return len(out.Listed) < most, nil
	})
	out.Candidates = len(out.Listed)
	return out, run, errors.Join(failed, err)
}

// eachPage calls do with each page of candidates that is not empty until do returns false.
func eachPage[C any](s Scope, pages iter.Seq2[[]C, error], do func(page []C) (more bool, err error)) error {
	found := 0
	for page, err := range pages {
		if err != nil {
			return err
		}
		if len(page) == 0 {
			continue
		}
		more, err := do(page)
		if err != nil || !more {
			return err
		}
		found += len(page)
		s.Progress(found, 0)
	}
	return nil
}
