package lifecycle

import (
	"context"
	"slices"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/tiers"
)

// Settlement is the result of settling memories. Commit or Write stores it.
type Settlement struct {
	now      time.Time
	lives    []brain.Memory          // that changed
	archived []brain.Memory          // what promoted ones were
	Settled  map[string]brain.Memory // by id
	actions  []brain.Action          // without run and number
}

// Settle brings memories up to now by the rules of tiers.
func Settle(policy *tiers.Policy, ms []brain.Memory, now time.Time) Settlement {
	s := Settlement{now: now, lives: make([]brain.Memory, 0, len(ms)), Settled: make(map[string]brain.Memory, len(ms))}
	for _, m := range ms {
		s.Settled[m.ID] = s.one(policy, m)
	}
	return s
}

func (s *Settlement) one(policy *tiers.Policy, m brain.Memory) brain.Memory {
	steps, settled := policy.Settle(m.State, s.now)
	for _, step := range steps {
		before := m
		m.State = step.After
		m.Version++
		if step.Kind != tiers.Promote {
			s.act(brain.ActionKind(step.Kind), step, brain.Change{Before: &before, After: new(m)})
			continue
		}
		was := Archived(before)
		was.State = tiers.Archive(step.Before, step.After.ValidFrom)
		m.PromotedFrom = was.ID
		s.archived = append(s.archived, was)
		s.act(brain.ActPromote, step, brain.Change{Before: &before, After: new(m)}, brain.Change{After: &was})
	}
	if len(steps) > 0 || settled != m.State {
		m.State = settled
		s.lives = append(s.lives, m)
	}
	return m
}

// Archived returns a copy of a memory that keeps what it was, under an id of its own. The caller
// sets its state.
func Archived(m brain.Memory) brain.Memory {
	m.ID, m.EntityKey = brain.NewIDLike(m.ID), ""
	m.Version++
	return m
}

func (s *Settlement) act(kind brain.ActionKind, step tiers.Step, changes ...brain.Change) {
	ids := brain.Map(changes, func(c brain.Change) string { return c.After.ID })
	s.actions = append(s.actions, brain.Action{Kind: kind, IDs: ids, Reason: step.Reason, At: step.At, Changes: changes})
}

// Write stores the settlement in the transaction and returns its actions.
func (s *Settlement) Write(tx brain.Tx) ([]brain.Action, error) {
	err := tx.PutLives(s.lives...)
	if err == nil && len(s.archived) > 0 {
		err = tx.PutMemories(s.archived...)
	}
	var promoted []brain.Relation
	for _, a := range s.actions {
		if a.Kind == brain.ActPromote {
			promoted = append(promoted, brain.Relation{From: a.IDs[1], Type: brain.PromotedTo, To: a.IDs[0]})
		}
	}
	Put(&err, tx.PutRelations, promoted...)
	return s.actions, err
}

// set replaces a settled memory by its state after a touch.
func (s *Settlement) set(m brain.Memory) {
	i := slices.IndexFunc(s.lives, func(held brain.Memory) bool { return held.ID == m.ID })
	if i < 0 {
		s.lives = append(s.lives, m)
		return
	}
	s.lives[i] = m
}

// Commit stores the settlement and journals it as a run of kind settle.
func (s *Settlement) Commit(tx brain.Tx) error {
	actions, err := s.Write(tx)
	if err != nil || len(actions) == 0 {
		return err
	}
	run := brain.Run{
		ID: brain.NewIDLike(actions[0].IDs[0]), Kind: brain.RunSettle, StartedBy: brain.ByProgram,
		Started: s.now, Finished: s.now, Actions: len(actions),
	}
	return WriteJournal(tx, &run, NumberActions(actions, run.ID, 1))
}

// Superseded returns a memory as it is after another one has superseded it.
func Superseded(policy *tiers.Policy, m brain.Memory, now time.Time) brain.Memory {
	m.State = policy.Supersede(m.State, now)
	m.EntityKey = ""
	m.Version++
	return m
}

// Earlier returns what a memory says until an instant, as a memory of its own which the present
// one supersedes.
func Earlier(policy *tiers.Policy, m brain.Memory, now time.Time) brain.Memory {
	m = Superseded(policy, m, now)
	m.ID = brain.NewIDLike(m.ID)
	return m
}

// Settle promotes and expires memories that are due, in one transaction, as the next
// actions of a run, and returns the actions and the run after them.
func (b Base) Settle(ctx context.Context, run brain.Run, ids []string, now time.Time) ([]brain.Action, brain.Run, error) {
	actions, next, err := b.Act(ctx, run, now, func(tx brain.Tx) ([]brain.Action, error) {
		s, err := readSettlement(tx, ids, now)
		if err != nil {
			return nil, err
		}
		return s.Write(tx)
	})
	return actions, next, brain.Wrap(err, "settle")
}

// readSettlement settles the memories with these ids.
func readSettlement(r brain.Reader, ids []string, now time.Time) (Settlement, error) {
	policy, err := brain.ReadPolicy(r)
	ms := Get(&err, r.Memories, ids...)
	return Settle(policy, ms, now), err
}

// PlanSettle returns the actions of Settle, without the ids of memories that it would
// create.
func (b Base) PlanSettle(ctx context.Context, ids []string, now time.Time) ([]brain.Action, error) {
	s, err := Read(ctx, b, func(r brain.Reader) (Settlement, error) { return readSettlement(r, ids, now) })
	for i := range s.actions {
		s.actions[i].IDs = s.actions[i].IDs[:1]
	}
	return s.actions, brain.Wrap(err, "plan")
}

// Due is one memory that a run has to settle, as it is stored.
type Due struct {
	ID                    string
	Energy                float64
	PromoteDue, ExpiresAt time.Time
}

// ReadDue returns what a run at an instant has to settle: live memories whose promoteDue or
// expiresAt is set and not after now, by id.
func ReadDue(r brain.MemoryLister, now time.Time) (due []Due, err error) {
	fallen := func(at time.Time) bool { return !at.IsZero() && !at.After(now) }
	for ms, err := range Pages(brain.ListFilter{Due: now}, r.ListMemories) {
		if err != nil {
			return nil, err
		}
		for _, m := range ms {
			if fallen(m.PromoteDue) || fallen(m.ExpiresAt) { // a change by hand may have undone it
				due = append(due, Due{m.ID, m.Energy, m.PromoteDue, m.ExpiresAt})
			}
		}
	}
	return due, nil
}

// Idle reports whether there is nothing to settle at an instant and no change of
// the lifecycle numbers to begin or finish. It is one read.
func (b Base) Idle(ctx context.Context, now time.Time) (bool, error) {
	return Read(ctx, b, func(r brain.Reader) (bool, error) {
		if n, err := readNumbers(r); err != nil || n.changed || n.pending {
			return false, err
		}
		due, err := ReadDue(r, now)
		return len(due) == 0, err
	})
}
