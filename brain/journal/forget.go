package journal

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
)

// Forgetting is the plan of what to remove: a memory with all earlier memories of
// its chain, because they hold the same text.
type Forgetting struct {
	Memory    brain.Memory
	Chain     []brain.Memory // newest first, Memory included
	Sources   []brain.Source
	Relations []brain.Relation

	reason string // of this plan; "" for that of the whole operation
	idle   bool   // valid only while nobody uses the memory
}

// PlanForget returns what forgetting a memory would remove. It writes nothing.
func (s *Service) PlanForget(ctx context.Context, id string) (Forgetting, error) {
	return lifecycle.Read(ctx, s.base, func(r brain.Reader) (Forgetting, error) {
		found, err := lifecycle.Resolve(r, id)
		if err != nil {
			return Forgetting{}, err
		}
		return brain.First(PlanMemories(r, found.Memory))
	})
}

// PlanMemories returns what forgetting the newest memories of chains would remove.
func PlanMemories(r brain.Reader, ms ...brain.Memory) ([]Forgetting, error) {
	chains, err := lifecycle.ReadChains(r, ms...)
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, c := range chains {
		ids = append(ids, lifecycle.SourceIDs(c.Memories)...)
	}
	sources, err := r.Sources(brain.Unique(ids)...)
	return brain.Map(chains, func(c lifecycle.Chain) Forgetting {
		f := Forgetting{Memory: c.Memories[0], Chain: c.Memories, Relations: c.Relations}
		ids := lifecycle.SourceIDs(c.Memories)
		for _, s := range sources {
			if slices.Contains(ids, s.ID) {
				f.Sources = append(f.Sources, s)
			}
		}
		return f
	}), err
}

// Forget archives a memory, reads the archive back and deletes the memory. It returns the
// memory and the run. A tombstone keeps notes from bringing it back. It is journaled;
// [Service.Undo] and [Service.Unforget] restore the memory.
func (s *Service) Forget(ctx context.Context, id, reason string) (brain.Memory, brain.Run, error) {
	run := s.base.NewRun(brain.RunForget, s.base.Now())
	var f Forgetting
	err := lifecycle.Retry(func() (err error) {
		if f, err = s.PlanForget(ctx, id); err != nil {
			return fmt.Errorf("forget: %w", err)
		}
		_, err = s.ApplyForget(ctx, []Forgetting{f}, &run, reason)
		return err
	})
	if errors.Is(err, brain.ErrConflict) {
		err = brain.Errorf(brain.ErrConflict, "try again", "%s kept changing while it was being forgotten", id)
	}
	return f.Memory, run, err
}

const forgetBatch = 50 // plans in one transaction

// ApplyForget applies plans as the next actions of run. It archives all of them first, and then
// deletes the memories in bounded transactions. It returns [brain.ErrConflict] if something
// has changed since the plan; the actions that it returns are done.
func (s *Service) ApplyForget(ctx context.Context, plans []Forgetting, run *brain.Run, reason string) ([]brain.Action, error) {
	if len(plans) == 0 {
		return nil, nil
	}
	if s.base.Archive == nil {
		return nil, errors.New("forget: there is no archive")
	}
	now := s.base.Now()
	var all []brain.Forgotten
	for i := range plans {
		all = append(all, plans[i].forgotten(now, reason)...)
	}
	path, err := s.base.Archive.Append(ctx, now, all)
	if err != nil {
		return nil, fmt.Errorf("archive %s: %w", plans[0].Memory.ID, err)
	}
	var done []brain.Action
	for batch := range slices.Chunk(plans, forgetBatch) {
		actions, next, err := s.base.Act(ctx, *run, now, func(tx brain.Tx) ([]brain.Action, error) {
			current, err := checkUnchanged(tx, batch)
			if err != nil {
				return nil, err
			}
			actions := make([]brain.Action, len(current))
			for i := range current {
				id := lifecycle.ActionID(run.ID, run.Actions+1+i)
				if actions[i], err = current[i].action(id, run.ID, reason, now); err != nil {
					return nil, err
				}
				actions[i].Archive = path
			}
			return actions, remove(tx, current, actions)
		})
		if err != nil {
			return done, fmt.Errorf("forget %s: %w", batch[0].Memory.ID, err)
		}
		*run, done = next, append(done, actions...)
	}
	return done, nil
}

// remove deletes the nodes of the plans, and stores the tombstones.
func remove(tx brain.Tx, plans []Forgetting, actions []brain.Action) (err error) {
	for i, f := range plans {
		lifecycle.Put(&err, tx.DeleteNodes, brain.IDs(f.Chain)...)
		lifecycle.Put(&err, tx.DeleteNodes, lifecycle.SourceIDs(f.Chain)...)
		lifecycle.Put(&err, tx.PutRecords, actions[i].Made...)
	}
	return err
}

func (f Forgetting) forgotten(now time.Time, reason string) []brain.Forgotten {
	all := make([]brain.Forgotten, 0, len(f.Chain))
	for _, m := range f.Chain {
		e := brain.Forgotten{Memory: m, ForgottenAt: now, Reason: cmp.Or(f.reason, reason)}
		for _, r := range f.Relations {
			if r.From == m.ID || r.To == m.ID {
				e.Relations = append(e.Relations, r)
			}
		}
		for i := range f.Sources {
			if f.Sources[i].ID == m.SourceNodeID {
				e.Source = &f.Sources[i]
			}
		}
		all = append(all, e)
	}
	return all
}

// action returns the action that carries out a plan. Its tombstones are for the text of
// each memory and the identity of each outcome, so that neither a note nor a copy of it
// brings the memory back.
func (f Forgetting) action(id, run, reason string, now time.Time) (brain.Action, error) {
	a := brain.Action{
		ID: id, RunID: run, Kind: brain.ActForget, IDs: brain.IDs(f.Chain),
		Reason: cmp.Or(f.reason, reason), At: now, Unlinked: f.Relations, Sources: f.Sources,
	}
	var stones [][2]string // memory and key
	for i := range f.Chain {
		m := &f.Chain[i]
		a.Changes = append(a.Changes, brain.Change{Before: m})
		stones = append(stones, [2]string{m.ID, m.ContentHash})
	}
	for _, s := range f.Sources {
		if s.Key != "" {
			stones = append(stones, [2]string{f.Memory.ID, s.Key})
		}
	}
	for _, stone := range stones {
		rec, err := brain.NewRecord(brain.TombstoneRecord, brain.Hash(stone[0], stone[1]), stone[0], stone[1], now, lifecycle.Tombstone{Action: id, Run: run})
		if err != nil {
			return a, err
		}
		a.Made = append(a.Made, rec)
	}
	return a, nil
}

// checkUnchanged returns the plans with the relations that were added since, or
// [brain.ErrConflict] if the store differs from what they saw. Touches do not count,
// unless the plan is for an idle memory.
func checkUnchanged(tx brain.Tx, plans []Forgetting) ([]Forgetting, error) {
	ms, err := tx.Memories(brain.Map(plans, func(f Forgetting) string { return f.Memory.ID })...)
	if err != nil {
		return nil, err
	}
	current, err := PlanMemories(tx, ms...)
	if err != nil {
		return nil, err
	}
	for i, f := range plans {
		if i >= len(current) || !current[i].same(f) {
			return nil, fmt.Errorf("%s changed: %w", f.Memory.ID, brain.ErrConflict)
		}
		f.Relations = brain.Unique(slices.Concat(f.Relations, current[i].Relations))
		current[i] = f
	}
	return current, nil
}

// same reports whether f, a repeated plan, equals the earlier plan o except for relations.
func (f Forgetting) same(o Forgetting) bool {
	if o.idle && f.Memory.UseCount != o.Memory.UseCount {
		return false
	}
	return slices.EqualFunc(f.Chain, o.Chain, func(a, b brain.Memory) bool { return a.ID == b.ID && a.Version == b.Version }) &&
		slices.EqualFunc(f.Sources, o.Sources, func(a, b brain.Source) bool { return reflect.DeepEqual(a, b) })
}

// Unforget restores a forgotten memory with its relations, by its id or a prefix. It returns
// the memory and the run.
func (s *Service) Unforget(ctx context.Context, id string) (brain.Memory, brain.Run, error) {
	entry, err := s.base.FindForgotten(ctx, id)
	if err != nil {
		return brain.Memory{}, brain.Run{}, fmt.Errorf("unforget: %w", err)
	}
	now := s.base.Now()
	var out brain.Memory
	_, run, err := s.base.Act(ctx, s.base.NewRun(brain.RunUnforget, now), now, func(tx brain.Tx) ([]brain.Action, error) {
		a, err := restoreForgotten(tx, entry, now)
		if err != nil {
			return nil, err
		}
		found, err := lifecycle.Resolve(tx, entry.Changes[0].Before.ID)
		out = found.Memory
		return []brain.Action{a}, err
	})
	return out, run, brain.Wrap(err, "unforget")
}

// restoreForgotten restores the nodes that a forget removed, and returns the action.
func restoreForgotten(tx brain.Tx, a brain.Action, now time.Time) (brain.Action, error) {
	ids := brain.Map(a.Changes, brain.Change.ID)
	here, err := tx.Memories(ids...)
	stones := lifecycle.Get(&err, lifecycle.OfKindBy(tx, brain.TombstoneRecord, brain.ByOwner), ids...)
	if err == nil && len(here) > 0 {
		err = brain.Errorf(brain.ErrInvalid, "`brainbridge show` prints it", "%s is not forgotten", here[0].ID)
	}
	if err != nil {
		return brain.Action{}, err
	}
	return brain.Action{
		Kind: brain.ActUnforget, IDs: a.IDs, Reason: "restored by hand", At: now, Restored: a.Sources, Linked: a.Unlinked, Removed: stones,
		Changes: brain.Map(a.Changes, func(c brain.Change) brain.Change { return brain.Change{After: c.Before} }),
	}, lifecycle.Restore(tx, a)
}
