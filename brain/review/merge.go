package review

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/tiers"
)

// Merging is a cluster of memories that becomes one.
type Merging struct {
	// Keeper is the memory that stays, and keeps its id; without one, the first of the sources
	// by [CompareKeepers] is. If a source is an entity and the keeper is not, they are swapped,
	// so that the name of the entity stays taken.
	Keeper brain.Memory
	// Sources are superseded by the keeper; their texts are kept.
	Sources []brain.Memory
	Reason  string // a short sentence for people
	// Similarity of the two memories that are least alike; 0: not known.
	Similarity float64
	// Result is what the keeper says from now on; nil: what it says already. It has name,
	// content, type, importance and tags.
	Result *brain.Memory
}

// Merge merges a cluster into one memory, in one transaction, as the next action of a
// run. It returns the action and the run with the action counted.
//
// It returns [brain.ErrConflict] and changes nothing if one of the memories no longer
// exists, is not current, or has another version than the one given. Changes of energy
// and counters are not conflicts; they are read again. Fewer than two memories are
// [brain.ErrInvalid].
func (s *Service) Merge(ctx context.Context, run brain.Run, now time.Time, m Merging) ([]brain.Action, brain.Run, error) {
	var secrets int
	m.Result, m.Reason, secrets = s.cleanProposal(m.Result, m.Reason)
	m, err := m.arranged()
	if err != nil {
		return nil, run, err
	}
	actions, next, err := s.base.Act(ctx, run, now, func(tx brain.Tx) ([]brain.Action, error) {
		a, err := m.write(tx, now)
		if err == nil {
			err = lifecycle.AddTally(tx, lifecycle.TallyRedacted, secrets, now)
		}
		return []brain.Action{a}, err
	})
	return actions, next, brain.Wrap(err, "merge")
}

// arranged moves entities and the keeper to their places.
func (m Merging) arranged() (Merging, error) {
	if m.Keeper.ID == "" && len(m.Sources) > 0 {
		m.Keeper = slices.MinFunc(m.Sources, func(a, b brain.Memory) int { return CompareKeepers(&a, &b) })
	}
	keeper := m.Keeper.ID
	m.Sources = slices.DeleteFunc(slices.Clone(m.Sources), func(s brain.Memory) bool { return s.ID == keeper })
	if i := slices.IndexFunc(m.Sources, func(s brain.Memory) bool { return s.Entity }); i >= 0 && !m.Keeper.Entity {
		m.Keeper, m.Sources[i] = m.Sources[i], m.Keeper
	}
	if len(m.Sources) == 0 {
		return m, brain.Errorf(brain.ErrInvalid, "", "a merge needs two memories")
	}
	return m, nil
}

// write reads the members again, merges them and returns the action.
func (m Merging) write(tx brain.Tx, now time.Time) (brain.Action, error) {
	policy, err := brain.ReadPolicy(tx)
	if err != nil {
		return brain.Action{}, err
	}
	members, err := sameVersions(tx, append([]brain.Memory{m.Keeper}, m.Sources...))
	if err != nil {
		return brain.Action{}, err
	}
	next := cluster{policy, now, members}.result(m.Result)
	return absorb(tx, policy, brain.Action{Kind: brain.ActMerge, Reason: m.Reason, Similarity: m.Similarity, At: now}, members, next)
}

// absorb stores next in place of the first of some memories, the others as superseded by it, and
// what it said before if that differs. It returns the action.
func absorb(tx brain.Tx, policy *tiers.Policy, a brain.Action, members []brain.Memory, next brain.Memory) (brain.Action, error) {
	others := members[1:]
	a.IDs, a.Changes = []string{next.ID}, []brain.Change{{Before: &members[0], After: &next}}
	var superseded, earlier []brain.Memory
	for i := range others {
		old := lifecycle.Superseded(policy, others[i], a.At)
		superseded = append(superseded, old)
		a.IDs, a.Changes = append(a.IDs, old.ID), append(a.Changes, brain.Change{Before: &others[i], After: &old})
	}
	var err error
	if a.Linked, a.Unlinked, err = mergedRelations(tx, a.IDs[0], a.IDs[1:]); err != nil { // read first, so that the store can batch the writes
		return a, err
	}
	if a.Kind == brain.ActReplace {
		a.Linked = slices.DeleteFunc(a.Linked, func(r brain.Relation) bool { return r.From == next.ID && r.Type == brain.Replaces }) // what the others replaced
		for _, id := range a.IDs[1:] {
			a.Linked = append(a.Linked, brain.Relation{From: next.ID, Type: brain.Replaces, To: id})
		}
	}
	if members[0].ContentHash != next.ContentHash {
		was := lifecycle.Earlier(policy, members[0], a.At)
		earlier, a.Changes = []brain.Memory{was}, append(a.Changes, brain.Change{After: &was})
		a.Linked = append(a.Linked, brain.Relation{From: next.ID, Type: brain.Supersedes, To: was.ID})
	}
	err = tx.PutLives(superseded...) // before the next one, which may take the name of one
	lifecycle.Put(&err, tx.PutMemories, append(earlier, next)...)
	for i := range others {
		if err == nil {
			err = lifecycle.RedirectName(tx, &a, others[i], next)
		}
	}
	lifecycle.Put(&err, tx.DeleteRelations, a.Unlinked...)
	lifecycle.Put(&err, tx.PutRelations, a.Linked...)
	return a, err
}

// sameVersions reads and locks the memories, and fails if one changed apart from touches.
func sameVersions(tx brain.Tx, ms []brain.Memory) ([]brain.Memory, error) {
	was, ids := brain.ByID(ms), brain.IDs(ms)
	here, err := tx.Memories(ids...)
	if err != nil {
		return nil, err
	}
	for i := range here {
		if m := &here[i]; !m.Current() || m.Version != was[m.ID].Version {
			return nil, fmt.Errorf("%s: %w", m.ID, brain.ErrConflict)
		}
	}
	if len(here) < len(ids) {
		return nil, fmt.Errorf("one of %v no longer exists: %w", ids, brain.ErrConflict)
	}
	return here, nil
}

// mergedRelations returns the relations that a merge adds: SUPERSEDES to each source, and
// copies of the sources' relations without loops and duplicates. It also returns those
// that the merge removes, from the keeper to a source. The sources keep their other
// relations. HAS_MEMORY is not copied, because SUPERSEDES redirects it.
func mergedRelations(tx brain.RelationReader, to string, sources []string) (added, removed []brain.Relation, err error) {
	held, err := tx.Relations(append([]string{to}, sources...)...)
	if err != nil {
		return nil, nil, err
	}
	for _, id := range sources {
		added = append(added, brain.Relation{From: to, Type: brain.Supersedes, To: id})
	}
	moved := func(id string) string {
		if slices.Contains(sources, id) {
			return to
		}
		return id
	}
	for _, r := range held {
		copied := r
		copied.From, copied.To = moved(r.From), moved(r.To)
		switch {
		case brain.BuiltIn(r.Type):
		case r.From == to && copied.To == to:
			removed = append(removed, r)
		case copied.From != copied.To && !brain.HasRelation(held, copied):
			added = append(added, copied)
		}
	}
	return brain.Unique(added), brain.Unique(removed), nil
}
