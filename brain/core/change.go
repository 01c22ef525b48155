package core

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/tiers"
)

// Change moves a memory into core, or out of it.
type Change struct {
	Memory brain.Memory // as it was when the change was decided
	Demote bool         // move it from core to longTerm
	Reason string
	Entry  string // its place in core-memory.json as section.key, "" for none
}

// Change applies changes in one transaction as the next actions of a run. A memory
// that has changed since it was read, or is already in its place, is skipped and
// counted.
func (b *Service) Change(ctx context.Context, run brain.Run, now time.Time, changes []Change) (done []brain.Action, skipped int, next brain.Run, err error) {
	done, next, err = b.base.Act(ctx, run, now, func(tx brain.Tx) ([]brain.Action, error) {
		settled, moved, err := move(tx, changes, now)
		skipped = len(changes) - len(moved)
		return append(settled, moved...), err
	})
	if err != nil {
		return nil, 0, run, fmt.Errorf("change core memory: %w", err)
	}
	return done, skipped, next, nil
}

// move settles the memories of the changes that are still due, and moves them. It
// returns the actions of both.
func move(tx brain.Tx, changes []Change, now time.Time) (settled, moved []brain.Action, err error) {
	tl, err := lifecycle.Timeline(tx)
	if err != nil {
		return nil, nil, err
	}
	var ids []string
	for i := range changes {
		ids = append(ids, changes[i].Memory.ID)
	}
	ms, err := tx.Memories(ids...)
	if err != nil {
		return nil, nil, err
	}
	here := brain.ByID(ms)
	changes = slices.DeleteFunc(slices.Clone(changes), func(ch Change) bool { return !ch.due(here[ch.Memory.ID]) })
	ms = slices.DeleteFunc(ms, func(m brain.Memory) bool {
		return !slices.ContainsFunc(changes, func(ch Change) bool { return ch.Memory.ID == m.ID })
	})
	s := lifecycle.Settle(tl, ms, now)
	if settled, err = s.Write(tx); err != nil {
		return nil, nil, err
	}
	moved = plan(tl, changes, s.Newest, now)
	return settled, moved, put(tx, moved)
}

// PromoteAll moves settled memories into core and returns the actions.
func PromoteAll(tx brain.Tx, ms []brain.Memory, now time.Time, reason string) ([]brain.Action, error) {
	tl, err := lifecycle.Timeline(tx)
	if err != nil {
		return nil, err
	}
	var changes []Change
	for _, m := range ms {
		if ch := (Change{Memory: m, Reason: reason}); ch.due(m) {
			changes = append(changes, ch)
		}
	}
	actions := plan(tl, changes, brain.ByID(ms), now)
	return actions, put(tx, actions)
}

// due reports whether m is unchanged since the change was decided and not yet in
// its place.
func (ch Change) due(m brain.Memory) bool {
	return m.ID == ch.Memory.ID && m.Version == ch.Memory.Version && m.Current() && ch.Demote == (m.Tier == tiers.Core)
}

// plan returns the actions that carry out changes, one for each memory. settled holds
// the memories as they are at now, by the ids that they had before.
func plan(tl tiers.Timeline, changes []Change, settled map[string]brain.Memory, now time.Time) []brain.Action {
	var actions []brain.Action
	planned := map[string]bool{}
	for _, ch := range changes {
		if planned[ch.Memory.ID] {
			continue
		}
		planned[ch.Memory.ID] = true
		before := settled[ch.Memory.ID]
		m := before
		a := brain.Action{Kind: ActCore, IDs: []string{m.ID}, Root: m.Root, Reason: ch.Reason, At: now}
		m.State = tl.ToCore(m.State, now)
		if ch.Demote {
			a.Kind = ActDemote
			m.State = tl.FromCore(before.State, now)
			if m.Retention == brain.RetainCore {
				m.Retention = "" // otherwise it could never expire
			}
		}
		if ch.Entry != "" {
			a.Reason += "; entry " + ch.Entry
		}
		m.Version++
		m.Complete()
		a.Changes = []brain.Change{{Before: &before, After: &m}}
		actions = append(actions, a)
	}
	return actions
}

func put(tx brain.MemoryWriter, actions []brain.Action) error {
	var ms []brain.Memory
	for _, a := range actions {
		ms = append(ms, *a.Changes[0].After)
	}
	return tx.PutMemories(ms...)
}

// Set moves a memory into core by hand, or with demote out of it, in a run of its
// own, and returns the changed memory. It returns [brain.ErrInvalid] if the memory
// is already in its place.
func (b *Service) Set(ctx context.Context, id string, demote bool) (brain.Memory, brain.Run, error) {
	now := b.base.Now()
	run := brain.Run{ID: b.base.NewID(), Kind: RunCore, Started: now}
	ch := Change{Demote: demote, Reason: "taken into core by hand"}
	if demote {
		ch.Reason = "taken out of core by hand"
	}
	var out brain.Memory
	_, run, err := b.base.Act(ctx, run, now, func(tx brain.Tx) ([]brain.Action, error) {
		at, err := lifecycle.Resolve(tx, id)
		if err != nil {
			return nil, err
		}
		if ch.Memory = at.Memory; ch.Memory.IsCore() != demote {
			return nil, alreadySo(ch)
		}
		settled, moved, err := move(tx, []Change{ch}, now)
		if err != nil {
			return nil, err
		}
		out = *moved[0].Changes[0].After
		return append(settled, moved...), nil
	})
	if err != nil {
		return brain.Memory{}, brain.Run{}, fmt.Errorf("change core memory: %w", err)
	}
	return out, run, nil
}

func alreadySo(ch Change) error {
	const hint = "`brainbridge core list` shows what is in core"
	if ch.Demote {
		return brain.Errorf(brain.ErrInvalid, hint, "%s is not in core", ch.Memory.ID)
	}
	return brain.Errorf(brain.ErrInvalid, hint, "%s is already in core", ch.Memory.ID)
}
