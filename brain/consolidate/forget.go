package consolidate

import (
	"context"
	"fmt"
	"slices"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/journal"
)

// Forget is the step that forgets memories if a person agreed or consolidate.forget is on,
// and otherwise, or if the clock may be ahead, lists them. It considers entities only in runs that a person starts.
type Forget struct {
	forget *journal.Service
	always bool
}

// NewForget returns the step. If always is set, every run forgets.
func NewForget(f *journal.Service, always bool) *Forget { return &Forget{f, always} }

// Name returns [StepForget].
func (f *Forget) Name() string { return StepForget }

// MaxListed is the number of candidates that a run lists if it forgets none. A dry run lists all.
const MaxListed = journal.ForgetPage

// Apply forgets the candidates, or lists the longest idle of them, up to [MaxListed]. If
// forgetting fails, it lists those that are left.
func (f *Forget) Apply(ctx context.Context, s Scope, run brain.Run) (Outcome, brain.Run, error) {
	var out Outcome
	if s.NumbersErr != nil {
		return out, run, fmt.Errorf("the thresholds are not known: %w", s.NumbersErr)
	}
	scope := journal.ForgetScope{Now: s.Now, Numbers: s.Numbers.Forget, Type: s.Type, Entities: s.ByPerson}
	left, failed := f.forget.Forgettable(ctx, scope)
	s.Progress(len(left), 0)
	forgets := failed == nil && (f.always || s.Forget) && !s.Doubtful
	for !s.DryRun && forgets && failed == nil && len(left) > 0 {
		page := left[:min(len(left), MaxListed)]
		done, skipped, next, err := f.forget.ForgetFound(ctx, run, page)
		run, failed = next, err
		out.Actions, out.Skipped = append(out.Actions, withoutStates(done)...), out.Skipped+skipped
		if err == nil {
			left = left[len(page):]
			continue
		}
		forgotten := map[string]bool{}
		for _, a := range done {
			for _, id := range a.IDs {
				forgotten[id] = true
			}
		}
		left = slices.DeleteFunc(left, func(c journal.Forgettable) bool { return forgotten[c.ID] || ctx.Err() != nil })
	}
	planned := brain.Map(left, func(c journal.Forgettable) brain.Action {
		return brain.Action{Kind: brain.ActForget, IDs: []string{c.ID}, Reason: c.Reason, At: s.Now}
	})
	switch {
	case forgets && failed == nil:
		out.Actions = append(out.Actions, planned...)
	case s.DryRun:
		out.OnRequest = planned
	default:
		out.OnRequest = planned[:min(len(planned), MaxListed)]
	}
	out.Candidates = len(out.OnRequest)
	return out, run, failed
}
