package review

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
)

// Replaced is a memory that replaced another, and that one before it was replaced.
type Replaced struct {
	Memory brain.Memory
	Old    brain.Memory
}

// Replace lets the memory of one id hold instead of that of another, as a run of its own,
// see [Service.ReplaceIn]. It returns [brain.ErrInvalid] if both are the same memory, if the
// old one is superseded, or if only one of them is a test memory.
func (s *Service) Replace(ctx context.Context, old, with string) (done Replaced, run brain.Run, err error) {
	now := s.base.Now()
	_, run, err = s.base.Act(ctx, s.base.NewRun(brain.RunReplace, now), now, func(tx brain.Tx) ([]brain.Action, error) {
		was, err := lifecycle.ResolveHolding(tx, old)
		next, failed := lifecycle.Resolve(tx, with)
		if err = errors.Join(err, failed); errors.Is(err, brain.ErrNotFound) && brain.IsTest(old) != brain.IsTest(with) {
			return nil, brain.Errorf(brain.ErrInvalid, "name two test memories or none: a test memory can only be replaced by a test memory", "only one of %s and %s is a test memory", old, with)
		}
		switch {
		case err != nil:
			return nil, err
		case next.Memory.ID == was.Memory.ID && next.Asked != was.Asked:
			return nil, brain.Errorf(brain.ErrInvalid, "`brainbridge history "+was.Asked+"` shows what became of them", "%s redirects to %s already, so that one cannot be replaced by it", with, old)
		}
		actions, err := s.ReplaceIn(tx, next.Memory.ID, []string{was.Memory.ID}, now)
		if err == nil {
			done = Replaced{Memory: *actions[0].Changes[0].After, Old: was.Memory}
		}
		return actions, err
	})
	return done, run, brain.Wrap(err, "replace")
}

// ReplaceIn supersedes memories by another one, and returns the action of that, which is
// the last write about them in the transaction. The ids are whole; those of superseded or
// promoted memories are [brain.ErrInvalid]. The superseded memories keep their texts and
// sources, and their ids redirect to the new one. That one keeps its text and its creation
// time, and takes over what the keeper of a merge does: the stronger tier and energy,
// counters, tags and relations, and the highest importance. If its type is note, it also
// takes over the type of the first of the others that has another one.
func (s *Service) ReplaceIn(tx brain.Tx, newID string, old []string, now time.Time) ([]brain.Action, error) {
	return replaceIn(tx, newID, old, "replaced by hand", now)
}

func replaceIn(tx brain.Tx, newID string, old []string, reason string, now time.Time) ([]brain.Action, error) {
	ids := append([]string{newID}, brain.Unique(old)...)
	policy, err := brain.ReadPolicy(tx)
	members := lifecycle.Get(&err, tx.Memories, brain.Unique(ids)...)
	if err == nil {
		err = checkReplacement(members, ids)
	}
	if err != nil {
		return nil, err
	}
	next := cluster{policy, now, members}.replacement()
	a, err := absorb(tx, policy, brain.Action{Kind: brain.ActReplace, Reason: reason, At: now}, members, next)
	return []brain.Action{a}, err
}

// checkReplacement returns an error if the first of some memories cannot replace the others.
func checkReplacement(ms []brain.Memory, ids []string) error {
	const hint = "`brainbridge show ID` shows what an id redirects to"
	if slices.Contains(ids[1:], ids[0]) {
		return brain.Errorf(brain.ErrInvalid, "name another memory", "%s cannot replace itself", ids[0])
	}
	if len(ms) < len(ids) {
		return brain.Errorf(brain.ErrNotFound, hint, "one of the memories %v does not exist", ids)
	}
	for i := range ms {
		switch m := &ms[i]; {
		case !m.Current():
			return brain.Errorf(brain.ErrInvalid, hint, "%s is superseded already", m.ID)
		case m.Entity != ms[0].Entity:
			return brain.Errorf(brain.ErrInvalid, "change its observations with the graph tools", "an entity of the knowledge graph can only replace an entity: %s", m.ID)
		}
	}
	return nil
}

// replacement returns the first member as it is after it replaced the others.
func (c cluster) replacement() brain.Memory {
	kept := c.members[0]
	next := c.result(nil)
	next.Created, next.ConsolidatedAt = kept.Created, kept.ConsolidatedAt
	next.MergedFrom, next.Observations = kept.MergedFrom, kept.Observations
	for i := range c.members[1:] {
		if t := c.members[1+i].MemoryType; next.MemoryType == "note" && t != "reminder" && t != "activity" {
			next.MemoryType = t
		}
	}
	next.Complete()
	return next
}
