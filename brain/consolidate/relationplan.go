package consolidate

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
)

// The reasons of relations that a run creates.
const (
	becauseNamed   = "it names a memory that exists by now"
	becauseFollows = "same title, later day"
	becauseMoved   = "the memory that it was related to became part of another one"
)

// relationProposal is a relation that a run may create.
type relationProposal struct {
	add     brain.Relation
	remove  []brain.Relation // that it replaces
	pending []brain.Record   // that it settles
	reason  string
}

// follows relates each outcome to those with the same title on the latest
// earlier day, where a memory of the page is at one end. Outcomes that were
// stored in the order of their days are related already.
func follows(outcomes []noteOutcome, page map[string]brain.Memory) []relationProposal {
	slices.SortStableFunc(outcomes, func(a, b noteOutcome) int {
		return cmp.Or(cmp.Compare(a.TitleKey, b.TitleKey), cmp.Compare(a.Date, b.Date), cmp.Compare(a.ID, b.ID))
	})
	var found []relationProposal
	var earlier, day noteOutcome // the one to follow, and the first one of the current day
	for _, o := range outcomes {
		switch {
		case o.TitleKey != day.TitleKey:
			earlier, day = noteOutcome{}, o
		case o.Date != day.Date:
			earlier, day = day, o
		}
		_, here := page[o.memory]
		_, there := page[earlier.memory]
		if o.memory != "" && earlier.memory != "" && o.memory != earlier.memory && (here || there) {
			rel := brain.Relation{From: o.memory, Type: lifecycle.FollowsType, To: earlier.memory}
			found = append(found, relationProposal{add: rel, reason: becauseFollows})
		}
	}
	return found
}

// redirected replaces relations of the page whose end was superseded or promoted. It skips
// a relation that the newest memory already has, because a source of a merge keeps its own.
func redirected(rels []brain.Relation, newest map[string]string, page map[string]brain.Memory) []relationProposal {
	var found []relationProposal
	for _, rel := range rels {
		if _, ours := page[rel.From]; !ours || rel.Type == brain.PromotedTo || rel.Type == brain.Supersedes {
			continue
		}
		next := rel
		next.To = newest[rel.To]
		if next.To != rel.To && next.To != "" && next.To != rel.From && !brain.HasRelation(rels, next) {
			found = append(found, relationProposal{add: next, remove: []brain.Relation{rel}, reason: becauseMoved})
		}
	}
	return found
}

// plan returns one action for each node that gets a new relation or loses a pending one.
// Nodes that are not among the memories are sections.
func planRelations(proposals []relationProposal, existing []brain.Relation, ms []brain.Memory, now time.Time) []brain.Action {
	byNode := map[string]*brain.Action{}
	reasons := map[string][]string{}
	for _, p := range proposals {
		from := p.add.From
		a := byNode[from]
		if a == nil {
			a = &brain.Action{Kind: brain.ActRelate, IDs: []string{from}, At: now}
			byNode[from] = a
		}
		if !brain.HasRelation(existing, p.add) && !brain.HasRelation(a.Linked, p.add) {
			a.Linked = append(a.Linked, p.add)
			a.IDs = brain.Union(a.IDs, []string{p.add.To})
		}
		a.Unlinked, a.Removed = append(a.Unlinked, p.remove...), append(a.Removed, p.pending...)
		reasons[from] = brain.Union(reasons[from], []string{p.reason})
	}
	for i := range ms {
		after := ms[i]
		after.Version++
		a := byNode[after.ID]
		a.Changes = []brain.Change{{Before: &ms[i], After: &after}}
	}
	var actions []brain.Action
	for _, from := range slices.Sorted(maps.Keys(byNode)) {
		a := byNode[from]
		if len(a.Linked)+len(a.Removed) == 0 {
			continue
		}
		a.Reason = strings.Join(reasons[from], "; ")
		actions = append(actions, *a)
	}
	return actions
}
