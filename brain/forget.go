package brain

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"time"
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
// chain was before, as it holds the same text; or sources that have no memory.
type Forgetting struct {
	Memory    Memory
	Chain     []Memory // newest first, Memory included
	Sources   []Source
	Relations []Relation

	reason string // of this one alone; "": that of all
	idle   bool   // only as long as nobody uses it
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
	run := Run{ID: NewID(false), Kind: RunForget, Started: b.Now()}
	for range forgetTries {
		f, err := b.PlanForget(ctx, id)
		if err != nil {
			return Memory{}, fmt.Errorf("forget: %w", err)
		}
		_, err = b.ForgetPlanned(ctx, []Forgetting{f}, &run, reason)
		if !errors.Is(err, ErrConflict) {
			return f.Memory, err
		}
	}
	return Memory{}, Errorf(ErrConflict, "try again", "%s kept changing while it was being forgotten", id)
}

// forgetBatch is how many plans one transaction carries out.
const forgetBatch = 50

// ForgetPlanned carries out forgets as planned, as the next actions of run:
// all of them are archived at once, then removed in bounded transactions. It
// is [ErrConflict] when something changed since the plan; the actions that it
// returns are done nevertheless.
func (b *Brain) ForgetPlanned(ctx context.Context, plans []Forgetting, run *Run, reason string) ([]Action, error) {
	if b.archive == nil {
		return nil, errors.New("forget: there is no archive")
	}
	now := b.Now()
	path, err := b.archiveAll(ctx, plans, reason, now)
	if err != nil {
		return nil, err
	}
	var done []Action
	gone := map[string]bool{}
	for batch := range slices.Chunk(plans, forgetBatch) {
		actions, err := b.forgetSome(ctx, batch, run, gone, reason, path, now)
		if err != nil {
			return done, fmt.Errorf("forget %s: %w", batch[0].subject(), err)
		}
		done = append(done, actions...)
		for i := range batch {
			batch[i].mark(gone)
		}
	}
	return done, nil
}

func (b *Brain) archiveAll(ctx context.Context, plans []Forgetting, reason string, now time.Time) (string, error) {
	var all []Forgotten
	for i := range plans {
		all = append(all, plans[i].forgotten(now, reason)...)
	}
	if len(all) == 0 {
		return "", nil
	}
	path, err := b.archive.Append(ctx, now, all)
	if err != nil {
		return "", fmt.Errorf("archive %s: %w", plans[0].subject(), err)
	}
	return path, nil
}

// forgetSome removes some of what was archived in one transaction. gone is
// what the batches before it removed.
func (b *Brain) forgetSome(ctx context.Context, plans []Forgetting, run *Run, gone map[string]bool, reason, path string, now time.Time) ([]Action, error) {
	next := *run
	next.Finished, next.TestOnly = now, plans[0].isTest()
	actions := make([]Action, 0, len(plans))
	for i := range plans {
		next.Actions++
		a, err := plans[i].action(next, reason, now)
		if err != nil {
			return nil, err
		}
		a.Archive = path
		actions = append(actions, a)
	}
	err := b.store.Update(ctx, func(tx Tx) error {
		done, err := tx.Records(ActionRecord, actions[0].ID)
		if err != nil || len(done) > 0 {
			return err
		}
		if err := unchanged(tx, plans, gone); err != nil {
			return err
		}
		if err := remove(tx, plans); err != nil {
			return err
		}
		for _, a := range actions {
			if err := tx.PutRecords(a.Made...); err != nil {
				return err
			}
		}
		return writeJournal(tx, &next, actions)
	})
	if err != nil {
		return nil, err
	}
	*run = next
	return actions, nil
}

func (f Forgetting) forgotten(now time.Time, reason string) []Forgotten {
	all := make([]Forgotten, 0, len(f.Chain))
	for _, m := range f.Chain {
		e := Forgotten{Memory: m, ForgottenAt: now, Reason: cmp.Or(f.reason, reason)}
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
		Reason: cmp.Or(f.reason, reason), At: now, Unlinked: f.Relations, Sources: f.Sources,
	}
	if len(f.Chain) == 0 { // sources alone
		a.IDs, a.Root = f.sourceIDs(), f.subject()
		return a, nil
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

// unchanged compares with what the plans saw, touches apart (where the plan is
// not only for a memory that nobody uses). What this forget itself removed
// before is no change.
func unchanged(tx Tx, plans []Forgetting, gone map[string]bool) error {
	var ids, sources []string
	for i := range plans {
		ids = append(ids, plans[i].ids()...)
		sources = append(sources, plans[i].sourceIDs()...)
	}
	c := newChains(tx)
	if err := c.load(ids, sources); err != nil {
		return err
	}
	for i := range plans {
		now, err := plans[i].again(c)
		if err != nil {
			return err
		}
		if !now.same(plans[i].without(gone)) {
			return fmt.Errorf("%s changed: %w", plans[i].subject(), ErrConflict)
		}
	}
	return nil
}

// again is the plan as it would be now.
func (f Forgetting) again(c *chains) (Forgetting, error) {
	if len(f.Chain) > 0 {
		return planForget(c, f.Memory.ID)
	}
	var now Forgetting
	var err error
	if now.Sources, err = c.Sources(f.sourceIDs()...); err != nil {
		return now, err
	}
	now.Relations, err = c.Relations(f.sourceIDs()...)
	return now, err
}

// without leaves out the relations and sources that are gone.
func (f Forgetting) without(gone map[string]bool) Forgetting {
	if len(gone) == 0 {
		return f
	}
	f.Relations = slices.DeleteFunc(slices.Clone(f.Relations), func(r Relation) bool { return gone[r.From] || gone[r.To] })
	f.Sources = slices.DeleteFunc(slices.Clone(f.Sources), func(s Source) bool { return gone[s.ID] })
	return f
}

// same reports whether a plan made anew, f, is the one that was made before.
func (f Forgetting) same(o Forgetting) bool {
	if o.idle && f.Memory.UseCount != o.Memory.UseCount {
		return false
	}
	return slices.EqualFunc(f.Chain, o.Chain, func(a, z Memory) bool { return a.ID == z.ID && a.Version == z.Version }) &&
		slices.Equal(f.Relations, o.Relations) &&
		slices.EqualFunc(f.Sources, o.Sources, func(a, z Source) bool { return reflect.DeepEqual(a, z) })
}

func remove(tx Tx, plans []Forgetting) error {
	var ids, sources []string
	for i := range plans {
		ids = append(ids, plans[i].ids()...)
		sources = append(sources, plans[i].sourceIDs()...)
	}
	if err := tx.DeleteMemories(ids...); err != nil {
		return err
	}
	return tx.DeleteSources(sources...)
}

func (f Forgetting) ids() []string {
	ids := make([]string, 0, len(f.Chain))
	for i := range f.Chain {
		ids = append(ids, f.Chain[i].ID)
	}
	return ids
}

func (f Forgetting) sourceIDs() []string {
	ids := make([]string, 0, len(f.Sources))
	for i := range f.Sources {
		ids = append(ids, f.Sources[i].ID)
	}
	return ids
}

// subject is the id that stands for all of it.
func (f Forgetting) subject() string {
	if len(f.Chain) == 0 && len(f.Sources) > 0 {
		return f.Sources[0].ID
	}
	return f.Memory.ID
}

func (f Forgetting) isTest() bool {
	return f.Memory.IsTest || len(f.Chain) == 0 && len(f.Sources) > 0 && f.Sources[0].IsTest
}

func (f Forgetting) mark(gone map[string]bool) {
	for _, id := range append(f.ids(), f.sourceIDs()...) {
		gone[id] = true
	}
}
