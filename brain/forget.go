package brain

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/brainbridge/brainbridge/tiers"
)

// Forgotten is one memory as the archive keeps it.
type Forgotten struct {
	Memory      Memory     `json:"memory"`
	Source      *Source    `json:"source,omitempty"`
	Relations   []Relation `json:"relations,omitempty"`
	ForgottenAt time.Time  `json:"forgottenAt"`
	Reason      string     `json:"reason"`
}

// tombstoneBody says which action of the journal holds what was forgotten.
type tombstoneBody struct {
	Action string `json:"action"`
	Run    string `json:"run"`
}

// Forgetting is what a forget would remove: a memory with everything that its
// chain was before, as it holds the same text.
type Forgetting struct {
	Memory    Memory
	Chain     []Memory // newest first, Memory included
	Sources   []Source
	Relations []Relation
}

// PlanForget says what forgetting a memory would remove, and writes nothing.
func (b *Brain) PlanForget(ctx context.Context, id string) (Forgetting, error) {
	var f Forgetting
	err := b.store.View(ctx, func(r Reader) (err error) {
		f, err = planForget(r, id)
		return err
	})
	return f, err
}

func planForget(r Reader, id string) (Forgetting, error) {
	found, err := resolve(r, id)
	if err != nil {
		return Forgetting{}, err
	}
	older, err := predecessors(r, found.memory)
	if err != nil {
		return Forgetting{}, err
	}
	f := Forgetting{Memory: found.memory, Chain: append([]Memory{found.memory}, older...)}
	ids := make([]string, 0, len(f.Chain))
	var sources []string
	for _, m := range f.Chain {
		ids = append(ids, m.ID)
		if m.SourceNodeID != "" && !slices.Contains(sources, m.SourceNodeID) {
			sources = append(sources, m.SourceNodeID)
		}
	}
	if f.Relations, err = r.Relations(ids...); err != nil {
		return f, err
	}
	f.Sources, err = r.Sources(sources...)
	return f, err
}

// forgetTries is how often a forget is planned anew when its memory changes
// between the archive and the removal.
const forgetTries = 5

// Forget removes a memory: archived and read back first, then deleted with a
// tombstone that keeps notes from bringing it back. Journaled; [Brain.Undo]
// and [Brain.Unforget] bring it back.
func (b *Brain) Forget(ctx context.Context, id, reason string) (Memory, error) {
	if b.archive == nil {
		return Memory{}, errors.New("forget: there is no archive")
	}
	run := Run{ID: NewID(false), Kind: RunForget, Started: b.Now()}
	for range forgetTries {
		f, err := b.PlanForget(ctx, id)
		if err != nil {
			return Memory{}, fmt.Errorf("forget: %w", err)
		}
		_, err = b.ForgetPlanned(ctx, f, &run, reason)
		if !errors.Is(err, ErrConflict) {
			return f.Memory, err
		}
	}
	return Memory{}, Errorf(ErrConflict, "try again", "%s kept changing while it was being forgotten", id)
}

// ForgetPlanned carries out a forget as planned, as the next action of run. It
// is [ErrConflict] when something changed since the plan.
func (b *Brain) ForgetPlanned(ctx context.Context, f Forgetting, run *Run, reason string) (Action, error) {
	now := b.Now()
	path, err := b.archive.Append(ctx, now, f.forgotten(now, reason))
	if err != nil {
		return Action{}, fmt.Errorf("archive %s: %w", f.Memory.ID, err)
	}
	next := *run
	next.Actions++
	next.Finished, next.TestOnly = now, f.Memory.IsTest
	action, err := f.action(next, reason, now)
	if err != nil {
		return Action{}, err
	}
	action.Archive = path
	err = b.store.Update(ctx, func(tx Tx) error {
		done, err := tx.Records(ActionRecord, action.ID)
		if err != nil || len(done) > 0 {
			return err
		}
		if err := f.unchanged(tx); err != nil {
			return err
		}
		if err := f.remove(tx); err != nil {
			return err
		}
		if err := tx.PutRecords(action.Made...); err != nil {
			return err
		}
		return writeJournal(tx, &next, []Action{action})
	})
	if err != nil {
		return Action{}, fmt.Errorf("forget %s: %w", f.Memory.ID, err)
	}
	*run = next
	return action, nil
}

func (f Forgetting) forgotten(now time.Time, reason string) []Forgotten {
	all := make([]Forgotten, 0, len(f.Chain))
	for _, m := range f.Chain {
		e := Forgotten{Memory: m, ForgottenAt: now, Reason: reason}
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

func (f Forgetting) action(run Run, reason string, now time.Time) (Action, error) {
	a := Action{
		ID: actionID(run.ID, run.Actions), RunID: run.ID, Kind: ActForget, Root: f.Memory.Root,
		Reason: reason, At: now, Unlinked: f.Relations, Sources: f.Sources,
	}
	for i := range f.Chain {
		a.IDs = append(a.IDs, f.Chain[i].ID)
		a.Changes = append(a.Changes, Change{Before: &f.Chain[i]})
	}
	made, err := f.tombstones(a, now)
	a.Made = made
	return a, err
}

// tombstones are by the text of each memory and by the identity of each
// outcome, so that neither a note nor a copy of it brings the memory back.
func (f Forgetting) tombstones(a Action, now time.Time) ([]Record, error) {
	var recs []Record
	add := func(owner, key string) error {
		rec, err := newRecord(TombstoneRecord, Hash(owner, key), owner, key, now, tombstoneBody{a.ID, a.RunID})
		recs = append(recs, rec)
		return err
	}
	for _, m := range f.Chain {
		if err := add(m.ID, m.ContentHash); err != nil {
			return nil, err
		}
	}
	for _, s := range f.Sources {
		if s.Key == "" {
			continue
		}
		if err := add(f.Memory.ID, s.Key); err != nil {
			return nil, err
		}
	}
	return recs, nil
}

// unchanged compares with what the plan saw, touches apart.
func (f Forgetting) unchanged(tx Tx) error {
	now, err := planForget(tx, f.Memory.ID)
	if err != nil {
		return err
	}
	same := len(now.Chain) == len(f.Chain) && slices.Equal(now.Relations, f.Relations)
	for i := range now.Chain {
		same = same && now.Chain[i].ID == f.Chain[i].ID && now.Chain[i].Version == f.Chain[i].Version
	}
	if !same {
		return fmt.Errorf("memory %s: %w", f.Memory.ID, ErrConflict)
	}
	return nil
}

func (f Forgetting) remove(tx Tx) error {
	ids := make([]string, 0, len(f.Chain))
	for _, m := range f.Chain {
		ids = append(ids, m.ID)
	}
	if err := tx.DeleteMemories(ids...); err != nil {
		return err
	}
	sources := make([]string, 0, len(f.Sources))
	for _, s := range f.Sources {
		sources = append(sources, s.ID)
	}
	return tx.DeleteSources(sources...)
}

// Unforget brings a forgotten memory and its relations back.
func (b *Brain) Unforget(ctx context.Context, id string) (Memory, error) {
	entry, err := b.forgottenEntry(ctx, id)
	if err != nil {
		return Memory{}, fmt.Errorf("unforget: %w", err)
	}
	run := Run{ID: NewID(false), Kind: RunUnforget, Started: b.Now(), Finished: b.Now(), Actions: 1}
	var out Memory
	err = b.store.Update(ctx, func(tx Tx) error {
		done, err := tx.Records(RunRecord, run.ID)
		if err != nil {
			return err
		}
		if len(done) == 0 {
			if err := entry.restore(tx, run); err != nil {
				return err
			}
		}
		found, err := resolve(tx, entry.Changes[0].Before.ID)
		out = found.memory
		return err
	})
	if err != nil {
		return Memory{}, fmt.Errorf("unforget: %w", err)
	}
	return out, nil
}

// forgottenEntry is the action that forgot a memory: from the journal, or made
// again from the archive when the journal is too old.
func (b *Brain) forgottenEntry(ctx context.Context, id string) (Action, error) {
	var found []Action
	err := b.store.View(ctx, func(r Reader) error {
		found = nil
		stones, err := r.RecordsByOwner(TombstoneRecord, id)
		if err != nil || len(stones) == 0 {
			return err
		}
		stone, err := body[tombstoneBody](stones[len(stones)-1])
		if err != nil {
			return err
		}
		recs, err := r.Records(ActionRecord, stone.Action)
		if err != nil {
			return err
		}
		found, err = bodies[Action](recs)
		return err
	})
	if err != nil {
		return Action{}, err
	}
	if len(found) > 0 {
		return found[0], nil
	}
	if b.archive == nil {
		return Action{}, notForgotten(id)
	}
	f, err := b.archive.Find(ctx, id)
	if err != nil {
		return Action{}, notForgotten(id)
	}
	a := Action{Kind: ActForget, IDs: []string{id}, Root: f.Memory.Root, Changes: []Change{{Before: &f.Memory}}, Unlinked: f.Relations}
	if f.Source != nil {
		a.Sources = []Source{*f.Source}
	}
	return a, nil
}

func notForgotten(id string) error {
	return Errorf(ErrNotFound, "give the whole id, as `forget` and `brainbridge runs show RUN` printed it",
		"nothing was forgotten under the id %s", id)
}

// restore writes back what a forget removed, journaled as a run of its own.
func (a Action) restore(tx Tx, run Run) error {
	next := Action{Kind: ActUnforget, IDs: a.IDs, Root: a.Root, Reason: "brought back by hand", At: run.Started, Restored: a.Sources, Linked: a.Unlinked}
	for _, c := range a.Changes {
		here, err := tx.Memories(c.Before.ID)
		if err != nil {
			return err
		}
		if len(here) > 0 {
			return Errorf(ErrInvalid, "`brainbridge show` prints it", "%s is not forgotten", c.Before.ID)
		}
		run.TestOnly = c.Before.IsTest
		next.Changes = append(next.Changes, Change{After: c.Before})
		stones, err := tx.RecordsByOwner(TombstoneRecord, c.Before.ID)
		if err != nil {
			return err
		}
		next.Removed = append(next.Removed, stones...)
	}
	if err := a.putBack(tx); err != nil {
		return err
	}
	return writeJournal(tx, &run, number([]Action{next}, run.ID, 1))
}

// putBack stores the memories, sources and relations that an action took away,
// and takes back the records that it made.
func (a Action) putBack(tx Tx) error {
	var ms []Memory
	for _, c := range a.Changes {
		if c.Before != nil && c.After == nil {
			ms = append(ms, *c.Before)
		}
	}
	slices.Reverse(ms) // originals before what was made of them
	if err := tx.PutSources(a.Sources...); err != nil {
		return err
	}
	if err := tx.PutMemories(ms...); err != nil {
		return err
	}
	if err := putExisting(tx, a.Unlinked); err != nil {
		return err
	}
	for _, m := range ms {
		stones, err := tx.RecordsByOwner(TombstoneRecord, m.ID)
		if err != nil {
			return err
		}
		for _, s := range stones {
			if err := tx.DeleteRecords(TombstoneRecord, s.ID); err != nil {
				return err
			}
		}
	}
	return nil
}

// putExisting stores the relations of which both ends are still there.
func putExisting(tx Tx, rels []Relation) error {
	ends := map[string]bool{}
	for _, r := range rels {
		ends[r.From], ends[r.To] = false, false
	}
	ids := sortedKeys(ends)
	ms, err := tx.Memories(ids...)
	if err != nil {
		return err
	}
	ss, err := tx.Sources(ids...)
	if err != nil {
		return err
	}
	for i := range ms {
		ends[ms[i].ID] = true
	}
	for i := range ss {
		ends[ss[i].ID] = true
	}
	var whole []Relation
	for _, r := range rels {
		if ends[r.From] && ends[r.To] {
			whole = append(whole, r)
		}
	}
	return tx.PutRelations(whole...)
}

// live reports whether a memory is in use: live or expired.
func (m *Memory) live() bool { return m.Tier.Live() || m.Tier == tiers.Expired }
