package tiers

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// StepKind is the kind of a Step.
type StepKind string

// The kinds of steps, named as in the journal.
const (
	Promote StepKind = "promote"
	Expire  StepKind = "expire"
	Revive  StepKind = "revive"
)

// Step is one change of tier.
//
// For Promote, Before is the state before it and After that of the new memory; Before becomes
// Archive(Before, After.ValidFrom). Expire and Revive change the memory itself from Before to
// After.
type Step struct {
	Kind          StepKind
	From, To      Tier
	At            time.Time // when it fell due, not when it was settled; of Revive, when it was settled
	Energy        float64   // at that instant; if the state is newer, that of its beginning
	Reason        string    // a short sentence for people
	Before, After State
}

// Settle brings s up to now and returns the steps, oldest first. A memory that is due is
// promoted as of PromoteDue, more than once if that makes it due again; past its expiry it
// is expired as of that instant. If the clock went back, the last write counts as now. If a
// run whose clock was ahead expired s too early, a Revive step takes the expiry back.
//
// Without steps s is returned unchanged, except that a missing or outdated ExpiresAt is
// corrected as by Recompute.
func (p *Policy) Settle(s State, now time.Time) ([]Step, State) {
	var steps []Step
	at := s.clock(now)
	if s.tooEarly(at) {
		steps = append(steps, p.unexpire(s, at))
		s = steps[0].After
	}
	for s.due() && millis(s.PromoteDue) <= at {
		step := p.promote(s)
		steps, s = append(steps, step), step.After
	}
	if !s.Tier.fading() {
		return steps, s
	}
	s.ExpiresAt = p.expiresAt(&s)
	if !s.ExpiresAt.IsZero() && millis(s.ExpiresAt) <= at {
		step := p.expire(s)
		steps, s = append(steps, step), step.After
	}
	return steps, s
}

func (p *Policy) promote(s State) Step {
	f := s.own()
	due := cut(s.PromoteDue)
	at := max(millis(due), f.from)
	energy := f.at(p, at)
	to, _ := s.Tier.Next()

	after := s
	after.Tier = to
	after.ValidFrom, after.ValidTo = due, time.Time{}
	if s.ValidFrom.After(due) { // its text is newer: a note was edited, or it took over the state of one that it replaced
		after.ValidFrom = cut(s.ValidFrom)
	}
	after.PromoteDue = time.Time{}
	after.rebase(energy, at)
	p.setDueTimes(&after)
	return Step{
		Kind: Promote, From: s.Tier, To: to, At: due, Energy: energy,
		Reason: p.promotedBecause(s.Tier, energy, s.SessionCount),
		Before: s, After: after,
	}
}

func (p *Policy) expire(s State) Step {
	x := s.ExpiresAt
	energy := s.own().at(p, millis(x))
	after := p.Decay(s, x)
	after.Tier, after.ExpiredFrom = Expired, s.Tier
	after.ValidTo, after.PromoteDue = x, time.Time{}
	return Step{
		Kind: Expire, From: s.Tier, To: Expired, At: x, Energy: energy,
		Reason: "energy fell below " + digits(p.ExpireBelow, 2) + " at " + stamp(x),
		Before: s, After: after,
	}
}

func (p *Policy) unexpire(s State, now int64) Step {
	after := s
	after.Tier, after.ExpiredFrom = s.ExpiredFrom, ""
	after.ExpiresAt, after.ValidTo = s.ValidTo, time.Time{}
	return Step{
		Kind: Revive, From: Expired, To: after.Tier, At: instant(now), Energy: s.own().at(p, now),
		Reason: "the clock went back: it expires at " + stamp(s.ValidTo),
		Before: s, After: after,
	}
}

// setDueTimes sets PromoteDue and ExpiresAt of a state that was just written.
func (p *Policy) setDueTimes(s *State) {
	_, at := s.base()
	promotes := p.promotes(s.Tier, s.Energy, s.SessionCount)
	if promotes && !s.Entity && s.PromoteDue.IsZero() {
		s.PromoteDue = instant(at)
	}
	s.ExpiresAt = p.expiresAt(s)
}

// Archive returns the archived state of s after its promotion at the instant at. ExpiresAt
// and PromoteDue are null, so no run settles it. A state in a tier without promotion is
// returned unchanged.
func Archive(s State, at time.Time) State {
	tier, ok := s.Tier.Archived()
	if !ok {
		return s
	}
	s.Tier = tier
	s.ValidTo = cut(at)
	s.ExpiresAt, s.PromoteDue = time.Time{}, time.Time{}
	return s
}

// promotedBecause returns the reason why the rules promote a memory out of t. None of them may hold
// any more if the numbers were changed after the promotion fell due.
func (p *Policy) promotedBecause(t Tier, energy float64, sessions int) string {
	threshold, needed, _ := p.toLeave(t)
	has, limit := digits(energy, 2), digits(threshold, 2)
	switch {
	case energy > threshold && has == limit:
		return "energy rose above " + limit
	case energy > threshold:
		return fmt.Sprintf("energy %s rose above %s", has, limit)
	case sessions >= needed && sessions == 1:
		return "used in 1 session"
	case sessions >= needed:
		return fmt.Sprintf("used in %d sessions", sessions)
	}
	return "was due for promotion"
}

func revivedByUse(expired time.Time) string {
	if expired.IsZero() {
		return "used again after it expired"
	}
	return fmt.Sprintf("used again after it expired at %s", stamp(expired))
}

// stamp writes an instant.
func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// digits writes v with n decimals, but never a positive number as zero.
func digits(v float64, n int) string {
	text := strconv.FormatFloat(v, 'f', n, 64)
	if v > 0 && strings.Trim(text, "0.") == "" {
		return strconv.FormatFloat(v, 'g', 3, 64)
	}
	return text
}
