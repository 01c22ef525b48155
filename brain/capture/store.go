package capture

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/brain/pairs"
	"github.com/brainbridge/brainbridge/tiers"
)

// store stores a capture in a transaction: as a new memory, or as one more source of the
// memory that says the same. If it replaces memories, a run of the journal does so.
func (s *Service) store(tx brain.Tx, c brain.Capture) (done brain.Captured, err error) {
	f, err := readFacts(tx, c)
	if err != nil {
		return done, err
	}
	isNew := !f.complete()
	switch {
	case f.held.ID != "":
		done, err = s.confirmKnown(tx, f)
	case isNew && c.LookUp:
		similar, err := pairs.Similar(tx, c.Memory, c.Vector, mostSimilar)
		if err != nil {
			return done, err
		}
		done.Similar = brain.Map(similar, func(m pairs.Match) brain.Memory { return m.Memory })
		fallthrough
	default:
		p := decide(f)
		p.answer.Similar = done.Similar
		done, err = p.answer, write(tx, p)
	}
	if err == nil && isNew && f.held.ID == "" && len(c.Vector.Values) > 0 {
		err = tx.PutVectors(c.Vector.Model, brain.Embedded{Passage: c.Memory.Passage(), Values: c.Vector.Values})
	}
	if err == nil && isNew && len(c.Replaces) > 0 {
		err = s.replace(tx, c, &done)
	}
	return done, err
}

// mostSimilar is the number of similar memories in the answer to a capture.
const mostSimilar = 3

// facts are a capture and what the store holds about it.
type facts struct {
	capture  brain.Capture
	policy   *tiers.Policy
	sources  []brain.Source   // that of the capture, none if it is not stored
	memories []brain.Memory   // likewise
	known    lifecycle.Known  // memories with its text
	held     brain.Memory     // the one of them that the capture says again
	counted  bool             // held was confirmed by this capture before
	related  []string         // ids that its relations lead to
	waiting  []brain.Relation // that waited for the name of a new memory
	records  []brain.Record   // of those
}

// readFacts reads the facts about a capture. The name of another entity is [brain.ErrConflict].
func readFacts(r brain.Reader, c brain.Capture) (f facts, err error) {
	f.capture = c
	if c.Memory == nil {
		f.sources, err = r.Sources(c.Source.ID)
		return f, err
	}
	if f.policy, err = brain.ReadPolicy(r); err != nil {
		return f, err
	}
	if f.memories, err = r.Memories(c.Memory.ID); err != nil || f.complete() {
		return f, err
	}
	switch {
	case len(f.memories) > 0:
		f.sources, err = r.Sources(c.Source.ID)
	case c.Memory.Entity:
		err = checkNameIsFree(r, *c.Memory)
	}
	if err == nil && len(f.memories) == 0 {
		err = f.readKnown(r)
	}
	if err == nil && len(f.memories) == 0 && f.held.ID == "" {
		f.waiting, f.records, err = lifecycle.ReadJoined(r, *c.Memory)
	}
	if err != nil {
		return f, err
	}
	for _, ask := range c.Relate {
		to, err := lifecycle.Resolve(r, ask.To)
		if err != nil {
			return f, err
		}
		f.related = append(f.related, to.Memory.ID)
	}
	return f, nil
}

// readKnown reads the memory that says the same as a new capture, and whether the capture was
// counted before: then its id redirects.
func (f *facts) readKnown(r brain.Reader) (err error) {
	m := f.capture.Memory
	if f.known, err = lifecycle.ReadKnown(r, m.TextKey()); err != nil {
		return err
	}
	held, ok := f.known.Find(m, f.capture.Source)
	if !ok {
		return nil
	}
	redirect, err := brain.First(r.Records(brain.RedirectRecord, m.ID))
	if f.counted = redirect.ID != ""; f.counted && err == nil {
		held, err = lifecycle.Newest(r, redirect.Key)
	}
	f.held = held
	return err
}

// complete reports whether the store has the whole capture. A memory without a session
// was ingested from the note of an outcome while its capture was still in the spool.
func (f facts) complete() bool {
	c := f.capture
	if c.Memory == nil {
		return len(f.sources) > 0
	}
	if f.held.ID != "" {
		return f.counted
	}
	isOutcome := c.Source != nil && c.Source.Kind == brain.Outcome
	return len(f.memories) > 0 && (!isOutcome || f.memories[0].SessionID != "" || c.Memory.SessionID == "")
}

// checkNameIsFree fails if an entity has the same name but for case and accents.
func checkNameIsFree(r brain.MemoryLister, m brain.Memory) error {
	held, err := r.ListMemories(brain.ListFilter{By: brain.ByEntity, Keys: []string{m.EntityKey}})
	if err == nil && len(held) == 0 {
		held, err = lifecycle.Named(r, 1, m.NameKey)
	}
	if err != nil || len(held) == 0 || !held[0].Entity {
		return err
	}
	return brain.Errorf(brain.ErrConflict, fmt.Sprintf("change it with `brainbridge correct %s TEXT`", held[0].ID),
		"an entity named %q already exists: %s", held[0].Name, held[0].ID)
}

// plan is what storing a capture writes, and the answer to it.
type plan struct {
	sources   []brain.Source
	memories  []brain.Memory // that of the capture first
	relations []brain.Relation
	records   []brain.Record // of relations that wait no longer
	at        time.Time
	redacted  int // number of secrets to count
	judged    int // number of captures to count that the relevance filter judged
	answer    brain.Captured
}

// decide returns what has to be written for a capture, nothing if the store has all of it.
func decide(f facts) plan {
	c, p := f.capture, plan{}
	stored := f.memories
	if !f.complete() {
		p = planOf(f)
		if c.Gate != nil {
			p.judged = 1
		}
		p.at, p.redacted = c.At, c.Redacted
		stored = p.memories
	}
	p.answer = unstoredAnswer(c)
	if len(stored) > 0 {
		p.answer.Tier, p.answer.Energy = stored[0].Tier, f.policy.Energy(stored[0].State, c.At)
	}
	return p
}

// planOf returns what has to be written of the nodes and relations of a capture.
func planOf(f facts) (p plan) {
	c := f.capture
	switch {
	case c.Memory == nil:
		p.sources = []brain.Source{*c.Source}
		return p
	case len(f.memories) > 0:
		return f.completed()
	}
	m := *c.Memory
	m.LastAccessed, m.State = c.At, initialState(f.policy, c)
	lifecycle.ApplyObservations(&m, nil, c.At)
	p.memories, p.relations, p.records = []brain.Memory{m}, f.relations(m.ID), f.records
	if c.Source != nil {
		p.sources = []brain.Source{*c.Source}
		p.relations = append(p.relations, brain.Relation{From: c.Source.ID, Type: brain.HasMemory, To: m.ID})
	}
	p.relations = append(p.relations, f.waiting...)
	return p
}

// relations returns the relations that the capture asks for, from a memory.
func (f facts) relations(from string) (rels []brain.Relation) {
	for i, ask := range f.capture.Relate {
		rels = append(rels, brain.Relation{From: from, Type: ask.Type, To: f.related[i]})
	}
	return rels
}

// completed gives what was ingested from the note of an outcome what only its capture
// knows. The life of a memory that was not used since begins at the capture.
func (f facts) completed() (p plan) {
	c := f.capture
	p.memories = slices.Clone(f.memories)
	for i := range p.memories {
		m := &p.memories[i]
		if isUnused(m) {
			m.LastAccessed, m.State = c.At, initialState(f.policy, c)
		}
		if !m.Entity { // which may have been discovered before
			m.Created = c.Memory.Created
		}
		m.Project = cmp.Or(m.Project, c.Memory.Project)
		m.SessionID = cmp.Or(m.SessionID, c.Memory.SessionID)
		m.Agent = cmp.Or(m.Agent, c.Memory.Agent)
		m.Version++
	}
	for _, s := range f.sources {
		s.Created, s.Project = c.Source.Created, cmp.Or(s.Project, c.Source.Project)
		p.sources = append(p.sources, s)
	}
	p.relations = f.relations(c.Memory.ID)
	return p
}

// isUnused reports whether the life of a memory is as its note began it.
func isUnused(m *brain.Memory) bool {
	return m.LastAccessed.IsZero() || m.Tier == tiers.Working && m.ValidFrom.Equal(m.Created) && m.AccessCount == 1 &&
		m.RecallCount+m.UseCount+m.HelpfulCount+m.NotHelpfulCount+m.Confirmations == 0
}

// initialState returns the state of a memory at its capture.
func initialState(policy *tiers.Policy, c brain.Capture) tiers.State {
	m := c.Memory
	at, tier := c.At, cmp.Or(m.Tier, tiers.Working)
	if !m.LastDecay.IsZero() { // a test memory of some age
		at = m.LastDecay
	}
	if m.Retention == brain.RetainCore {
		tier = tiers.Core
	}
	if m.Entity {
		return policy.StartEntity(at)
	}
	return policy.Start(tier, initialEnergy(c, policy), 0, at)
}

func initialEnergy(c brain.Capture, p *tiers.Policy) float64 {
	if c.Energy != nil {
		return *c.Energy
	}
	if c.Source != nil {
		switch c.Source.Kind {
		case brain.Crystallization:
			return p.InitialCrystallization
		case brain.Learning:
			return p.InitialLearning
		case brain.Reminder:
			return p.InitialReminder
		case brain.Outcome:
			return lifecycle.OutcomeEnergy(p, c.Source.Importance)
		}
	}
	return p.InitialOther
}

// write writes what was decided.
func write(tx brain.Tx, p plan) error {
	err := lifecycle.AddTally(tx, lifecycle.TallyRedacted, p.redacted, p.at)
	if err == nil {
		err = lifecycle.AddTally(tx, lifecycle.TallyGated, p.judged, p.at)
	}
	lifecycle.Put(&err, tx.PutSources, p.sources...)
	lifecycle.Put(&err, tx.PutMemories, p.memories...)
	lifecycle.Put(&err, tx.PutRelations, p.relations...)
	lifecycle.Put(&err, lifecycle.DeleteRecords(tx), p.records...)
	if err == nil && len(p.memories) > 0 && p.memories[0].Entity {
		err = lifecycle.JoinPendingEntities(tx, p.memories)
	}
	return err
}
