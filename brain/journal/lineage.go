package journal

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/tiers"
)

// lineage has the memories, actions and uses that the history of a memory is made from.
type lineage struct {
	chain   []brain.Memory      // the memory itself, then what it came from, nearest first
	made    map[string][]string // by the id of a memory, those that took its place
	actions []orderedAction
	uses    []entry
}

// orderedAction is an action with the place of its run in the order of runs.
type orderedAction struct {
	brain.Action
	order time.Time
}

// readLineage reads what the store knows of a memory.
func (b *Service) readLineage(ctx context.Context, id string) (*lineage, error) {
	return lifecycle.Read(ctx, b.base, func(r brain.Reader) (*lineage, error) {
		found, err := lifecycle.Resolve(r, id)
		if err != nil {
			return nil, err
		}
		older, err := lifecycle.Predecessors(r, found.Memory)
		if err != nil {
			return nil, err
		}
		chain := append([]brain.Memory{found.Memory}, older...)
		rels, err := r.Relations(brain.IDs(chain)...)
		if err != nil {
			return nil, err
		}
		return newLineage(r, chain, rels)
	})
}

// readForgotten is [Service.readLineage] for a memory that was forgotten: it and what it came
// from are in the action that forgot them.
func (b *Service) readForgotten(ctx context.Context, id string) (*lineage, error) {
	entry, err := b.base.FindForgotten(ctx, id)
	if err != nil {
		return nil, err
	}
	var chain []brain.Memory
	for _, c := range entry.Changes {
		chain = append(chain, *c.Before)
	}
	return lifecycle.Read(ctx, b.base, func(r brain.Reader) (*lineage, error) { return newLineage(r, chain, entry.Unlinked) })
}

// newLineage reads the actions and uses of a chain with these relations.
func newLineage(r brain.RecordReader, chain []brain.Memory, rels []brain.Relation) (*lineage, error) {
	s := &lineage{chain: chain, made: map[string][]string{}}
	in := brain.ByID(chain)
	for _, rel := range rels {
		old, next := rel.From, rel.To
		if rel.Type == brain.Supersedes {
			old, next = next, old
		}
		_, from := in[old]
		_, to := in[next]
		if (rel.Type == brain.PromotedTo || rel.Type == brain.Supersedes) && from && to {
			s.made[old] = append(s.made[old], next)
		}
	}
	var err error
	if s.actions, err = readActions(r, s.roots()); err == nil {
		s.uses, err = readUses(r, s.roots())
	}
	return s, err
}

// roots returns those of the memories of the chain, each once.
func (s *lineage) roots() []string {
	all := make([]string, len(s.chain))
	for i := range s.chain {
		all[i] = s.chain[i].Root
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func readActions(r brain.RecordReader, roots []string) ([]orderedAction, error) {
	actions, err := brain.Bodies[brain.Action](r.RecordsByKey(brain.ActionRecord, roots...))
	if err != nil {
		return nil, err
	}
	orders := map[string]time.Time{}
	for _, a := range actions {
		orders[a.RunID] = time.Time{}
	}
	runs, err := brain.Bodies[brain.Run](r.Records(brain.RunRecord, slices.Sorted(maps.Keys(orders))...))
	for _, run := range runs {
		orders[run.ID] = run.Order
	}
	ordered := make([]orderedAction, len(actions))
	for i, a := range actions {
		ordered[i] = orderedAction{a, orders[a.RunID]}
	}
	return ordered, err
}

func readUses(r brain.RecordReader, roots []string) (uses []entry, err error) {
	for _, kind := range []brain.RecordKind{brain.UseEventRecord, brain.TouchRecord} {
		recs, err := r.RecordsByOwner(kind, roots...)
		if err != nil {
			return nil, err
		}
		for _, rec := range recs {
			e, err := brain.Body[brain.UseEvent](rec)
			if err != nil {
				return nil, err
			}
			if kind == brain.TouchRecord && e.Kind != lifecycle.EventRecall {
				continue // a mark beside the use itself
			}
			reason := fmt.Sprintf("energy +%.2f", e.Energy)
			if e.Context != "" {
				reason = "in " + e.Context
			}
			event := HistoryEvent{At: rec.At, Kind: e.Kind, Memory: e.Memory, Reason: reason, Session: e.Session}
			uses = append(uses, entry{HistoryEvent: event, subjects: []string{e.Memory}, order: e.Order})
		}
	}
	return uses, nil
}

// entry is an event on its way to its place.
type entry struct {
	HistoryEvent
	subjects []string
	born     []string // memories that came to be by it
	order    int      // of a use, among those of its instant
}

// events puts everything in order. Actions have one: that of their runs, and
// within a run their number. Everything else finds its place among those of
// its instant by what it needs: a memory is captured before all else, and
// edited or used once it is there.
func (s *lineage) events() []HistoryEvent {
	edits := s.edits()
	entries := placeEdits(s, edits, actionEntries(s.actions))
	entries = placeCaptures(s, edits, placeUses(s.uses, entries))
	events := make([]HistoryEvent, len(entries))
	for i, e := range entries {
		events[i] = e.HistoryEvent
	}
	return events
}

func actionEntries(actions []orderedAction) (entries []entry) {
	slices.SortFunc(actions, func(a, z orderedAction) int {
		return cmp.Or(a.At.Compare(z.At), a.order.Compare(z.order), cmp.Compare(a.RunID, z.RunID), cmp.Compare(numberOf(a.Action), numberOf(z.Action)))
	})
	for _, a := range actions {
		e := entry{subjects: a.IDs, HistoryEvent: HistoryEvent{
			At: a.At, Kind: string(a.Kind), Memory: a.IDs[0], Reason: a.Reason, Run: a.RunID, Undone: lifecycle.Optional(a.Undone),
		}}
		if a.Kind != brain.ActUnforget { // what that brought back was there before
			e.born = madeBy(a.Action)
		}
		entries = append(entries, e)
	}
	return entries
}

// edits returns which memories of the chain are texts that notes had before:
// superseded, but by no action.
func (s *lineage) edits() map[string]bool {
	edits := map[string]bool{}
	for i := range s.chain {
		edits[s.chain[i].ID] = i > 0 && s.chain[i].Tier == tiers.Superseded
	}
	for _, a := range s.actions {
		for _, c := range a.Changes {
			if c.After != nil && c.After.Tier == tiers.Superseded && a.Undone.IsZero() {
				edits[c.After.ID] = false
			}
		}
	}
	return edits
}

func placeEdits(s *lineage, edits map[string]bool, entries []entry) []entry {
	for _, m := range slices.Backward(s.chain) {
		if edits[m.ID] {
			entries = place(entries, entry{subjects: []string{m.ID}, HistoryEvent: HistoryEvent{
				At: m.ValidTo, Kind: "edit", Memory: m.ID, Reason: "the note was edited; this is the text before",
			}}, s.made[m.ID]...)
		}
	}
	return entries
}

func placeUses(uses, entries []entry) []entry {
	access := func(u entry) int { // of one use the access comes after the verdict
		if u.Kind == lifecycle.EventAccess {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(uses, func(a, z entry) int {
		return cmp.Or(a.At.Compare(z.At), cmp.Compare(a.order, z.order), cmp.Compare(access(a), access(z)))
	})
	for _, u := range slices.Backward(uses) {
		entries = place(entries, u, u.Memory)
	}
	return entries
}

// place inserts e as the first of its instant, but after these memories came to
// be, or expired.
func place(entries []entry, e entry, memories ...string) []entry {
	at := 0
	for i, before := range entries {
		ids := before.born
		if before.Kind == string(brain.ActExpire) {
			ids = before.subjects
		}
		needed := slices.ContainsFunc(ids, func(id string) bool { return slices.Contains(memories, id) })
		if since := e.At.Compare(before.At); since > 0 || since == 0 && needed {
			at = i + 1
		}
	}
	return slices.Insert(entries, at, e)
}

// placeCaptures adds the captures of memories that were made of no others, each
// before everything that happened to it: a note may bear a later time.
func placeCaptures(s *lineage, edits map[string]bool, entries []entry) []entry {
	later := s.derived(edits)
	for _, m := range slices.Backward(s.chain) {
		if later[m.ID] {
			continue
		}
		captured := m.Created
		if m.ValidFrom.Before(captured) && !m.ValidFrom.IsZero() { // it was said again in what was merged into it
			captured = m.ValidFrom
		}
		at := slices.IndexFunc(entries, func(e entry) bool {
			return !e.At.Before(captured) || slices.Contains(e.subjects, m.ID)
		})
		if at < 0 {
			at = len(entries)
		}
		entries = slices.Insert(entries, at, entry{HistoryEvent: HistoryEvent{
			At: captured, Kind: "capture", Memory: m.ID, Reason: m.MemoryType, Session: m.SessionID,
		}})
	}
	return entries
}

// derived returns which memories of the chain were made from an earlier one. The
// keeper of a merge was not: it superseded memories that existed beside it.
func (s *lineage) derived(edits map[string]bool) map[string]bool {
	stayed := map[[2]string]bool{} // keeper and source, of merges and reviews
	for _, a := range s.actions {
		keeper := a.IDs[0]
		for _, c := range a.Changes {
			if c.Before != nil && c.After != nil && c.After.Tier == tiers.Superseded && !slices.Contains(madeBy(a.Action), keeper) {
				stayed[[2]string{keeper, c.After.ID}] = true
			}
		}
	}
	later := maps.Clone(edits)
	for old, next := range s.made {
		for _, id := range next {
			later[id] = later[id] || !edits[old] && !stayed[[2]string{id, old}]
		}
	}
	return later
}
