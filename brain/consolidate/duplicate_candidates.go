package consolidate

import (
	"context"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/tiers"
)

// duplicateCandidates are the pairs that a run has to compare.
type duplicateCandidates struct {
	pairs       *pairSet
	compared    int  // number of memories
	comparedAll bool // not only new memories
	next        duplicateCheckpoint
}

// findCandidates finds the pairs of memories that are new since the last run with others, or
// the pairs among all memories. It compares all if proposals wait and the review queue is
// not full.
func (s *Duplicates) findCandidates(ctx context.Context, scope Scope, p earlierDuplicates) (duplicateCandidates, error) {
	info := s.base.Store.Info()
	f := duplicateCandidates{next: p.duplicateCheckpoint}
	f.next.Store, f.next.Numbers = info.Kind+" "+info.URI+" "+info.Brain, scope.Numbers.Merge
	if p.Store != f.next.Store || p.Numbers != f.next.Numbers {
		f.next.Mark, f.next.PersonMark = "", ""
	}
	f.comparedAll = s.overridesNumbers() || f.next.Mark == "" || p.Waiting > 0 && p.queue.pending() < maxAsked
	search := pairSearch{
		Base: s.base, InScope: inScope(scope), Group: group,
		Alike: s.rules(scope).Alike, Progress: scope.Progress, Near: s.near,
	}
	var err error
	if !f.comparedAll {
		after := f.next.Mark
		if scope.ByPerson { // other runs leave entities out
			after = f.next.PersonMark
		}
		var fresh map[string]brain.Memory
		if fresh, f.next.Mark, err = search.Since(ctx, after); err != nil {
			return f, err
		}
		f.compared, f.comparedAll = len(fresh), len(fresh) > manyNew
		if !f.comparedAll {
			f.pairs, err = search.Around(ctx, fresh, func(ctx context.Context, m brain.Memory) ([]brain.Memory, error) {
				return s.recall.Resembling(ctx, m, Candidates)
			})
		}
		if err != nil {
			return f, err
		}
	}
	if f.comparedAll {
		f.pairs, f.compared, f.next.Mark, err = search.All(ctx)
	}
	if scope.ByPerson {
		f.next.PersonMark = f.next.Mark
	}
	return f, err
}

// nearShare is the least [lifecycle.Match].Near of a memory that may say the same in other words. Of
// the 120 questions of a public FAQ about one program, 6 of 7,140 pairs are as near.
const nearShare = 0.7

// near returns the memories whose vectors are near that of m. Decisions, preferences, lessons and
// facts have none here: they become pairs to judge, see [Pairs].
func (s *Duplicates) near(ctx context.Context, m brain.Memory) ([]brain.Memory, error) {
	if s.o.Vector == nil || m.Entity || States(&m) {
		return nil, nil
	}
	vector := s.o.Vector(ctx, m.GivenName()+"\n"+m.Content)
	if len(vector.Values) == 0 {
		return nil, nil
	}
	found, err := lifecycle.Read(ctx, s.base, func(r brain.Reader) ([]lifecycle.Match, error) {
		return lifecycle.Near(r, &m, vector, nearShare)
	})
	return brain.Map(found, func(o lifecycle.Match) brain.Memory { return o.Memory }), err
}

// inScope returns a function that reports whether a run with this scope compares a memory.
func inScope(scope Scope) func(*brain.Memory) bool {
	return func(m *brain.Memory) bool {
		return m.Current() && (scope.Type == "" || m.MemoryType == scope.Type) &&
			(!m.Entity || scope.ByPerson)
	}
}

// group returns the key that a memory shares with those it can be merged with.
func group(m *brain.Memory) string { return m.Project + "\x00" + m.MemoryType }

// duplicateCheckpoint is the stored state from which the next run continues.
type duplicateCheckpoint struct {
	Store   string             `json:"store"`   // the store that the marks belong to
	Numbers tiers.MergeNumbers `json:"numbers"` // the thresholds of the runs so far
	// Mark is the position at which reading new texts continues. PersonMark is the same
	// for runs that a person starts, which compare entities too.
	Mark       string `json:"mark"`
	PersonMark string `json:"entityMark,omitempty"`
	// Waiting is the number of proposals that were not made because the review queue was
	// full. When it no longer is, a run compares all memories to find them again.
	Waiting int `json:"waiting,omitempty"`
}

// earlierDuplicates is the state that earlier runs left, and the review queue with its decisions.
type earlierDuplicates struct {
	duplicateCheckpoint
	queue queue
}

func (s *Duplicates) readEarlier(ctx context.Context) (p earlierDuplicates, err error) {
	if err = s.base.Checkpoint(ctx, duplicateCheckpointName, &p.duplicateCheckpoint); err == nil {
		p.queue, err = ReadQueue(ctx, s.review)
	}
	return p, err
}

// duplicateCheckpointName is the name under which the checkpoint is stored.
const duplicateCheckpointName = StepDuplicates
