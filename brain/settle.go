package brain

import (
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/brainbridge/brainbridge/tiers"
)

// settlement is what settling some memories comes to: nothing of it is written
// yet.
type settlement struct {
	now     time.Time
	near    [2]byte           // how the ids of promoted ones begin
	lives   []Memory          // that exist and change, the archived originals among them
	born    []Memory          // promoted ones
	newest  map[string]Memory // by the id that was settled
	moved   map[string]string // original id to the newest of its chain
	actions []Action          // without run and number
}

// settle brings memories up to now by the rules of tiers.
func settle(tl tiers.Timeline, ms []Memory, now time.Time) settlement {
	s := settlement{
		now: now, lives: make([]Memory, 0, len(ms)), born: make([]Memory, 0, len(ms)),
		newest: make(map[string]Memory, len(ms)), moved: make(map[string]string, len(ms)),
	}
	random := uuid.New()
	copy(s.near[:], random[:])
	for _, m := range ms {
		s.newest[m.ID] = s.one(tl, m)
	}
	return s
}

func (s *settlement) one(tl tiers.Timeline, m Memory) Memory {
	steps, settled := tl.Settle(m.State, s.now)
	first, isBorn := m.ID, false
	for _, step := range steps {
		before := m
		m.State = step.After
		m.Version++
		if step.Kind != tiers.Promote {
			s.act(ActionKind(step.Kind), step, Change{Before: &before, After: clone(m)})
			continue
		}
		old := before
		old.State = tiers.Archive(step.Before, step.At)
		old.EntityKey = ""
		old.Version++
		s.keep(old, isBorn)
		m.ID, m.PromotedFrom, isBorn = s.promotedID(old), old.ID, true
		s.moved[first] = m.ID
		s.act(ActPromote, step, Change{Before: &before, After: clone(old)}, Change{After: clone(m)})
	}
	if len(steps) > 0 || settled != m.State {
		m.State = settled
		s.keep(m, isBorn)
	}
	return m
}

// promotedID makes the id of the memory that takes the place of old: a random
// UUID but for its first two bytes, which all promotions of a transaction
// share. So they are written to one page of each index instead of a page each.
func (s *settlement) promotedID(old Memory) string {
	id := uuid.New()
	copy(id[:], s.near[:])
	if old.IsTest {
		return TestPrefix + id.String()
	}
	return id.String()
}

// keep remembers to write m: whole if it is new, else its life alone.
func (s *settlement) keep(m Memory, isBorn bool) {
	if isBorn {
		s.born = append(s.born, m)
		return
	}
	s.lives = append(s.lives, m)
}

func (s *settlement) act(kind ActionKind, step tiers.Step, changes ...Change) {
	a := Action{Kind: kind, Reason: step.Reason, At: step.At, Changes: changes}
	for _, c := range changes {
		m := c.After
		if a.Root = m.Root; len(a.IDs) == 0 || a.IDs[len(a.IDs)-1] != m.ID {
			a.IDs = append(a.IDs, m.ID)
		}
	}
	s.actions = append(s.actions, a)
}

// write stores the settlement in the transaction, relations moved, and returns
// its actions.
func (s *settlement) write(tx Tx) ([]Action, error) {
	if err := tx.PutLives(s.lives...); err != nil {
		return nil, err
	}
	if len(s.born) == 0 {
		return s.actions, nil
	}
	if err := tx.PutMemories(s.born...); err != nil {
		return nil, err
	}
	return s.actions, s.moveRelations(tx)
}

// moveRelations gives the relations of promoted memories to the newest of
// their chains. Both ends may have moved.
func (s *settlement) moveRelations(tx Tx) error {
	held, err := tx.Relations(sortedKeys(s.moved)...)
	if err != nil {
		return err
	}
	var gone, made []Relation
	for _, r := range held {
		if moved := s.redirected(r); moved != r {
			gone, made = append(gone, r), append(made, moved)
		}
	}
	if err := tx.DeleteRelations(gone...); err != nil {
		return err
	}
	for i := range s.born {
		made = append(made, Relation{s.born[i].PromotedFrom, PromotedTo, s.born[i].ID})
	}
	return tx.PutRelations(made...)
}

// redirected is a relation with moved ends. What leads through the history
// (PROMOTED_TO, SUPERSEDES) stays where it is.
func (s *settlement) redirected(r Relation) Relation {
	if r.Type == PromotedTo || r.Type == Supersedes {
		return r
	}
	if to, ok := s.moved[r.From]; ok {
		r.From = to
	}
	if to, ok := s.moved[r.To]; ok {
		r.To = to
	}
	return r
}

// number gives actions their run and their place in it, from n on.
func number(actions []Action, run string, n int) []Action {
	for i := range actions {
		actions[i].RunID, actions[i].ID = run, actionID(run, n+i)
	}
	return actions
}

// set puts a memory that was touched after it was settled in its place.
func (s *settlement) set(m Memory) {
	for _, list := range [][]Memory{s.born, s.lives} {
		for i := range list {
			if list[i].ID == m.ID {
				list[i] = m
				return
			}
		}
	}
	s.lives = append(s.lives, m)
}

// commit stores the settlement and journals it as a run of kind settle, which
// a touch makes in passing.
func (s *settlement) commit(tx Tx) error {
	actions, err := s.write(tx)
	if err != nil || len(actions) == 0 {
		return err
	}
	run := Run{ID: NewID(false), Kind: RunSettle, Started: s.now, Finished: s.now, Actions: len(actions)}
	run.TestOnly = true
	for _, m := range s.newest {
		run.TestOnly = run.TestOnly && m.IsTest
	}
	return writeJournal(tx, &run, number(actions, run.ID, 1))
}

func clone(m Memory) *Memory { return &m }

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, strings.Compare)
	return keys
}
