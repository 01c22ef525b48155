package lifecycle

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/tiers"
)

// Settlement is the result of settling memories. Commit or Write stores it.
type Settlement struct {
	now      time.Time
	near     [2]byte                 // begins the ids of the promoted memories, which a store then writes to one page of an index
	lives    []brain.Memory          // existing memories that change, including archived originals
	promoted []brain.Memory          // new ones
	Newest   map[string]brain.Memory // by the id that was settled
	Moved    map[string]string       // original id to the newest of its chain
	actions  []brain.Action          // without run and number
}

// Settle brings memories up to now by the rules of tiers.
func Settle(tl tiers.Timeline, ms []brain.Memory, now time.Time) Settlement {
	s := Settlement{
		now: now, lives: make([]brain.Memory, 0, len(ms)), promoted: make([]brain.Memory, 0, len(ms)),
		Newest: make(map[string]brain.Memory, len(ms)), Moved: make(map[string]string, len(ms)),
	}
	random := uuid.New()
	copy(s.near[:], random[:])
	for _, m := range ms {
		s.Newest[m.ID] = s.one(tl, m)
	}
	return s
}

func (s *Settlement) one(tl tiers.Timeline, m brain.Memory) brain.Memory {
	steps, settled := tl.Settle(m.State, s.now)
	first, isPromoted := m.ID, false
	for _, step := range steps {
		before := m
		m.State = step.After
		m.Version++
		if step.Kind != tiers.Promote {
			s.act(brain.ActionKind(step.Kind), step, brain.Change{Before: &before, After: new(m)})
			continue
		}
		old := before
		old.State = tiers.Archive(step.Before, step.After.ValidFrom)
		old.EntityKey = ""
		old.Version++
		s.keep(old, isPromoted)
		id := uuid.New()
		copy(id[:], s.near[:])
		m.ID, m.PromotedFrom, isPromoted = brain.IDLike(old.ID, id.String()), old.ID, true
		s.Moved[first] = m.ID
		s.act(brain.ActPromote, step, brain.Change{Before: &before, After: new(old)}, brain.Change{After: new(m)})
	}
	if len(steps) > 0 || settled != m.State {
		m.State = settled
		s.keep(m, isPromoted)
	}
	return m
}

// keep marks m to be written: completely if it is new, otherwise only its life.
func (s *Settlement) keep(m brain.Memory, isPromoted bool) {
	if isPromoted {
		s.promoted = append(s.promoted, m)
		return
	}
	s.lives = append(s.lives, m)
}

func (s *Settlement) act(kind brain.ActionKind, step tiers.Step, changes ...brain.Change) {
	a := brain.Action{Kind: kind, Reason: step.Reason, At: step.At, Changes: changes}
	for _, c := range changes {
		m := c.After
		if a.Root = m.Root; len(a.IDs) == 0 || a.IDs[len(a.IDs)-1] != m.ID {
			a.IDs = append(a.IDs, m.ID)
		}
	}
	s.actions = append(s.actions, a)
}

// Write stores the settlement in the transaction, moves relations, and returns its actions.
func (s *Settlement) Write(tx brain.Tx) ([]brain.Action, error) {
	err := tx.PutLives(s.lives...)
	if err != nil || len(s.promoted) == 0 {
		return s.actions, err
	}
	if err := tx.PutMemories(s.promoted...); err != nil {
		return nil, err
	}
	return s.actions, s.MoveRelations(tx)
}

// MoveRelations moves the relations of promoted memories, at both ends, to the newest ones.
func (s *Settlement) MoveRelations(tx brain.Tx) error {
	held, err := tx.Relations(slices.Sorted(maps.Keys(s.Moved))...)
	if err != nil {
		return err
	}
	var gone, made []brain.Relation
	for _, r := range held {
		if moved := s.Redirect(r); moved != r {
			gone, made = append(gone, r), append(made, moved)
		}
	}
	for i := range s.promoted {
		made = append(made, brain.Relation{From: s.promoted[i].PromotedFrom, Type: brain.PromotedTo, To: s.promoted[i].ID})
	}
	err = tx.DeleteRelations(gone...)
	Put(&err, tx.PutRelations, made...)
	return err
}

// Redirect returns a relation with moved ends. PROMOTED_TO and SUPERSEDES do not move.
func (s *Settlement) Redirect(r brain.Relation) brain.Relation {
	if r.Type == brain.PromotedTo || r.Type == brain.Supersedes {
		return r
	}
	if to, ok := s.Moved[r.From]; ok {
		r.From = to
	}
	if to, ok := s.Moved[r.To]; ok {
		r.To = to
	}
	return r
}

// set replaces a settled memory by its state after a touch.
func (s *Settlement) set(m brain.Memory) {
	for _, list := range [][]brain.Memory{s.promoted, s.lives} {
		for i := range list {
			if list[i].ID == m.ID {
				list[i] = m
				return
			}
		}
	}
	s.lives = append(s.lives, m)
}

// Commit stores the settlement and journals it as a run of kind settle.
func (s *Settlement) Commit(tx brain.Tx) error {
	actions, err := s.Write(tx)
	if err != nil || len(actions) == 0 {
		return err
	}
	run := brain.Run{
		ID: brain.NewIDLike(actions[0].Root), Kind: brain.RunSettle, StartedBy: brain.ByProgram,
		Started: s.now, Finished: s.now, Actions: len(actions),
	}
	return WriteJournal(tx, &run, NumberActions(actions, run.ID, 1))
}

// Superseded returns a memory as it is after another one has superseded it.
func Superseded(tl tiers.Timeline, m brain.Memory, now time.Time) brain.Memory {
	m.State = tl.Supersede(m.State, now)
	m.EntityKey = ""
	m.Version++
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
	tl, err := Timeline(r)
	ms := Get(&err, r.Memories, ids...)
	return Settle(tl, ms, now), err
}

// PlanSettle returns the actions of Settle, without the ids of memories that it would
// create.
func (b Base) PlanSettle(ctx context.Context, ids []string, now time.Time) ([]brain.Action, error) {
	s, err := Read(ctx, b, func(r brain.Reader) (Settlement, error) { return readSettlement(r, ids, now) })
	for i := range s.actions {
		a := &s.actions[i]
		a.IDs = slices.DeleteFunc(a.IDs, func(id string) bool { return !slices.Contains(ids, id) })
		for j := range a.Changes {
			if after := a.Changes[j].After; !slices.Contains(ids, after.ID) {
				after.ID = ""
			}
		}
		if len(a.IDs) == 0 { // a second step of a memory that does not exist yet
			a.IDs = []string{a.Root}
		}
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
		state := recomputeState{Done: true}
		if err := ReadCheckpoint(r, recomputeJob, &state); err != nil {
			return false, err
		}
		if edited, err := editedNumbers(r); err != nil || edited {
			return false, err
		}
		due, err := ReadDue(r, now)
		return state.Done && len(due) == 0, err
	})
}
