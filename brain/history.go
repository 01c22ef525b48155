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
	Kind    string     `json:"kind"` // capture, edit, an action kind, boost, access, recall, or a verdict
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
	chain := append([]Memory{m}, older...)
	actions, err := actionsOn(r, chain)
	if err != nil {
		return nil, err
	}
	events := lifeEvents(chain, actions)
	for _, a := range actions {
		events = append(events, HistoryEvent{
			At: a.At, Kind: string(a.Kind), Memory: a.IDs[0], Reason: a.Reason,
			Run: a.RunID, Undone: optional(a.Undone),
		})
	}
	if events, err = useEvents(r, roots(chain), events); err != nil {
		return nil, err
	}
	slices.SortStableFunc(events, func(a, z HistoryEvent) int { return a.At.Compare(z.At) })
	return events, nil
}

// roots are those of the memories of a chain, each once.
func roots(chain []Memory) []string {
	var all []string
	for _, m := range chain {
		if !slices.Contains(all, m.Root) {
			all = append(all, m.Root)
		}
	}
	return all
}

// actionsOn are the actions of runs on the memories of a chain, in the order in
// which runs came.
func actionsOn(r Reader, chain []Memory) ([]Action, error) {
	recs, err := r.RecordsByKey(ActionRecord, roots(chain)...)
	if err != nil {
		return nil, err
	}
	return bodies[Action](recs)
}

// lifeEvents are the capture of a chain, and the edits of its note: an earlier
// text that no action superseded was replaced by an edit.
func lifeEvents(chain []Memory, actions []Action) []HistoryEvent {
	replaced := map[string]bool{}
	for _, a := range actions {
		for _, id := range a.IDs {
			replaced[id] = true
		}
	}
	var events []HistoryEvent
	first := chain[0]
	for _, m := range chain[1:] {
		if m.Tier == tiers.Superseded && !replaced[m.ID] {
			events = append(events, HistoryEvent{
				At: m.ValidTo, Kind: "edit", Memory: m.ID, Reason: "the note was edited; this is the text before",
			})
			continue
		}
		first = m
	}
	return append([]HistoryEvent{{
		At: first.Created, Kind: "capture", Memory: first.ID, Reason: first.MemoryType, Session: first.SessionID,
	}}, events...)
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
