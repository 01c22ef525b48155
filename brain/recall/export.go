package recall

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/tiers"
)

// FullMemory is a memory with its source and relations.
type FullMemory struct {
	Memory brain.Memory
	Source *brain.Source // nil: there is none
	// MoreSources say the same as Source, such as a reminder that was captured twice.
	MoreSources []brain.Source
	// Relations start at the memory; HAS_MEMORY ends at it.
	Relations []brain.Relation
	// Waiting are relations to names that no memory has yet.
	Waiting []brain.NamedRelation
}

// AllMemories reads the live, expired and superseded memories by id, a page at a time: each is valid
// since before its promotions. A memory that changes meanwhile may be in either state. An
// error ends the sequence.
func (s *Service) AllMemories(ctx context.Context) iter.Seq2[FullMemory, error] {
	return func(yield func(FullMemory, error) bool) {
		for page, err := range s.base.Pages(ctx, brain.ListFilter{Tiers: Exported()}) {
			if !s.yieldPage(ctx, page, err, yield) {
				return
			}
		}
	}
}

// Exported returns the tiers of [Service.AllMemories]. Archived memories say what others say too.
func Exported() []tiers.Tier {
	return slices.DeleteFunc(tiers.All(), func(t tiers.Tier) bool { return !t.Current() && t != tiers.Superseded })
}

// yieldPage yields a page of memories, and reports whether the caller wants more.
func (s *Service) yieldPage(ctx context.Context, page []brain.Memory, err error, yield func(FullMemory, error) bool) bool {
	var all []FullMemory
	if err == nil {
		all, err = lifecycle.Read(ctx, s.base, func(r brain.Reader) ([]FullMemory, error) { return readFull(r, brain.IDs(page)...) })
	}
	if err != nil {
		yield(FullMemory{}, fmt.Errorf("read memories: %w", err))
		return false
	}
	for _, w := range all {
		if !yield(w, nil) {
			return false
		}
	}
	return true
}

// readFull reads memories with their sources and relations. Ids that do not exist are skipped.
func readFull(r brain.Reader, ids ...string) ([]FullMemory, error) {
	ms, err := r.Memories(ids...)
	sources := map[string]*brain.Source{}
	for _, s := range lifecycle.Get(&err, r.Sources, lifecycle.SourceIDs(ms)...) {
		sources[s.ID] = &s
	}
	all := make([]FullMemory, len(ms))
	at := make(map[string]int, len(ms))
	for i, m := range ms {
		all[i], at[m.ID] = FullMemory{Memory: m, Source: sources[m.SourceNodeID]}, i
	}
	tells := map[string][]int{} // places of the memories that a source leads to, but is not that of
	for _, rel := range lifecycle.Get(&err, r.Relations, brain.IDs(ms)...) {
		i, ours := at[rel.From]
		if !ours && rel.Type == brain.HasMemory {
			i, ours = at[rel.To]
			if ours && rel.From != all[i].Memory.SourceNodeID {
				tells[rel.From] = append(tells[rel.From], i)
			}
		}
		if ours {
			all[i].Relations = append(all[i].Relations, rel)
		}
	}
	for _, s := range lifecycle.Get(&err, r.Sources, slices.Sorted(maps.Keys(tells))...) {
		for _, i := range tells[s.ID] {
			all[i].MoreSources = append(all[i].MoreSources, s)
		}
	}
	if err == nil {
		err = extendValidity(r, all)
	}
	recs := lifecycle.Get(&err, lifecycle.OfKindBy(r, brain.PendingRecord, brain.ByOwner), brain.IDs(ms)...)
	recs, waiting, err := brain.WithBodies[lifecycle.PendingNamedBody](recs, err)
	for i, w := range waiting {
		m := &all[at[recs[i].Owner]]
		m.Waiting = append(m.Waiting, brain.NamedRelation{Type: w.Type, Name: w.Name})
	}
	return all, err
}

// extendValidity lets memories be valid since before their promotions.
func extendValidity(r brain.Reader, all []FullMemory) error {
	promoted := map[string]*brain.Memory{} // by the id of what it was before
	for i := range all {
		if m := &all[i].Memory; m.PromotedFrom != "" {
			promoted[m.PromotedFrom] = m
		}
	}
	for len(promoted) > 0 {
		before, err := r.Memories(slices.Sorted(maps.Keys(promoted))...)
		if err != nil {
			return err
		}
		earlier := map[string]*brain.Memory{}
		for _, was := range before {
			m := promoted[was.ID]
			if was.ContentHash == m.ContentHash && was.ValidFrom.Before(m.ValidFrom) {
				m.ValidFrom = was.ValidFrom
			}
			if was.PromotedFrom != "" {
				earlier[was.PromotedFrom] = m
			}
		}
		promoted = earlier
	}
	for i := range all {
		all[i].Memory.PromotedFrom = ""
	}
	return nil
}
