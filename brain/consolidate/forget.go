package consolidate

import (
	"context"
	"errors"
	"fmt"
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

// MaxListed is the number of candidates that a run lists if it forgets none. A dry run lists all.
const MaxListed = forget.ForgetPage

// Apply forgets the candidates, or lists the longest idle of them, up to [MaxListed]. If
// forgetting fails, it lists those that are left.
func (f *Forget) Apply(ctx context.Context, s Scope, run brain.Run) (Outcome, brain.Run, error) {
	var out Outcome
	if s.NumbersErr != nil {
		return out, run, fmt.Errorf("the thresholds are not known: %w", s.NumbersErr)
	}
	var failed error
	found := 0
	forgets, most := f.always || s.Forget, MaxListed
	if s.DryRun {
		most = math.MaxInt
	}
	scope := forget.Scope{Now: s.Now, Numbers: s.Numbers.Forget, Type: s.Type, Entities: s.ByPerson}
	for page, err := range f.forget.Candidates(ctx, scope) {
		if err != nil {
			failed = errors.Join(failed, err)
			break
		}
		found += len(page)
		s.Progress(found, 0)
		if forgets && !s.DryRun && failed == nil {
			done, skipped, next, err := f.forget.ForgetFound(ctx, run, page)
			run = next
			out.Actions, out.Skipped = append(out.Actions, done...), out.Skipped+skipped
			if failed = err; err == nil {
				continue
			}
			if ctx.Err() != nil {
				break
			}
			page = slices.DeleteFunc(page, func(c forget.Candidate) bool {
				return slices.ContainsFunc(done, func(a brain.Action) bool { return slices.Contains(a.IDs, c.Memory.ID) })
			})
		}
		planned := brain.Map(page, func(c forget.Candidate) brain.Action {
			return plannedAction(brain.ActForget, c.Memory, c.Reason, s.Now)
		})
		if forgets && failed == nil {
			out.Actions = append(out.Actions, planned...)
			continue
		}
		if out.OnRequest = append(out.OnRequest, planned[:min(len(planned), most-len(out.OnRequest))]...); len(out.OnRequest) == most {
			break
		}
	}
	out.Candidates = len(out.OnRequest)
	return out, run, failed
}
