package recall

import (
	"context"
	"fmt"
	"iter"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/tiers"
)

// Whole is a memory with all that hangs on it.
type Whole struct {
	Memory brain.Memory
	Source *brain.Source // nil: there is none
	// Relations are those that begin at the memory, and HAS_MEMORY to it.
	Relations []brain.Relation
	// Waiting are relations to names that no memory has yet.
	Waiting []brain.NamedRelation
}

// Wholes reads every memory, whatever its tier. It reads some at a time, so that
// its cost in memory does not grow with the store; what changes meanwhile may be
// in either state, and what changes its place in the order of strength may come
// twice or not at all. An error ends the sequence.
func (s *Service) Wholes(ctx context.Context) iter.Seq2[Whole, error] {
	var lists []brain.ListFilter
	for _, tier := range tiers.All() {
		lists = append(lists, lifecycle.WithDue(brain.ListFilter{Tier: tier})...)
	}
	return func(yield func(Whole, error) bool) {
		for _, f := range lists {
			for page, err := range s.base.Pages(ctx, f) {
				if !s.yieldPage(ctx, page, err, yield) {
					return
				}
			}
		}
	}
}

// yieldPage reads what hangs on the memories of a page, and reports whether more is wanted.
func (s *Service) yieldPage(ctx context.Context, page []brain.Memory, err error, yield func(Whole, error) bool) bool {
	var all []Whole
	if err == nil {
		all, err = s.WholesOf(ctx, brain.IDs(page)...)
	}
	if err != nil {
		yield(Whole{}, fmt.Errorf("read memories: %w", err))
		return false
	}
	for _, w := range all {
		if !yield(w, nil) {
			return false
		}
	}
	return true
}

// WholesOf reads the memories of these ids; missing ones are left out.
func (s *Service) WholesOf(ctx context.Context, ids ...string) ([]Whole, error) {
	return lifecycle.Read(ctx, s.base, func(r brain.Reader) ([]Whole, error) { return wholes(r, ids...) })
}

// wholes reads memories, and what hangs on them.
func wholes(r brain.Reader, ids ...string) ([]Whole, error) {
	ms, err := r.Memories(ids...)
	all := make([]Whole, len(ms))
	at := make(map[string]int, len(ms))
	var sources []string
	for i, m := range ms {
		all[i].Memory, at[m.ID] = m, i
		if m.SourceNodeID != "" {
			sources = append(sources, m.SourceNodeID)
		}
	}
	byID := map[string]*brain.Source{}
	for _, s := range lifecycle.Get(&err, r.Sources, sources...) {
		byID[s.ID] = &s
	}
	for i := range all {
		all[i].Source = byID[ms[i].SourceNodeID]
	}
	for _, rel := range lifecycle.Get(&err, r.Relations, brain.IDs(ms)...) {
		i, ours := at[rel.From]
		if !ours && rel.Type == brain.HasMemory {
			i, ours = at[rel.To]
		}
		if ours {
			all[i].Relations = append(all[i].Relations, rel)
		}
	}
	if err != nil {
		return nil, err
	}
	recs, err := r.RecordsByOwner(brain.PendingRecord, brain.IDs(ms)...)
	if err != nil {
		return nil, err
	}
	for _, rec := range recs {
		p, err := brain.Body[lifecycle.PendingBody](rec)
		if err != nil {
			return nil, err
		}
		i := at[rec.Owner]
		all[i].Waiting = append(all[i].Waiting, brain.NamedRelation{Type: p.Type, Name: p.Name})
	}
	return all, nil
}
