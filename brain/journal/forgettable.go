package journal

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/tiers"
)

// ForgetScope selects the memories among which [Service.Forgettable] searches.
type ForgetScope struct {
	Now      time.Time
	Numbers  tiers.ForgetNumbers
	Type     string // "" for all
	Entities bool   // include entities
}

// Forgettable is a memory that may be forgotten. There may be very many of them.
type Forgettable struct {
	ID, Reason        string
	Version, UseCount int       // as it was found
	IdleSince         time.Time // see [brain.Memory.IdleSince]
}

// Forgettable returns the memories that may be forgotten by [ReasonToForget], longest idle first, as if
// everything due at Now were settled. It reads every live and expired memory.
func (s *Service) Forgettable(ctx context.Context, scope ForgetScope) (found []Forgettable, err error) {
	defer func() { err = brain.Wrap(err, "find what may be forgotten") }()
	for ms, err := range s.base.Pages(ctx, brain.ListFilter{Type: scope.Type}) {
		if err != nil {
			return nil, err
		}
		page, err := s.ForgettableAmong(ctx, scope, ms)
		if err != nil {
			return nil, err
		}
		found = append(found, page...)
	}
	slices.SortFunc(found, func(a, b Forgettable) int {
		return cmp.Or(a.IdleSince.Compare(b.IdleSince), cmp.Compare(a.ID, b.ID))
	})
	return found, nil
}

// ForgettableAmong returns those of some memories that [Service.Forgettable] returns.
func (s *Service) ForgettableAmong(ctx context.Context, scope ForgetScope, ms []brain.Memory) ([]Forgettable, error) {
	return lifecycle.Read(ctx, s.base, func(r brain.Reader) ([]Forgettable, error) { return scope.judged(r, ms) })
}

// judged returns the memories of a page that may be forgotten.
func (s ForgetScope) judged(r brain.Reader, ms []brain.Memory) ([]Forgettable, error) {
	policy, err := brain.ReadPolicy(r)
	if err != nil {
		return nil, err
	}
	var page []Forgettable
	sources := map[string]string{} // by memory
	settled := lifecycle.Settle(policy, ms, s.Now).Settled
	for _, m := range ms {
		as := settled[m.ID]
		as.ID = m.ID // a promotion that is not written yet has no id
		reason := ReasonToForget(as, s.Numbers, s.Now)
		if reason != "" && (s.Entities || as.Tier == tiers.Expired) {
			page = append(page, Forgettable{m.ID, reason, m.Version, m.UseCount, m.IdleSince()})
			sources[m.ID] = m.SourceNodeID
		}
	}
	if len(page) == 0 {
		return nil, nil
	}
	held, err := readHeld(r, sources)
	return slices.DeleteFunc(page, func(c Forgettable) bool { return held[c.ID] }), err
}

// readHeld returns those memories, each with its source, whose outcome is still in its note or
// whose reminder is open.
func readHeld(r brain.Reader, sources map[string]string) (map[string]bool, error) {
	rels, err := r.Relations(slices.Sorted(maps.Keys(sources))...)
	of := map[string][]string{} // memories by source
	for id, source := range sources {
		of[source] = append(of[source], id)
	}
	for _, rel := range rels {
		if rel.Type == brain.HasMemory {
			of[rel.From] = append(of[rel.From], rel.To)
		}
	}
	delete(of, "")
	ss := lifecycle.Get(&err, r.Sources, slices.Sorted(maps.Keys(of))...)
	if err != nil {
		return nil, err
	}
	inNote := map[string]bool{} // files by their hash: whether it is a note
	for i := range ss {
		inNote[brain.Hash(ss[i].Dir, ss[i].File)] = false
	}
	notes, err := r.Records(brain.NoteFileRecord, slices.Sorted(maps.Keys(inNote))...)
	for _, rec := range notes {
		inNote[rec.ID] = true
	}
	held := map[string]bool{}
	for i := range ss {
		s := &ss[i]
		written := s.Kind == brain.Outcome && s.Removed.IsZero() && inNote[brain.Hash(s.Dir, s.File)]
		if written || s.Kind == brain.Reminder && s.Done.IsZero() {
			for _, id := range of[s.ID] {
				held[id] = true
			}
		}
	}
	return held, err
}

// ForgetFound forgets candidates as the next actions of a run. They are archived together
// and then removed. A candidate that has changed or was used since it was found is skipped
// and counted. After an error, finished actions stay.
func (s *Service) ForgetFound(ctx context.Context, run brain.Run, found []Forgettable) (done []brain.Action, skipped int, next brain.Run, err error) {
	err = lifecycle.Retry(func() error {
		plans, err := s.planFound(ctx, found)
		if err != nil {
			return err
		}
		some, err := s.ApplyForget(ctx, plans, &run, "")
		done = append(done, some...)
		return err
	})
	if err != nil && !errors.Is(err, brain.ErrConflict) {
		return done, 0, run, err
	}
	return done, len(found) - len(done), run, nil
}

// planFound plans the candidates that have not changed.
func (s *Service) planFound(ctx context.Context, found []Forgettable) ([]Forgetting, error) {
	plans, err := lifecycle.Read(ctx, s.base, func(r brain.Reader) ([]Forgetting, error) {
		ms, err := r.Memories(brain.Map(found, func(c Forgettable) string { return c.ID })...)
		if err != nil {
			return nil, err
		}
		wanted := map[string]Forgettable{}
		for _, c := range found {
			wanted[c.ID] = c
		}
		ms = slices.DeleteFunc(ms, func(m brain.Memory) bool {
			was := wanted[m.ID]
			return m.Version != was.Version || m.UseCount != was.UseCount
		})
		plans, err := PlanMemories(r, ms...)
		for i := range plans {
			plans[i].reason, plans[i].idle = wanted[plans[i].Memory.ID].Reason, true
		}
		return plans, err
	})
	return plans, brain.Wrap(err, "plan what to forget")
}

// ReasonToForget returns the reason why the rule allows a memory to be forgotten, "" if it must be
// kept. The rule allows it for expired memories, and for entities (which do not expire),
// that were not used for a long time and were of little use. Core, permanent and critical
// memories are kept. m must be settled at now; a day is 24 hours.
func ReasonToForget(m brain.Memory, n tiers.ForgetNumbers, now time.Time) string {
	if m.Tier != tiers.Expired && (!m.Entity || m.Tier == tiers.Core) || !m.Current() || mustStay(&m) {
		return ""
	}
	used := m.IdleSince()
	if used.IsZero() {
		return ""
	}
	idle := now.Sub(used)
	switch {
	case !m.LastUsed.IsZero() && idle <= tiers.ForgetIdleDays*brain.Day:
		return ""
	case m.Retention == brain.RetainTemporary:
		if idle < tiers.ForgetTemporaryDays*brain.Day {
			return ""
		}
		return "temporary, " + unusedFor(&m, idle)
	case idle <= time.Duration(n.AfterDays)*brain.Day:
		return ""
	case m.UseCount < n.MinUses:
		return unusedFor(&m, idle) + usedTimes(&m)
	}
	if e := m.Effectiveness(); e != nil && *e < n.Effectiveness {
		return fmt.Sprintf("%s, effectiveness %.2f", unusedFor(&m, idle), *e)
	}
	return ""
}

// mustStay reports whether a memory is never forgotten by a rule.
func mustStay(m *brain.Memory) bool {
	return m.Retention == brain.RetainCore || m.Retention == brain.RetainPermanent ||
		m.Importance == brain.Critical || m.Severity == string(brain.Critical)
}

func unusedFor(m *brain.Memory, idle time.Duration) string {
	if m.LastUsed.IsZero() && m.UseCount == 0 {
		return fmt.Sprintf("never used in %d days", int(idle/brain.Day))
	}
	return fmt.Sprintf("not used for %d days", int(idle/brain.Day))
}

func usedTimes(m *brain.Memory) string {
	switch m.UseCount {
	case 0:
		return ""
	case 1:
		return ", used once"
	}
	return fmt.Sprintf(", used %d times", m.UseCount)
}
