package consolidate

import (
	"context"
	"fmt"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/similar"
)

// modelFound are the memories that a model may be asked about.
type modelFound struct {
	members []*modelLoaded // nil for a memory that must no longer be merged
	pairs   []similar.Pair // of members
}

// modelLoaded is a memory with its text prepared.
type modelLoaded struct {
	brain.Memory
	text similar.Text
}

// candidates finds the pairs among all memories, and reads their memories.
func (s *ModelMerge) candidates(ctx context.Context, scope Scope, r modelRules) (modelFound, error) {
	search := pairSearch{
		Base: s.base, Alike: r.Alike, Progress: scope.Progress,
		InScope: func(m *brain.Memory) bool { return s.takes(scope, m) },
		Group:   func(m *brain.Memory) string { return m.Project },
	}
	linked, _, _, err := search.All(ctx)
	var members []*modelLoaded
	if err == nil {
		members, err = s.load(ctx, linked.ids, search.InScope)
	}
	if err != nil {
		return modelFound{}, fmt.Errorf("find memories to merge: %w", err)
	}
	return modelFound{members, distinctPairs(linked.pairs)}, nil
}

// load reads the memories with these ids, in their order.
func (s *ModelMerge) load(ctx context.Context, ids []string, takes func(*brain.Memory) bool) ([]*modelLoaded, error) {
	place := make(map[string]int, len(ids))
	for i, id := range ids {
		place[id] = i
	}
	members := make([]*modelLoaded, len(ids))
	ms, err := s.base.Memories(ctx, ids...)
	for _, m := range ms {
		if takes(&m) {
			members[place[m.ID]] = &modelLoaded{m, comparedText(&m)}
		}
	}
	return members, err
}

// takes reports whether a model may merge a memory. The memory must be current and not
// merged recently. Entities are excluded: merging two of them needs a person.
func (s *ModelMerge) takes(scope Scope, m *brain.Memory) bool {
	until := m.ConsolidatedAt.Add(time.Duration(s.o.IdempotencyDays) * brain.Day)
	rests := !m.ConsolidatedAt.IsZero() && until.After(scope.Now)
	return m.Current() && !m.Entity && !rests && (scope.Type == "" || m.MemoryType == scope.Type)
}

// modelFacts are the inputs of a phase.
type modelFacts struct {
	modelFound
	queue map[string]brain.ReviewItem // by fingerprint
	taken map[int]bool                // by clusters of earlier phases
}

// eachPhase calls do with the clusters of each phase. It reads the review queue
// anew for each, because a person may decide while the model is asked.
func (s *ModelMerge) eachPhase(ctx context.Context, scope Scope, r modelRules, f modelFound, do func([]modelCluster) error) error {
	facts := modelFacts{modelFound: f, taken: map[int]bool{}}
	for _, p := range phasesOf(scope.Type) {
		if len(facts.of(p)) == 0 {
			continue
		}
		var err error
		if facts.queue, err = ReadQueue(ctx, s.review); err != nil {
			return err
		}
		clusters := r.clusters(p, facts)
		if err := do(clusters); err != nil {
			return err
		}
		for _, c := range clusters {
			for _, n := range c.places {
				facts.taken[n] = true
			}
		}
	}
	return nil
}
