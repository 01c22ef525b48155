package duplicates

import (
	"context"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/consolidate"
	"github.com/brainbridge/brainbridge/brain/pairs"
	"github.com/brainbridge/brainbridge/tiers"
)

// found are the pairs that a run has to compare.
type found struct {
	pairs    *pairs.Pairs
	compared int  // memories
	full     bool // all memories were compared
	next     checkpoint
}

// candidates finds the pairs around what is new since the last run, or among all memories.
// All are compared again if questions wait and a person can be asked.
func (s *Step) candidates(ctx context.Context, scope consolidate.Scope, p past) (found, error) {
	info := s.base.Store.Info()
	f := found{next: p.checkpoint}
	f.next.Store, f.next.Numbers = info.Kind+" "+info.URI+" "+info.Brain, scope.Numbers.Merge
	if p.Store != f.next.Store || p.Numbers != f.next.Numbers {
		f.next.Mark, f.next.PersonMark = "", ""
	}
	f.full = s.overridesNumbers() || f.next.Mark == "" || p.Waiting > 0 && p.queue.pending() < maxAsked
	search := pairs.Search{
		Base: s.base, Takes: takes(scope), Group: group,
		Alike: s.rules(scope).Alike, Progress: scope.Progress,
	}
	var err error
	if !f.full {
		after := f.next.Mark
		if scope.ByPerson { // other runs leave entities out
			after = f.next.PersonMark
		}
		var fresh map[string]brain.Memory
		if fresh, f.next.Mark, err = search.Since(ctx, after); err != nil {
			return f, err
		}
		f.compared, f.full = len(fresh), len(fresh) > pairs.ManyNew
		if !f.full {
			f.pairs, err = search.Around(ctx, fresh, func(ctx context.Context, m brain.Memory) ([]brain.Memory, error) {
				return s.recall.Resembling(ctx, m, pairs.Candidates)
			})
		}
		if err != nil {
			return f, err
		}
	}
	if f.full {
		f.pairs, f.compared, f.next.Mark, err = search.All(ctx)
	}
	if scope.ByPerson {
		f.next.PersonMark = f.next.Mark
	}
	return f, err
}

// takes returns a function that reports whether a run with this scope compares a memory.
func takes(scope consolidate.Scope) func(*brain.Memory) bool {
	return func(m *brain.Memory) bool {
		return m.Current() && (scope.Type == "" || m.MemoryType == scope.Type) &&
			(!m.Entity || scope.ByPerson)
	}
}

// group returns the key that a memory shares with those it can be merged with.
func group(m *brain.Memory) string { return m.Project + "\x00" + m.MemoryType }

// checkpoint is the stored state from which the next run continues.
type checkpoint struct {
	Store   string             `json:"store"`   // the store that the marks belong to
	Numbers tiers.MergeNumbers `json:"numbers"` // the thresholds of the runs so far
	// Mark is the position at which reading new texts continues. PersonMark is the same
	// for runs that a person starts, which compare entities too.
	Mark       string `json:"mark"`
	PersonMark string `json:"entityMark,omitempty"`
	// Waiting is the number of questions that were not asked because the review queue was
	// full. Once there is room, a run compares all memories to find these questions again.
	Waiting int `json:"waiting,omitempty"`
}

// past is the state that earlier runs left, and the review queue with its decisions.
type past struct {
	checkpoint
	queue queue
}

func (s *Step) readPast(ctx context.Context) (p past, err error) {
	if err = s.base.Checkpoint(ctx, checkpointName, &p.checkpoint); err == nil {
		p.queue, err = consolidate.ReadQueue(ctx, s.review)
	}
	return p, err
}

// checkpointName is the name under which the checkpoint is stored.
const checkpointName = consolidate.StepDuplicates
