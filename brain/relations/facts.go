package relations

import (
	"maps"
	"slices"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
)

// planPage reads what the store holds about a page of memories and returns the
// actions that complete their relations.
func planPage(r brain.Reader, ids []string, now time.Time) ([]brain.Action, error) {
	ms, err := r.Memories(ids...)
	if err != nil {
		return nil, err
	}
	page := brain.ByID(slices.DeleteFunc(ms, func(m brain.Memory) bool { return !m.Current() }))
	named, err := pending(r, page)
	if err != nil {
		return nil, err
	}
	chains := lifecycle.NewChains(r)
	outcomes, err := readOutcomes(chains, page)
	if err != nil {
		return nil, err
	}
	rels, newest, err := readRelations(chains, page)
	if err != nil {
		return nil, err
	}
	proposals := slices.Concat(named, follows(outcomes, page), redirected(rels, newest, page))
	return actionsOf(r, proposals, now)
}

// pending returns the relations that waited for the name of a memory of the page.
func pending(r brain.Reader, page map[string]brain.Memory) ([]proposal, error) {
	names := map[string]bool{}
	for _, m := range page {
		names[m.NameKey] = true
	}
	keys := slices.Sorted(maps.Keys(names))
	waiting, err := lifecycle.ReadPending(r, keys...)
	if err != nil || len(waiting) == 0 {
		return nil, err
	}
	holders, err := r.MemoriesByName(keys, 1)
	holder := map[string]string{}
	for _, m := range holders {
		holder[m.NameKey] = m.ID
	}
	var found []proposal
	for _, p := range waiting {
		if to := holder[p.Key]; to != "" && p.From != "" && p.From != to {
			rel := brain.Relation{From: p.From, Type: p.Type, To: to}
			found = append(found, proposal{add: rel, pending: []brain.Record{p.Record}, reason: becauseNamed})
		}
	}
	return found, err
}

// outcome is an outcome of a note and its newest memory, "" if that was
// forgotten.
type outcome struct {
	brain.Source
	memory string
}

// readOutcomes reads all outcomes that share a title with one of the page.
func readOutcomes(r *lifecycle.Chains, page map[string]brain.Memory) ([]outcome, error) {
	var ids []string
	for _, id := range slices.Sorted(maps.Keys(page)) {
		if source := page[id].SourceNodeID; source != "" {
			ids = append(ids, source)
		}
	}
	sources, err := r.Sources(ids...)
	if err != nil {
		return nil, err
	}
	titles := map[string]bool{}
	for _, s := range sources {
		if s.Kind == brain.Outcome && s.TitleKey != "" && s.Removed.IsZero() {
			titles[s.TitleKey] = true
		}
	}
	sources, err = r.SourcesByTitle(slices.Sorted(maps.Keys(titles)), lifecycle.FollowLimit)
	if err != nil {
		return nil, err
	}
	sources = slices.DeleteFunc(sources, func(s brain.Source) bool { return !s.Removed.IsZero() })
	withTitle := map[string]int{}
	for _, s := range sources {
		withTitle[s.TitleKey]++
	}
	var outcomes []outcome
	for _, s := range sources {
		if withTitle[s.TitleKey] < 2 {
			continue // it follows nothing
		}
		memory, err := newestOf(r, s.ID)
		if err != nil {
			return nil, err
		}
		outcomes = append(outcomes, outcome{s, memory})
	}
	return outcomes, nil
}

// readRelations reads the relations of the page, and for each end the memory
// that stands for it now.
func readRelations(r *lifecycle.Chains, page map[string]brain.Memory) (rels []brain.Relation, newest map[string]string, err error) {
	rels, err = r.Relations(slices.Sorted(maps.Keys(page))...)
	var ends []string
	for _, rel := range rels {
		ends = append(ends, rel.To)
	}
	lifecycle.Get(&err, r.Memories, ends...) // one query for all of them
	newest = map[string]string{}
	for _, end := range ends {
		if err == nil {
			newest[end], err = newestOf(r, end)
		}
	}
	return rels, newest, err
}

// newestOf returns the id that stands for an id now; "" if it is gone.
func newestOf(r *lifecycle.Chains, id string) (string, error) {
	ms, err := r.Memories(id)
	if err != nil || len(ms) > 0 && ms[0].Current() {
		return id, err
	}
	return lifecycle.NewestNode(r, id)
}

// actionsOf reads the nodes at which the proposed relations begin, and returns
// the actions.
func actionsOf(r brain.Reader, proposals []proposal, now time.Time) ([]brain.Action, error) {
	if len(proposals) == 0 {
		return nil, nil
	}
	ids := map[string]bool{}
	for _, p := range proposals {
		ids[p.add.From] = true
	}
	from := slices.Sorted(maps.Keys(ids))
	existing, err := r.Relations(from...)
	ms := lifecycle.Get(&err, r.Memories, from...)
	if err != nil {
		return nil, err
	}
	return plan(proposals, existing, ms, now), nil
}
