package brain

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/brainbridge/brainbridge/tiers"
)

// HistoryEvent is one thing that happened to a memory.
type HistoryEvent struct {
	At      time.Time  `json:"at"`
	Kind    string     `json:"kind"` // capture, an action kind, boost, access, recall, or a verdict
	Memory  string     `json:"memory"`
	Reason  string     `json:"reason"`
	Run     string     `json:"run,omitempty"`
	Session string     `json:"session,omitempty"`
	Undone  *time.Time `json:"undone,omitempty"`
}

// History is everything that ever happened to a memory and to those it came
// from, oldest first.
func (b *Brain) History(ctx context.Context, id string) (Memory, []HistoryEvent, error) {
	var m Memory
	var events []HistoryEvent
	err := b.store.View(ctx, func(r Reader) error {
		found, err := resolve(r, id)
		if err != nil {
			return err
		}
		m = found.memory
		events, err = history(r, m)
		return err
	})
	return m, events, err
}

func history(r Reader, m Memory) ([]HistoryEvent, error) {
	older, err := predecessors(r, m)
	if err != nil {
		return nil, err
	}
	var roots []string
	var events []HistoryEvent
	for _, m := range append([]Memory{m}, older...) {
		if !slices.Contains(roots, m.Root) {
			roots = append(roots, m.Root)
		}
	}
	first := m
	if len(older) > 0 {
		first = older[len(older)-1]
	}
	events = append(events, HistoryEvent{
		At: first.Created, Kind: "capture", Memory: first.ID,
		Reason: fmt.Sprintf("%s, energy %.2f", first.MemoryType, first.PeakEnergy), Session: first.SessionID,
	})
	if events, err = actionEvents(r, roots, events); err != nil {
		return nil, err
	}
	if events, err = useEvents(r, roots, events); err != nil {
		return nil, err
	}
	slices.SortStableFunc(events, func(a, z HistoryEvent) int { return a.At.Compare(z.At) })
	return events, nil
}

func actionEvents(r Reader, roots []string, events []HistoryEvent) ([]HistoryEvent, error) {
	recs, err := r.RecordsByKey(ActionRecord, roots...)
	if err != nil {
		return nil, err
	}
	actions, err := bodies[Action](recs)
	for _, a := range actions {
		events = append(events, HistoryEvent{
			At: a.At, Kind: string(a.Kind), Memory: a.IDs[0], Reason: a.Reason,
			Run: a.RunID, Undone: optional(a.Undone),
		})
	}
	return events, err
}

func useEvents(r Reader, roots []string, events []HistoryEvent) ([]HistoryEvent, error) {
	uses, err := r.RecordsByOwner(UseEventRecord, roots...)
	if err != nil {
		return nil, err
	}
	touches, err := r.RecordsByOwner(TouchRecord, roots...)
	if err != nil {
		return nil, err
	}
	for _, rec := range append(uses, touches...) {
		e, err := body[UseEvent](rec)
		if err != nil {
			return nil, err
		}
		if rec.Kind == TouchRecord && e.Kind != eventRecall {
			continue // a mark beside the use itself
		}
		reason := fmt.Sprintf("energy +%.2f", e.Energy)
		if e.Context != "" {
			reason = "in " + e.Context
		}
		events = append(events, HistoryEvent{At: rec.At, Kind: e.Kind, Memory: e.Memory, Reason: reason, Session: e.Session})
	}
	return events, nil
}

// Why says why a memory stands where it stands.
type Why struct {
	Memory      View           `json:"memory"`
	StoredTier  tiers.Tier     `json:"storedTier"`
	SettledTier tiers.Tier     `json:"settledTier"` // what a run would make of it now
	PromoteDue  *time.Time     `json:"promoteDue"`
	HalfLife    *float64       `json:"halfLifeHours"` // null where nothing fades
	Sessions    int            `json:"sessions"`
	Uses        int            `json:"uses"`
	Recalls     int            `json:"recalls"`
	Reasons     []string       `json:"reasons"`
	Events      []HistoryEvent `json:"events"` // the last ones
}

// whyEvents is how many events a Why shows.
const whyEvents = 5

// Why explains a memory: its energy, due instants and last events.
func (b *Brain) Why(ctx context.Context, id string) (Why, error) {
	now := b.Now()
	var out Why
	err := b.store.View(ctx, func(r Reader) error {
		found, err := resolve(r, id)
		if err != nil {
			return err
		}
		m := found.memory
		v, err := newViewer(r, now, m)
		if err != nil {
			return err
		}
		events, err := history(r, m)
		if err != nil {
			return err
		}
		out = Why{
			Memory: v.view(m), StoredTier: m.Tier, PromoteDue: optional(m.PromoteDue),
			Sessions: m.SessionCount, Uses: m.UseCount, Recalls: m.RecallCount,
			Events: events[max(0, len(events)-whyEvents):],
		}
		out.explain(v.tl, m, now)
		return nil
	})
	return out, err
}

func (w *Why) explain(tl tiers.Timeline, m Memory, now time.Time) {
	steps, settled := tl.Settle(m.State, now)
	w.SettledTier = settled.Tier
	p := tl.At(now)
	tier := settled.Tier
	if tier == tiers.Expired {
		tier = cmp.Or(settled.ExpiredFrom, tiers.Working)
	}
	if p.Rate(tier) > 0 && !m.Entity {
		h := p.HalfLife(tier)
		w.HalfLife = &h
	}
	for _, s := range steps {
		w.Reasons = append(w.Reasons, fmt.Sprintf("due: %s to %s since %s: %s", s.Kind, s.To, s.At.Format(time.RFC3339), s.Reason))
	}
	switch {
	case m.Entity:
		w.Reasons = append(w.Reasons, "an entity does not fade")
	case m.Tier == tiers.Core:
		w.Reasons = append(w.Reasons, "core memory does not fade")
	case settled.Tier == tiers.Expired:
		w.Reasons = append(w.Reasons, fmt.Sprintf("energy fell below %.2f at %s; a boost or an access revives it",
			p.ExpireBelow, settled.ExpiresAt.Format(time.RFC3339)))
	case !settled.ExpiresAt.IsZero():
		w.Reasons = append(w.Reasons, fmt.Sprintf("energy %.3f in %s, expires %s unless it is used",
			tl.Energy(m.State, now), settled.Tier, settled.ExpiresAt.Format(time.RFC3339)))
	}
}
