package tiers

import (
	"slices"
	"time"
)

// Timeline is the history of policies, oldest first and without gaps: each one
// is in force until the next begins, the first one also before its ValidFrom.
// Make it with NewTimeline; it is never empty.
//
// History is not rewritten: a new policy begins later than every instant at
// which memories were written or settled under the one before it. Append sees
// to that for a clock that only goes forward.
type Timeline []Policy

// NewTimeline sorts policies by ValidFrom, closes each where the next begins
// and opens the last. Of several with the same ValidFrom the last given counts.
// Without any it holds DefaultPolicy.
func NewTimeline(policies ...Policy) Timeline {
	if len(policies) == 0 {
		return Timeline{DefaultPolicy()}
	}
	sorted := slices.Clone(policies)
	for i := range sorted {
		sorted[i].ValidFrom = cut(sorted[i].ValidFrom)
		sorted[i].ValidTo = time.Time{}
	}
	slices.SortStableFunc(sorted, func(a, b Policy) int { return a.ValidFrom.Compare(b.ValidFrom) })
	tl := make(Timeline, 0, len(sorted))
	for _, p := range sorted {
		if n := len(tl); n > 0 && tl[n-1].ValidFrom.Equal(p.ValidFrom) {
			tl = tl[:n-1]
		}
		if n := len(tl); n > 0 {
			tl[n-1].ValidTo = p.ValidFrom
		}
		tl = append(tl, p)
	}
	return tl
}

// Append returns tl with p in force from the next whole millisecond after the
// instant at on, or after the last policy began if that is later.
func (tl Timeline) Append(p Policy, at time.Time) Timeline {
	last := tl.Current()
	from := millis(at) + 1
	if !last.ValidFrom.IsZero() {
		from = max(from, millis(last.ValidFrom)+1)
	}
	p.ValidFrom = instant(from)
	return NewTimeline(append(slices.Clone(tl), p)...)
}

// At returns the policy in force at t.
func (tl Timeline) At(t time.Time) Policy {
	return *tl.policyAt(millis(t))
}

// Current returns the last policy.
func (tl Timeline) Current() Policy { return tl[len(tl)-1] }

func (tl Timeline) policyAt(at int64) *Policy {
	i := len(tl) - 1
	for i > 0 && millis(tl[i].ValidFrom) > at {
		i--
	}
	return &tl[i]
}

// changedAfter reports whether a policy began later than at.
func (tl Timeline) changedAfter(at int64) bool {
	return len(tl) > 1 && millis(tl[len(tl)-1].ValidFrom) > at
}

// span is a part of the timeline in which one policy is in force:
// from (inclusive) to (exclusive), in milliseconds.
type span struct {
	policy   *Policy
	from, to int64
}

// spans calls yield for every span that [from, to) has with a policy, oldest
// first, until it returns false.
func (tl Timeline) spans(from, to int64, yield func(span) bool) {
	for i := range tl {
		sp := span{&tl[i], from, to}
		if i > 0 {
			sp.from = max(from, millis(tl[i].ValidFrom))
		}
		if i+1 < len(tl) {
			sp.to = min(to, millis(tl[i+1].ValidFrom))
		}
		if sp.from < sp.to && !yield(sp) {
			return
		}
	}
}
