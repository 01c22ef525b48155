package journal

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/tiers"
)

// lineage has the memories, actions and uses that the history of a memory is made from.
type lineage struct {
	chain     []brain.Memory    // the memory itself, then what it came from, nearest first
	versionOf map[string]string // of those that were a version of another one
	actions   []orderedAction
	uses      []lineageEntry
}

// orderedAction is an action with the place of its run in the order of runs.
type orderedAction struct {
	brain.Action
	order time.Time
}

// readLineage reads the memories, actions and uses of a memory from the store.
func (s *Service) readLineage(ctx context.Context, id string) (*lineage, error) {
	return lifecycle.Read(ctx, s.base, func(r brain.Reader) (*lineage, error) {
		found, err := lifecycle.Resolve(r, id)
		if err != nil {
			return nil, err
		}
		chains, err := lifecycle.ReadChains(r, found.Memory)
		if err != nil {
			return nil, err
		}
		return newLineage(r, chains[0])
	})
}

// readForgotten is readLineage for a forgotten memory, from the action that forgot it.
func (s *Service) readForgotten(ctx context.Context, id string) (*lineage, error) {
	entry, err := s.base.FindForgotten(ctx, id)
	if err != nil {
		return nil, err
	}
	chain := lifecycle.Chain{Relations: entry.Unlinked}
	for _, c := range entry.Changes {
		chain.Memories = append(chain.Memories, *c.Before)
	}
	return lifecycle.Read(ctx, s.base, func(r brain.Reader) (*lineage, error) { return newLineage(r, chain) })
}

// newLineage reads the actions and uses of a chain.
func newLineage(r brain.RecordReader, chain lifecycle.Chain) (*lineage, error) {
	s := &lineage{chain: chain.Memories, versionOf: lifecycle.Versions(chain.Memories, chain.Relations)}
	var err error
	if s.actions, err = readActions(r, brain.IDs(s.chain)); err == nil {
		s.uses, err = readUses(r, brain.IDs(s.chain))
	}
	return s, err
}

func readActions(r brain.RecordReader, ids []string) ([]orderedAction, error) {
	actions, err := brain.Bodies[brain.Action](r.ListRecords(brain.ActionRecord, brain.RecordFilter{By: brain.ByKey, Keys: ids}))
	if err != nil {
		return nil, err
	}
	runs, err := brain.Bodies[brain.Run](r.Records(brain.RunRecord, brain.Unique(brain.Map(actions, func(a brain.Action) string { return a.RunID }))...))
	orders := map[string]time.Time{}
	for _, run := range runs {
		orders[run.ID] = run.Order
	}
	return brain.Map(actions, func(a brain.Action) orderedAction { return orderedAction{a, orders[a.RunID]} }), err
}

func readUses(r brain.RecordReader, ids []string) (uses []lineageEntry, err error) {
	for _, kind := range []brain.RecordKind{brain.UseEventRecord, brain.TouchRecord} {
		recs, events, err := brain.WithBodies[brain.UseEvent](r.ListRecords(kind, brain.RecordFilter{By: brain.ByOwner, Keys: ids}))
		if err != nil {
			return nil, err
		}
		for i, e := range events {
			if kind == brain.TouchRecord && e.Kind != lifecycle.EventRecall {
				continue // a mark in addition to the use itself
			}
			reason := fmt.Sprintf("energy +%.2f", e.Energy)
			if e.Context != "" {
				reason = "in " + e.Context
			}
			n := 2 * e.Order
			if e.Kind == lifecycle.EventAccess { // of one use it comes after the verdict
				n++
			}
			event := HistoryEvent{At: recs[i].At, Kind: e.Kind, Memory: e.Memory, Reason: reason, Session: e.Session}
			uses = append(uses, lineageEntry{HistoryEvent: event, at: event.At, rank: rankUse, n: n, record: recs[i].ID, added: e.Energy})
		}
	}
	return uses, nil
}

// lineageEntry is an event with what orders it.
type lineageEntry struct {
	HistoryEvent
	at     time.Time // in place of the time of the event
	rank   int       // among those of its instant
	order  time.Time // of the run of an action
	n      int       // of an action within its run, or of a use
	record string    // of a use
	added  float64   // energy, of a use
	life   []brain.Change
}

// The ranks of events of one instant.
const (
	rankCapture = iota
	rankExpire
	rankUse
	rankChange // everything else; a consequence of a use, such as a promotion, follows the use
)

// events returns all events in order. The capture of a memory comes before its other
// events, because a note may have a later time.
func (s *lineage) events() []HistoryEvent {
	events := brain.Map(s.entries(), func(e lineageEntry) HistoryEvent { return e.HistoryEvent })
	s.addTexts(events)
	return events
}

func (s *lineage) entries() []lineageEntry {
	edits := s.edits()
	made := map[string]bool{} // uses that an action recorded, which is the event then
	var entries []lineageEntry
	for _, a := range s.actions {
		rank := rankChange
		if a.Kind == brain.ActExpire {
			rank = rankExpire
		}
		n, _ := strconv.Atoi(strings.TrimPrefix(a.ID, a.RunID+"-"))
		entries = append(entries, lineageEntry{at: a.At, rank: rank, order: a.order, n: n, life: a.Changes, HistoryEvent: HistoryEvent{
			At: a.At, Kind: string(a.Kind), Memory: a.IDs[0], Reason: a.Reason, Run: a.RunID, Action: a.ID, Undone: lifecycle.Optional(a.Undone),
		}})
		for _, rec := range a.Made {
			made[rec.ID] = true
		}
	}
	for _, e := range s.uses {
		if !made[e.record] {
			entries = append(entries, e)
		}
	}
	for _, m := range slices.Backward(s.chain) {
		if edits[m.ID] {
			entries = append(entries, lineageEntry{at: m.ValidTo, rank: rankChange, HistoryEvent: HistoryEvent{
				At: m.ValidTo, Kind: editEvent, Memory: m.ID, Reason: "the note was edited; this is the text before",
			}})
		}
	}
	entries = append(entries, s.captureEntries(entries)...)
	slices.SortStableFunc(entries, func(a, b lineageEntry) int {
		return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.rank, b.rank), a.order.Compare(b.order), cmp.Compare(a.Run, b.Run), cmp.Compare(a.n, b.n))
	})
	return entries
}

// addTexts adds what the memory said before and after to the events that changed it, as of whose
// instant earlier texts were superseded.
func (s *lineage) addTexts(events []HistoryEvent) {
	kinds := []string{editEvent, string(brain.ActSupersede), string(brain.ActMerge), string(brain.ActReplace)} // that can change a text
	after, told := s.chain[0].Content, map[string]bool{}
	for i := range slices.Backward(events) {
		e := &events[i]
		if e.Undone != nil || !slices.Contains(kinds, e.Kind) {
			continue
		}
		var change TextChange
		for _, m := range s.chain[1:] {
			if m.Tier == tiers.Superseded && m.ValidTo.Equal(e.At) && !told[m.ID] {
				told[m.ID] = true
				change.Before = append(change.Before, m.Content)
			}
		}
		if len(change.Before) > 0 {
			change.After = after
			after, e.Text = change.Before[0], &change
		}
	}
}

// The kinds of events that are neither actions nor touches.
const captureEvent, editEvent = "capture", "edit"

// edits returns the earlier texts of notes, which no action superseded.
func (s *lineage) edits() map[string]bool {
	edits := map[string]bool{}
	for _, m := range s.chain {
		edits[m.ID] = s.versionOf[m.ID] != "" && m.Tier == tiers.Superseded
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

// captureEntries returns the captures of the memories of the chain that were no version of another.
// A merge of earlier versions made the memory with the merged text: that one nobody captured.
func (s *lineage) captureEntries(entries []lineageEntry) (captures []lineageEntry) {
	merged := map[string]bool{}
	for _, a := range s.actions {
		if a.Kind == brain.ActMerge && gaveNewID(a.Action) {
			for _, id := range madeBy(a.Action) {
				merged[id] = true
			}
		}
	}
	for _, m := range slices.Backward(s.chain) {
		if s.versionOf[m.ID] != "" || merged[m.ID] {
			continue
		}
		_, captured := s.versions(m)
		e := lineageEntry{at: captured, rank: rankCapture, HistoryEvent: HistoryEvent{
			At: captured, Kind: captureEvent, Memory: m.ID, Reason: m.MemoryType, Session: m.SessionID,
		}}
		for _, other := range entries {
			if other.Memory == m.ID && other.at.Before(e.at) {
				e.at = other.at
			}
		}
		captures = append(captures, e)
	}
	return captures
}

// versions returns the ids of a memory and of its versions, and when the first of them was
// created: a memory that was merged into it may have said it again later.
func (s *lineage) versions(m brain.Memory) (ids []string, created time.Time) {
	ids, created = []string{m.ID}, m.Created
	for _, v := range s.chain {
		if v.ID != m.ID && !slices.Contains(ids, s.versionOf[v.ID]) {
			continue
		}
		ids = append(ids, v.ID)
		for _, at := range []time.Time{v.Created, v.ValidFrom} {
			if !at.IsZero() && at.Before(created) {
				created = at
			}
		}
	}
	return ids, created
}
