package capture

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/tiers"
)

// store stores a capture in one transaction: as a new memory, or as one more source of the memory
// that says the same. If it replaces memories, a run of the journal does so.
func (s *Service) store(ctx context.Context, c brain.Capture) (done brain.Captured, err error) {
	var judgement *brain.Judgement
	if c.Gate != nil {
		j, err := s.judge(ctx, c)
		if err != nil {
			return brain.Captured{}, err
		}
		if j.Rejected() && !j.Known && !c.Gate.Keep {
			return brain.Captured{Judgement: &j}, s.reject(ctx, c, j)
		}
		c.Memory, judgement = withScore(*c.Memory, j, c.At), &j
	}
	err = s.base.Store.Update(ctx, func(tx brain.Tx) error {
		f, err := readFacts(tx, c)
		if err != nil {
			return err
		}
		if f.held.ID != "" {
			done, err = s.confirmKnown(tx, f)
		} else {
			var p plan
			p, done = decide(f)
			err = write(tx, p)
		}
		if err == nil && !f.stored && len(c.Replaces) > 0 {
			err = s.replace(tx, c, &done)
		}
		return err
	})
	if err != nil {
		return brain.Captured{}, err
	}
	done.Judgement = judgement
	return done, nil
}

// mostSimilar is the number of similar memories in the answer to a capture.
const mostSimilar = 3

// facts are a capture and what the store holds about it.
type facts struct {
	capture brain.Capture
	policy  *tiers.Policy
	stored  bool // the store has the whole capture

	sources  []brain.Source   // that of the capture, none if it is not stored
	memories []brain.Memory   // likewise
	known    lifecycle.Known  // memories with its text
	held     brain.Memory     // the one of them that the capture says again
	similar  []brain.Memory   // that may be about the same subject
	related  []brain.Relation // that the capture asks for, from its own id
	waiting  []brain.Relation // that waited for the name of a new memory
	records  []brain.Record   // of those
}

// readFacts reads the facts about a capture. The name of another entity is [brain.ErrConflict].
func readFacts(r brain.Reader, c brain.Capture) (f facts, err error) {
	f.capture = c
	if c.Memory == nil {
		f.sources, err = r.Sources(c.Source.ID)
		f.stored = len(f.sources) > 0
		return f, err
	}
	if f.policy, err = brain.ReadPolicy(r); err != nil {
		return f, err
	}
	if f.memories, err = r.Memories(c.Memory.ID); err != nil {
		return f, err
	}
	if len(f.memories) > 0 {
		// A memory without a session was read from the note of an outcome, while the capture
		// of the outcome was still in the spool.
		isOutcome := c.Source != nil && c.Source.Kind == brain.Outcome
		f.stored = !isOutcome || f.memories[0].SessionID != "" || c.Memory.SessionID == ""
	} else if err := f.readNew(r); err != nil {
		return f, err
	}
	if f.stored {
		return f, nil
	}
	for _, ask := range c.Relate {
		to, err := lifecycle.Resolve(r, ask.To)
		if err != nil {
			return f, err
		}
		f.related = append(f.related, brain.Relation{From: c.Memory.ID, Type: ask.Type, To: to.Memory.ID})
	}
	if len(f.memories) > 0 {
		f.sources, err = r.Sources(c.Source.ID)
	}
	if err == nil && c.LookUp && f.held.ID == "" {
		var similar []lifecycle.Match
		similar, err = lifecycle.Similar(r, c.Memory, c.Vector, mostSimilar)
		f.similar = brain.Map(similar, func(match lifecycle.Match) brain.Memory { return match.Memory })
	}
	return f, err
}

// readNew reads the memory that says the same as a capture whose id is not stored. If the capture
// was counted at that memory before, its id redirects.
func (f *facts) readNew(r brain.Reader) (err error) {
	m := f.capture.Memory
	if m.Entity {
		if err := checkNameIsFree(r, *m); err != nil {
			return err
		}
	}
	if f.known, err = lifecycle.ReadKnown(r, m.TextKey()); err != nil {
		return err
	}
	if held, ok := f.known.Find(m, f.capture.Source); ok {
		f.held = held
		redirect, err := brain.First(r.Records(brain.RedirectRecord, m.ID))
		if f.stored = redirect.ID != ""; f.stored && err == nil {
			f.held, err = lifecycle.Newest(r, redirect.Key)
		}
		return err
	}
	f.waiting, f.records, err = lifecycle.ReadJoined(r, *m)
	return err
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

// plan is what storing a capture writes.
type plan struct {
	sources   []brain.Source
	memories  []brain.Memory // that of the capture first
	vector    brain.Vector   // of that one, if it has values
	relations []brain.Relation
	records   []brain.Record // of relations that wait no longer
	at        time.Time
	redacted  int // number of secrets to count
	judged    int // number of captures to count that the relevance filter judged
}

// decide returns what has to be written for a capture, nothing if the store has all of it, and
// the answer to it.
func decide(f facts) (p plan, done brain.Captured) {
	c, stored := f.capture, f.memories
	done = unstoredAnswer(c)
	done.Similar = f.similar
	switch {
	case f.stored:
	case len(f.memories) > 0:
		p = f.completed()
		stored = p.memories
	default:
		if c.Source != nil {
			p.sources = []brain.Source{*c.Source}
		}
		if c.Memory == nil {
			break
		}
		m := *c.Memory
		m.LastAccessed, m.State = c.At, initialState(f.policy, c)
		lifecycle.ApplyObservations(&m, nil, c.At)
		p.memories, p.vector, p.records = []brain.Memory{m}, c.Vector, f.records
		p.relations = slices.Concat(f.related, f.waiting)
		if c.Source != nil {
			p.relations = append(p.relations, brain.Relation{From: c.Source.ID, Type: brain.HasMemory, To: m.ID})
		}
		stored = p.memories
	}
	if !f.stored {
		p.count(c)
	}
	if len(stored) > 0 {
		done.Tier, done.Energy = stored[0].Tier, f.policy.Energy(stored[0].State, c.At)
	}
	return p, done
}

// count counts what was redacted and judged in a capture.
func (p *plan) count(c brain.Capture) {
	p.at, p.redacted = c.At, c.Redacted
	if c.Gate != nil {
		p.judged = 1
	}
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
	p.relations = f.related
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
	energy := tiers.InitialOther
	switch {
	case c.Energy != nil:
		energy = *c.Energy
	case c.Source == nil:
	case c.Source.Kind == brain.Crystallization:
		energy = tiers.InitialCrystallization
	case c.Source.Kind == brain.Learning:
		energy = tiers.InitialLearning
	case c.Source.Kind == brain.Reminder:
		energy = tiers.InitialReminder
	case c.Source.Kind == brain.Outcome:
		energy = lifecycle.OutcomeEnergy(c.Source.Importance)
	}
	return policy.Start(tier, energy, 0, at)
}

// write writes what was decided.
func write(tx brain.Tx, p plan) error {
	err := lifecycle.AddTally(tx, lifecycle.TallyRedacted, p.redacted, p.at)
	if err == nil {
		err = lifecycle.AddTally(tx, lifecycle.TallyGated, p.judged, p.at)
	}
	lifecycle.Put(&err, tx.PutSources, p.sources...)
	lifecycle.Put(&err, tx.PutMemories, p.memories...)
	if err == nil && len(p.vector.Values) > 0 {
		err = tx.PutVectors(p.vector.Model, brain.Embedded{Passage: p.memories[0].Passage(), Values: p.vector.Values})
	}
	lifecycle.Put(&err, tx.PutRelations, p.relations...)
	lifecycle.Put(&err, lifecycle.DeleteRecords(tx), p.records...)
	if err == nil && len(p.memories) > 0 && p.memories[0].Entity {
		err = lifecycle.JoinPendingEntities(tx, p.memories)
	}
	return err
}
