package consolidate

import (
	"maps"
	"slices"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
)

// planPage returns the actions that complete the relations of a page of memories.
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
	outcomes, err := readOutcomes(r, page)
	rels := lifecycle.Get(&err, r.Relations, slices.Sorted(maps.Keys(page))...)
	if err != nil {
		return nil, err
	}
	newest, err := newestOf(r, brain.Map(rels, func(rel brain.Relation) string { return rel.To })...)
	if err != nil {
		return nil, err
	}
	proposals := slices.Concat(named, follows(outcomes, page), redirected(rels, newest, page))
	return actionsOf(r, proposals, now)
}

// pending returns the relations that waited for the name of a memory of the page.
func pending(r brain.Reader, page map[string]brain.Memory) ([]relationProposal, error) {
	names := map[string]bool{}
	for _, m := range page {
		names[m.NameKey] = true
	}
	keys := slices.Sorted(maps.Keys(names))
	waiting, err := lifecycle.ReadPending(r, keys...)
	if err != nil || len(waiting) == 0 {
		return nil, err
	}
	holders, err := lifecycle.Named(r, 1, keys...)
	holder := map[string]string{}
	for _, m := range holders {
		holder[m.NameKey] = m.ID
	}
	var found []relationProposal
	for _, p := range waiting {
		if to := holder[p.Key]; to != "" && p.From != "" && p.From != to {
			rel := brain.Relation{From: p.From, Type: p.Type, To: to}
			found = append(found, relationProposal{add: rel, pending: []brain.Record{p.Record}, reason: becauseNamed})
		}
	}
	return found, err
}

// noteOutcome is an outcome of a note and its newest memory, "" if forgotten.
type noteOutcome struct {
	brain.Source
	memory string
}

// readOutcomes reads all outcomes that share a title with one of the page.
func readOutcomes(r brain.Reader, page map[string]brain.Memory) ([]noteOutcome, error) {
	var titles []string
	sources, err := r.Sources(lifecycle.SourceIDs(slices.Collect(maps.Values(page)))...)
	if err != nil {
		return nil, err
	}
	for _, s := range sources {
		if s.Kind == brain.Outcome && s.TitleKey != "" && s.Removed.IsZero() {
			titles = append(titles, s.TitleKey)
		}
	}
	sources, err = lifecycle.WithTitle(r, lifecycle.FollowLimit, brain.Unique(titles)...)
	if err != nil {
		return nil, err
	}
	sources = slices.DeleteFunc(sources, func(s brain.Source) bool { return !s.Removed.IsZero() })
	memory, err := lifecycle.MemoriesOf(r, brain.Map(sources, func(s brain.Source) string { return s.ID })...)
	if err != nil {
		return nil, err
	}
	newest, err := newestOf(r, slices.Sorted(maps.Values(memory))...)
	return brain.Map(sources, func(s brain.Source) noteOutcome { return noteOutcome{s, newest[memory[s.ID]]} }), err
}

// newestOf returns the newest nodes of chains; "" for those that no longer exist.
func newestOf(r brain.Reader, ids ...string) (map[string]string, error) {
	ms, err := r.Memories(brain.Unique(ids)...)
	newest := map[string]string{}
	for i := range ms {
		if ms[i].Current() {
			newest[ms[i].ID] = ms[i].ID
		}
	}
	for _, id := range ids {
		if _, known := newest[id]; !known && err == nil {
			newest[id], err = lifecycle.NewestNode(r, id)
		}
	}
	return newest, err
}

// actionsOf reads the nodes at which the proposed relations start, and returns the actions.
func actionsOf(r brain.Reader, proposals []relationProposal, now time.Time) ([]brain.Action, error) {
	from := brain.Unique(brain.Map(proposals, func(p relationProposal) string { return p.add.From }))
	existing, err := r.Relations(from...)
	ms := lifecycle.Get(&err, r.Memories, from...)
	if err != nil {
		return nil, err
	}
	return planRelations(proposals, existing, ms, now), nil
}
