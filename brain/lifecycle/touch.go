package lifecycle

import (
	"cmp"
	"slices"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/tiers"
)

// TouchInterval is the time for which an access, recall or verdict of a memory in a session
// suppresses further ones.
const TouchInterval = 24 * time.Hour

// TouchesKept is how long touches are kept, for people who look at the life of a memory.
const TouchesKept = 90 * 24 * time.Hour

// The kinds of use events besides the verdicts.
const (
	EventBoost   = "boost"
	EventAccess  = "access"
	EventRecall  = "recall"
	EventConfirm = "confirm" // somebody wanted to capture it again
	eventSession = "session"
)

// Touch is one way of touching memories. If several are applied together and one of them
// does not count, those after it do not count either.
type Touch struct {
	Kind    string
	ID      string // of the event; "" if it counts once a session
	Context string
	Secrets int                                  // redacted in Context
	Add     func(p *tiers.Policy) float64        // energy, from the numbers in force; nil: none
	IsUse   bool                                 // counts as a use
	Revives bool                                 // an expired memory
	Count   func(m *brain.Memory, now time.Time) // changes the counters; nil: none
}

// AccessTouch returns the touch of an access: a memory was opened or confirmed.
func AccessTouch() Touch {
	return Touch{
		Kind: EventAccess, Revives: true,
		Add:   func(*tiers.Policy) float64 { return tiers.Access },
		Count: func(m *brain.Memory, _ time.Time) { m.AccessCount++ },
	}
}

// TouchIn settles memories and touches them, in the order of ts.
func (b Base) TouchIn(tx brain.Tx, ms []brain.Memory, now time.Time, ts ...Touch) ([]brain.Memory, error) {
	touched, _, err := b.touchIn(tx, ms, now, ts...)
	return touched, err
}

// TouchAction settles a memory, touches it, and returns it with the action that undoes the touch;
// without one if no touch counted. It is for a person who may take the touch back.
func (b Base) TouchAction(tx brain.Tx, m brain.Memory, now time.Time, ts ...Touch) (brain.Memory, []brain.Action, error) {
	settled, err := readSettlement(tx, []string{m.ID}, now)
	if err == nil {
		err = settled.Commit(tx)
	}
	if err != nil {
		return m, nil, err
	}
	before := settled.Settled[m.ID]
	touched, made, err := b.touchIn(tx, []brain.Memory{before}, now, ts...)
	if err != nil || len(made) == 0 {
		return before, nil, err
	}
	after := touched[0]
	return after, []brain.Action{{
		Kind: brain.ActionKind(ts[0].Kind), IDs: []string{after.ID}, At: now, Made: made,
		Reason:  "by hand",
		Changes: []brain.Change{{Before: &before, After: &after}},
	}}, nil
}

// touchIn is TouchIn, and returns the records that it made.
func (b Base) touchIn(tx brain.Tx, ms []brain.Memory, now time.Time, ts ...Touch) ([]brain.Memory, []brain.Record, error) {
	policy, err := brain.ReadPolicy(tx)
	if err != nil {
		return nil, nil, err
	}
	session := b.SessionAt(now)
	held, err := heldEvents(tx, ms, session, now, ts)
	if err != nil {
		return nil, nil, err
	}
	s := Settle(policy, ms, now)
	p := toucher{policy: policy, now: now, session: session, held: held, s: &s}
	touched, secrets := make([]brain.Memory, 0, len(ms)), 0
	for i := range ms {
		m := s.Settled[ms[i].ID]
		for _, t := range ts {
			if !p.touch(&m, t) {
				break
			}
			secrets += t.Secrets
		}
		s.set(m)
		touched = append(touched, m)
	}
	if err = p.err; err == nil {
		err = s.Commit(tx)
	}
	if err == nil {
		err = AddTally(tx, TallyRedacted, secrets, now)
	}
	Put(&err, tx.PutRecords, p.events...)
	return touched, p.events, err
}

// heldEvents returns the events of this session that still suppress others.
func heldEvents(tx brain.Tx, ms []brain.Memory, session string, now time.Time, ts []Touch) (map[string]bool, error) {
	var ids []string
	for i := range ms {
		ids = append(ids, eventID(ms[i].ID, session, eventSession, ""))
		for _, t := range ts {
			ids = append(ids, t.eventID(ms[i].ID, session))
		}
	}
	boosts, err := tx.Records(brain.UseEventRecord, ids...) // they are stored under their own ids, everything else under its mark
	marks := Get(&err, OfKind(brain.TouchRecord, tx.Records), ids...)
	held := map[string]bool{}
	for _, rec := range slices.Concat(boosts, marks) {
		held[rec.ID] = now.Sub(rec.At) < TouchInterval
	}
	return held, err
}

// eventID returns the id of an event that counts once per session.
func eventID(memory, session, kind, context string) string {
	return brain.Hash(memory, session, kind, context)
}

func (t Touch) eventID(memory, session string) string {
	if t.ID != "" {
		return t.ID
	}
	kind := t.Kind
	if t.IsUse && kind != EventAccess { // one verdict per context counts
		kind = "verdict"
	}
	return eventID(memory, session, kind, t.Context)
}

// toucher applies touches of one operation.
type toucher struct {
	policy  *tiers.Policy
	now     time.Time
	session string
	held    map[string]bool
	s       *Settlement
	events  []brain.Record
	err     error // the first one of events
}

// touch applies one touch, and reports whether it counts.
func (p *toucher) touch(m *brain.Memory, t Touch) bool {
	id := t.eventID(m.ID, p.session)
	if p.held[id] {
		return false
	}
	p.held[id] = true
	add := 0.0
	if t.Add != nil {
		add = t.Add(p.policy)
	}
	session := eventID(m.ID, p.session, eventSession, "")
	newSession := t.IsUse && !p.held[session] // the first use in it
	if newSession {
		p.held[session] = true
		p.event(session, m, brain.UseEvent{Kind: eventSession})
	}
	before := *m
	state, revived := p.policy.Touch(m.State, tiers.Event{Add: add, NewSession: newSession, MayRevive: t.Revives}, p.now)
	m.State = state
	if t.Count != nil {
		t.Count(m, p.now)
	}
	m.LastAccessed = p.now
	if t.IsUse {
		m.UseCount++
		m.LastUsed = p.now
	}
	if revived != nil {
		m.Version++
		m.Complete()
		p.s.act(brain.ActRevive, *revived, brain.Change{Before: &before, After: new(*m)})
	}
	if before.Tier == tiers.Expired && revived == nil {
		add = 0 // the memory is expired, so only the counters changed
	}
	p.event(id, m, brain.UseEvent{Kind: t.Kind, Context: t.Context, Energy: add})
	return true
}

// event records a touch that counted: a use permanently and, if it counts once per session,
// a mark for 90 days. Recalls and sessions are stored only as marks.
func (p *toucher) event(id string, m *brain.Memory, e brain.UseEvent) {
	e.Memory, e.Session = m.ID, p.session
	e.Order = m.AccessCount + m.RecallCount + m.UseCount + m.Confirmations // every touch changes one of them, a promotion does not
	if e.Kind != EventBoost && e.Kind != EventConfirm {
		p.record(brain.TouchRecord, id, m, e)
		id = brain.Hash(id, p.now.Format(time.RFC3339Nano))
	}
	if e.Kind != EventRecall && e.Kind != eventSession {
		p.record(brain.UseEventRecord, id, m, e)
	}
}

func (p *toucher) record(kind brain.RecordKind, id string, m *brain.Memory, e brain.UseEvent) {
	rec, err := brain.NewRecord(kind, id, m.ID, p.session, p.now, e)
	p.events, p.err = append(p.events, rec), cmp.Or(p.err, err)
}
