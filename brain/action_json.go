package brain

import (
	"encoding/json"
	"time"

	"github.com/brainbridge/brainbridge/tiers"
)

// storedAction is the form of an action in the journal. If an action changed only
// the life of memories, it holds the differences instead of whole memories.
type storedAction struct {
	plainAction
	Changes []storedChange `json:"changes,omitempty"`
}

// plainAction is an Action without its methods.
type plainAction Action

// storedChange is the stored form of a change. Life replaces After: it holds the
// fields that differ from Before. A change without Before differs from the first
// Before of the action.
type storedChange struct {
	Change
	Life *LifeChange `json:"life,omitempty"`
}

// LifeChange holds the fields of a life that an action changed. A field that did
// not change is nil.
type LifeChange struct {
	ID           string      `json:"id,omitempty"`           // of a promoted memory
	PromotedFrom string      `json:"promotedFrom,omitempty"` // and of its original
	Version      *int        `json:"version,omitempty"`
	EntityKey    *string     `json:"entityKey,omitempty"`
	Tier         *tiers.Tier `json:"tier,omitempty"`
	ExpiredFrom  *tiers.Tier `json:"expiredFrom,omitempty"`
	Energy       *float64    `json:"energy,omitempty"`
	PeakEnergy   *float64    `json:"peakEnergy,omitempty"`
	LastDecay    *time.Time  `json:"lastDecay,omitempty"`
	Base         *float64    `json:"energyBase,omitempty"`
	BaseAt       *time.Time  `json:"energyBaseAt,omitempty"`
	ExpiresAt    *time.Time  `json:"expiresAt,omitempty"`
	PromoteDue   *time.Time  `json:"promoteDue,omitempty"`
	ValidFrom    *time.Time  `json:"validFrom,omitempty"`
	ValidTo      *time.Time  `json:"validTo,omitempty"`
}

// stored returns the form of the action in the journal.
func (a Action) stored() storedAction {
	s := storedAction{plainAction: plainAction(a), Changes: make([]storedChange, len(a.Changes))}
	for i, c := range a.Changes {
		s.Changes[i].Change = c.Slim()
	}
	if a.Kind != ActPromote && a.Kind != ActExpire {
		return s // a revival also counts the access that caused it
	}
	for i := range s.Changes {
		c := &s.Changes[i]
		if from := c.base(s.Changes); from != nil && c.After != nil {
			c.shorten(from)
		}
	}
	return s
}

// base returns the memory that Life is a difference from.
func (c *storedChange) base(all []storedChange) *Memory {
	if c.Before != nil {
		return c.Before
	}
	return all[0].Before
}

// shorten replaces After by its difference, if that holds all of it.
func (c *storedChange) shorten(from *Memory) {
	life := difference(from, c.After)
	if life.over(from).State == c.After.State {
		c.Life, c.After = life, nil
	}
}

// difference returns what an action on the life of a memory can change.
func difference(from, to *Memory) *LifeChange {
	d := &LifeChange{
		Version: changed(from.Version, to.Version), EntityKey: changed(from.EntityKey, to.EntityKey),
		Tier: changed(from.Tier, to.Tier), ExpiredFrom: changed(from.ExpiredFrom, to.ExpiredFrom),
		Energy: changed(from.Energy, to.Energy), PeakEnergy: changed(from.PeakEnergy, to.PeakEnergy),
		LastDecay: changed(from.LastDecay, to.LastDecay),
		Base:      changed(from.Base, to.Base), BaseAt: changed(from.BaseAt, to.BaseAt),
		ExpiresAt: changed(from.ExpiresAt, to.ExpiresAt), PromoteDue: changed(from.PromoteDue, to.PromoteDue),
		ValidFrom: changed(from.ValidFrom, to.ValidFrom), ValidTo: changed(from.ValidTo, to.ValidTo),
	}
	if to.ID != from.ID {
		d.ID, d.PromotedFrom = to.ID, to.PromotedFrom
	}
	return d
}

// over returns the memory that differs from another by d.
func (d *LifeChange) over(from *Memory) *Memory {
	m := *from
	if d.ID != "" {
		m.ID, m.PromotedFrom = d.ID, d.PromotedFrom
	}
	change(&m.Version, d.Version)
	change(&m.EntityKey, d.EntityKey)
	change(&m.Tier, d.Tier)
	change(&m.ExpiredFrom, d.ExpiredFrom)
	change(&m.Energy, d.Energy)
	change(&m.PeakEnergy, d.PeakEnergy)
	change(&m.LastDecay, d.LastDecay)
	change(&m.Base, d.Base)
	change(&m.BaseAt, d.BaseAt)
	change(&m.ExpiresAt, d.ExpiresAt)
	change(&m.PromoteDue, d.PromoteDue)
	change(&m.ValidFrom, d.ValidFrom)
	change(&m.ValidTo, d.ValidTo)
	return &m
}

// changed returns the new value, nil if it is the old one.
func changed[T comparable](from, to T) *T {
	if from == to {
		return nil
	}
	return &to
}

func change[T any](field, to *T) {
	if to != nil {
		*field = *to
	}
}

// UnmarshalJSON reads an action in the form of the journal, or with its changes
// written out.
func (a *Action) UnmarshalJSON(raw []byte) error {
	var s storedAction
	if err := json.Unmarshal(raw, &s); err != nil {
		return err
	}
	*a = Action(s.plainAction)
	a.Changes = nil
	for i := range s.Changes {
		c := &s.Changes[i]
		if from := c.base(s.Changes); c.Life != nil && from != nil {
			c.After = c.Life.over(from)
		}
		a.Changes = append(a.Changes, c.Change)
	}
	return nil
}
