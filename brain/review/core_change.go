package review

import (
	"context"
	"slices"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/tiers"
)

// CoreChange moves a memory into core, or out of it.
type CoreChange struct {
	Memory brain.Memory // as of the decision
	Demote bool         // move it from core to longTerm
	Reason string
	Entry  string // entry in core-memory.json as section.key; empty if there is none
}

// ChangeCore applies changes in one transaction, as the next actions of a run. It skips and
// counts memories that have changed since the decision or are already in the target tier.
func (s *Service) ChangeCore(ctx context.Context, run brain.Run, now time.Time, changes []CoreChange) (done []brain.Action, skipped int, next brain.Run, err error) {
	done, next, err = s.base.Act(ctx, run, now, func(tx brain.Tx) ([]brain.Action, error) {
		actions, moved, err := move(tx, changes, now)
		skipped = len(changes) - moved
		return actions, err
	})
	return done, skipped, next, brain.Wrap(err, "change core memory")
}

// move settles the memories of the changes that still apply, and then moves them. It returns
// the actions in that order, and the number of moves.
func move(tx brain.Tx, all []CoreChange, now time.Time) (actions []brain.Action, moved int, err error) {
	policy, err := brain.ReadPolicy(tx)
	found := lifecycle.Get(&err, tx.Memories, brain.Map(all, func(ch CoreChange) string { return ch.Memory.ID })...)
	if err != nil {
		return nil, 0, err
	}
	current := brain.ByID(found)
	var changes []CoreChange
	var ms []brain.Memory
	for _, ch := range all {
		if m := current[ch.Memory.ID]; ch.applies(m) {
			changes, ms = append(changes, ch), append(ms, m)
			delete(current, m.ID) // a second change of it is skipped
		}
	}
	settlement := lifecycle.Settle(policy, ms, now)
	actions, err = settlement.Write(tx)
	var after []brain.Memory
	for _, ch := range changes {
		a := ch.action(policy, settlement.Settled[ch.Memory.ID], now)
		actions, after = append(actions, a), append(after, *a.Changes[0].After)
	}
	lifecycle.Put(&err, tx.PutMemories, after...)
	return actions, len(changes), err
}

// PromoteAll moves the memories that are not in core into it, and returns the actions.
func PromoteAll(tx brain.Tx, ms []brain.Memory, now time.Time, reason string) ([]brain.Action, error) {
	changes := brain.Map(ms, func(m brain.Memory) CoreChange { return CoreChange{Memory: m, Reason: reason} })
	actions, _, err := move(tx, changes, now)
	return actions, err
}

// applies reports whether m is unchanged since the decision and not yet in the target tier.
func (ch CoreChange) applies(m brain.Memory) bool {
	return m.ID == ch.Memory.ID && m.Version == ch.Memory.Version && m.Current() && ch.Demote == (m.Tier == tiers.Core)
}

// action returns the action that moves a memory. The memory, before, must be settled.
func (ch CoreChange) action(policy *tiers.Policy, before brain.Memory, now time.Time) brain.Action {
	m := before
	a := brain.Action{Kind: ActCore, IDs: []string{m.ID}, Reason: ch.Reason, At: now}
	if ch.Demote {
		a.Kind = ActDemote
		m.State = policy.FromCore(m.State, now)
		if m.Retention == brain.RetainCore {
			m.Retention = "" // otherwise it could never expire
		}
	} else {
		m.State = policy.ToCore(m.State, now)
		if m.Entity {
			m.Observations = append(slices.Clone(m.Observations), "Promoted to core memory: "+now.Format(time.DateOnly))
		}
	}
	if ch.Entry != "" {
		a.Reason += "; entry " + ch.Entry
	}
	m.Version++
	m.Complete()
	a.Changes = []brain.Change{{Before: &before, After: &m}}
	return a
}

// SetCore moves a memory into core, or out of it if demote is set, as a run of its own. It
// returns the changed memory and the run, or [brain.ErrInvalid] if the memory is already in
// core, or not in it.
func (s *Service) SetCore(ctx context.Context, id string, demote bool) (brain.Memory, brain.Run, error) {
	now := s.base.Now()
	run := s.base.NewRun(RunCore, now)
	ch, refusal := CoreChange{Demote: demote, Reason: "moved into core by hand"}, "is already in core"
	if demote {
		ch.Reason, refusal = "moved out of core by hand", "is not in core"
	}
	var changed brain.Memory
	_, run, err := s.base.Act(ctx, run, now, func(tx brain.Tx) ([]brain.Action, error) {
		found, err := lifecycle.Resolve(tx, id)
		if err != nil {
			return nil, err
		}
		if ch.Memory = found.Memory; ch.Memory.IsCore() != demote {
			return nil, brain.Errorf(brain.ErrInvalid, "`brainbridge core list` shows what is in core", "%s %s", ch.Memory.ID, refusal)
		}
		actions, _, err := move(tx, []CoreChange{ch}, now)
		if err == nil {
			changed = *actions[len(actions)-1].Changes[0].After // the change applies, since the memory was just read
		}
		return actions, err
	})
	return changed, run, brain.Wrap(err, "change core memory")
}
