package modeltier

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/consolidate"
	"github.com/brainbridge/brainbridge/brain/pairs"
	"github.com/brainbridge/brainbridge/brain/similar"
)

// found are the memories that a model may be asked about.
type found struct {
	members []*loaded      // nil for one that is not to be merged any more
	pairs   []similar.Pair // of members
	next    completed      // where the next run continues
}

// loaded is a memory with its text prepared.
type loaded struct {
	brain.Memory
	text similar.Text
}

// candidates finds the pairs around what is new since the last complete run, or
// among all memories, and reads their memories.
func (s *Step) candidates(ctx context.Context, scope consolidate.Scope, r rules) (past checkpoint, f found, err error) {
	if err := s.base.Checkpoint(ctx, checkpointName, &past); err != nil {
		return past, f, err
	}
	search := pairs.Search{
		Base: s.base, Alike: r.Alike, Progress: scope.Progress,
		Takes: func(m *brain.Memory) bool { return takes(scope, m) && !s.rests(scope, m) },
		Group: func(m *brain.Memory) string { return m.Project },
	}
	next := completed{Signature: s.signature(scope, r)}
	search.Seen = func(m *brain.Memory) {
		if takes(scope, m) && s.rests(scope, m) {
			next.Resting = append(next.Resting, m.ID)
		}
	}
	all := s.o.NoResume || past.Signature == next.Signature || past.Complete.Signature != next.Signature
	linked := &pairs.Pairs{}
	if !all {
		var fresh map[string]brain.Memory
		if fresh, next.Mark, err = search.Since(ctx, past.Complete.Mark); err == nil {
			err = s.addRested(ctx, fresh, search, past.Complete.Resting)
		}
		if all = len(fresh) > pairs.ManyNew; !all && err == nil {
			linked, err = search.Around(ctx, fresh, func(ctx context.Context, m brain.Memory) ([]brain.Memory, error) {
				return s.recall.Neighbours(ctx, m, pairs.Candidates)
			})
		}
	}
	if all && err == nil {
		next.Resting = nil
		linked, _, next.Mark, err = search.All(ctx)
	}
	var members []*loaded
	if err == nil {
		members, err = s.load(ctx, linked.IDs(), search.Takes)
	}
	if err != nil {
		return past, f, fmt.Errorf("find memories to merge: %w", err)
	}
	return past, found{members, linked.All(), next}, nil
}

// addRested adds the memories that the last run left alone as just merged.
func (s *Step) addRested(ctx context.Context, fresh map[string]brain.Memory, search pairs.Search, resting []string) error {
	ms, err := s.base.Memories(ctx, resting...)
	for _, m := range ms {
		search.Seen(&m)
		if search.Takes(&m) {
			fresh[m.ID] = m
		}
	}
	return err
}

// pageSize is how many memories are read at a time.
const pageSize = 500

// load reads the memories with these ids, in their order.
func (s *Step) load(ctx context.Context, ids []string, takes func(*brain.Memory) bool) ([]*loaded, error) {
	place := make(map[string]int, len(ids))
	for i, id := range ids {
		place[id] = i
	}
	members := make([]*loaded, len(ids))
	for some := range slices.Chunk(ids, pageSize) {
		ms, err := s.base.Memories(ctx, some...)
		if err != nil {
			return nil, err
		}
		for _, m := range ms {
			if takes(&m) {
				members[place[m.ID]] = &loaded{m, pairs.Text(&m)}
			}
		}
	}
	return members, nil
}

// takes reports whether a model may merge a memory: a current one, and no entity,
// because entities are merged by their observations.
func takes(scope consolidate.Scope, m *brain.Memory) bool {
	return m.Current() && !m.Entity && (scope.Type == "" || m.MemoryType == scope.Type)
}

// rests reports whether a memory was merged so recently that it is left alone.
func (s *Step) rests(scope consolidate.Scope, m *brain.Memory) bool {
	until := m.ConsolidatedAt.Add(time.Duration(s.o.IdempotencyDays) * brain.Day)
	return !m.ConsolidatedAt.IsZero() && until.After(scope.Now)
}

// facts are the inputs of a phase.
type facts struct {
	found
	queue map[string]brain.ReviewItem // by fingerprint
	taken map[int]bool                // by clusters of earlier phases
}

// eachPhase calls do with the clusters of each phase. It reads the review queue
// anew for each, because a person may decide while the model is asked.
func (s *Step) eachPhase(ctx context.Context, scope consolidate.Scope, r rules, f found, do func([]cluster) error) error {
	facts := facts{found: f, taken: map[int]bool{}}
	for _, p := range phasesOf(scope.Type) {
		if len(facts.of(p)) == 0 {
			continue
		}
		var err error
		if facts.queue, err = consolidate.ReadQueue(ctx, s.review); err != nil {
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
