package review

import (
	"slices"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/brain/similar"
	"github.com/brainbridge/brainbridge/brain/statement"
	"github.com/brainbridge/brainbridge/brain/words"
)

// conflictFacts are the facts from which the conflicts of a memory are decided.
type conflictFacts struct {
	memory  brain.Memory
	claim   *similar.Claim
	held    []brain.Relation      // stored DIFFERS_FROM relations of the memory
	asked   []string              // other ends of held that a pending conflict is about
	others  []brain.Memory        // memories that may claim something else
	differs lifecycle.Differences // the chains of others
}

// involves reports whether one of some memories is the memory or in a chain of the others.
func (f conflictFacts) involves(ids map[string]bool) bool {
	in := func(id string) bool { return ids[id] }
	return ids[f.memory.ID] || slices.ContainsFunc(f.others, func(o brain.Memory) bool {
		return ids[o.ID] || slices.ContainsFunc(f.differs.Newer(o.ID), in)
	})
}

// readConflicts reads of each memory those that it differs from, those that a search for
// the subject of its claim finds, and the newest memories of their chains.
func readConflicts(r brain.Reader, ms ...brain.Memory) (all []conflictFacts, err error) {
	found := make([][]string, len(ms)) // by the searches
	for i := range ms {
		claim := claimOf(&ms[i])
		all = append(all, conflictFacts{memory: ms[i], claim: claim})
		if found[i], err = candidates(r, &ms[i], claim); err != nil {
			return nil, err
		}
	}
	if err := readDifferences(r, all, slices.Concat(found...)); err != nil {
		return nil, err
	}
	ids := make([][]string, len(ms)) // of the others
	for i, f := range all {
		some := otherEnds(f.memory.ID, f.held)
		some = append(some, found[i][:min(len(found[i]), max(0, claimCandidates-len(some)))]...)
		for _, id := range slices.Clone(some) {
			some = append(some, f.differs.Newest(id, f.memory.ID))
		}
		ids[i] = brain.Unique(some)
	}
	others, err := r.Memories(brain.Unique(slices.Concat(ids...))...)
	if err != nil {
		return nil, err
	}
	byID := brain.ByID(others)
	for i := range all {
		all[i].others = make([]brain.Memory, 0, len(ids[i]))
		for _, id := range ids[i] {
			if o, exists := byID[id]; exists {
				all[i].others = append(all[i].others, o)
			}
		}
		if all[i].asked, err = pendingConflicts(r, all[i]); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// candidates returns the memories that a search for the subject of a claim finds.
func candidates(r brain.Searcher, m *brain.Memory, claim *similar.Claim) (ids []string, err error) {
	if claim == nil {
		return nil, nil
	}
	limit := claimHits
	if m.Project == "" { // all hits count, but for the memory itself
		limit = claimCandidates + 1
	}
	hits, err := r.Search(brain.SearchQuery{Words: words.Query{Terms: claim.Terms()}, NoSections: true, Share: claimShare, Limit: limit})
	for _, h := range hits {
		if shareProject(h.Project, m.Project) && h.ID != m.ID && len(ids) < claimCandidates {
			ids = append(ids, h.ID)
		}
	}
	return ids, err
}

// readDifferences sets what memories differ from, and the chains of those and of others.
func readDifferences(r brain.DifferenceReader, all []conflictFacts, others []string) error {
	ids := brain.Unique(slices.Concat(others, brain.Map(all, func(f conflictFacts) string { return f.memory.ID })))
	for {
		rels, err := r.Differences(ids...)
		if err != nil {
			return err
		}
		differs := lifecycle.NewDifferences(rels)
		read := len(ids)
		for i := range all {
			f := &all[i]
			f.differs = differs
			f.held = slices.DeleteFunc(slices.Clone(rels), func(rel brain.Relation) bool { return rel.From != f.memory.ID && rel.To != f.memory.ID })
			ids = brain.Union(ids, otherEnds(f.memory.ID, f.held))
		}
		if len(ids) == read {
			return nil
		}
	}
}

// pendingConflicts returns the memories at the other ends of held that a pending item is
// about. Their claims need not conflict, because a run finds conflicts by other means too.
func pendingConflicts(r brain.Reader, f conflictFacts) (asked []string, err error) {
	ends := otherEnds(f.memory.ID, f.held)
	for _, o := range f.others {
		if !slices.Contains(ends, o.ID) || !o.Current() {
			continue
		}
		item, err := reviewAbout(r, f.memory, o)
		if err != nil {
			return nil, err
		}
		if item.Kind == brain.ReviewConflict && item.State == brain.ReviewPending && sameSet(item.Texts, []string{f.memory.ContentHash, o.ContentHash}) {
			asked = append(asked, o.ID)
		}
	}
	return asked, nil
}

// shareProject reports whether texts of projects a and b can be pushed to the same session.
func shareProject(a, b string) bool { return a == "" || b == "" || a == b }

func otherEnds(id string, rels []brain.Relation) (others []string) {
	for _, rel := range rels {
		if rel.From == id {
			others = append(others, rel.To)
		} else {
			others = append(others, rel.From)
		}
	}
	return others
}

// claimOf returns the claim of a memory; nil if it has none or cannot be in conflict.
func claimOf(m *brain.Memory) *similar.Claim {
	if !m.Current() || m.Entity || m.MemoryType == "reminder" {
		return nil
	}
	return similar.ClaimOf(statement.Said(m))
}
