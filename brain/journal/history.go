package journal

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/tiers"
)

// HistoryEvent is one thing that happened to a memory.
type HistoryEvent struct {
	At      time.Time  `json:"at"`
	Kind    string     `json:"kind"` // capture, edit, an action kind, boost, access, recall, or a verdict
	Memory  string     `json:"memory"`
	Reason  string     `json:"reason"`
	Run     string     `json:"run,omitempty"`
	Action  string     `json:"action,omitempty"` // of the run
	Session string     `json:"session,omitempty"`
	Undone  *time.Time `json:"undone,omitempty"`
	// Text is what the memory said before and after, if this event changed it.
	Text *TextChange `json:"text,omitempty"`
}

// TextChange is a change of what a memory says.
type TextChange struct {
	Before []string `json:"before"` // of a merge those of all memories, else one
	After  string   `json:"after"`
}

// History returns the events of a memory and of those it came from, oldest first.
// Events of the same instant are ordered cause first. Runs that are no longer in the
// store are read from the archive; if that is damaged, History returns the events that
// could be read together with the error. The history of a forgotten memory ends when
// it was forgotten.
func (s *Service) History(ctx context.Context, id string) (brain.Memory, []HistoryEvent, error) {
	line, err := s.readLineage(ctx, id)
	if errors.Is(err, brain.ErrNotFound) {
		notFound := err
		if line, err = s.readForgotten(ctx, id); errors.Is(err, brain.ErrNotFound) {
			err = notFound
		}
	}
	if err != nil {
		return brain.Memory{}, nil, err
	}
	err = s.addArchived(ctx, line)
	return line.chain[0], line.events(), err
}

// Why explains why a memory is in its tier.
type Why struct {
	Memory      brain.View     `json:"memory"`
	StoredTier  tiers.Tier     `json:"storedTier"`
	SettledTier tiers.Tier     `json:"settledTier"` // tier after settling what is due now
	PromoteDue  *time.Time     `json:"promoteDue"`
	HalfLife    *float64       `json:"halfLifeHours"` // null if the memory does not fade
	Sessions    int            `json:"sessions"`
	Uses        int            `json:"uses"`
	Recalls     int            `json:"recalls"`
	Reasons     []string       `json:"reasons"`
	Events      []HistoryEvent `json:"events"` // the last five
}

const maxWhyEvents = 5 // in a Why

// Why explains a memory: its energy, due instants and last events. If the archive is
// damaged, it returns the explanation together with the error, as History does.
func (s *Service) Why(ctx context.Context, id string) (Why, error) {
	line, err := s.readLineage(ctx, id)
	if err != nil {
		return Why{}, err
	}
	archiveErr := s.addArchived(ctx, line)
	m, events, now := line.chain[0], line.events(), s.base.Now()
	v, err := lifecycle.Read(ctx, s.base, func(r brain.Reader) (lifecycle.Viewer, error) { return s.base.Viewer(r, now, m) })
	if err != nil {
		return Why{}, err
	}
	out := Why{
		Memory: v.View(m), StoredTier: m.Tier, PromoteDue: lifecycle.Optional(m.PromoteDue),
		Sessions: m.SessionCount, Uses: m.UseCount, Recalls: m.RecallCount,
		Reasons: []string{}, Events: events[max(0, len(events)-maxWhyEvents):],
	}
	out.explain(v.Policy, m, now)
	return out, archiveErr
}

func (w *Why) explain(p *tiers.Policy, m brain.Memory, now time.Time) {
	steps, settled := p.Settle(m.State, now)
	w.SettledTier = settled.Tier
	tier := settled.Tier
	if tier == tiers.Expired { // the half-life is that of the tier it expired from
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
			p.Energy(m.State, now), settled.Tier, settled.ExpiresAt.Format(time.RFC3339)))
	}
}
