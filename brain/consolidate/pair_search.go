package consolidate

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
)

const (
	// ManyNew is the number of new memories above which comparing all memories is faster
	// than searching for each new one. A search takes some milliseconds, a sketch 0.1.
	manyNew = 500
	// Candidates is the maximum number of memories that a new one is compared with.
	Candidates = 50

	comparePage = 250 // memories read at a time
	searches    = 10  // between two reports of progress
)

// pairSearch says which memories are compared.
type pairSearch struct {
	Base lifecycle.Base
	// InScope reports whether a memory is compared. Several goroutines may call it.
	InScope func(*brain.Memory) bool
	// Group returns the name of a memory's group. Only memories of the same group are
	// compared; reminders must also have the same due date and the same state.
	Group func(*brain.Memory) string
	Alike float64 // the least similarity
	// Near returns the memories whose vectors are near that of a new one; nil: they are not
	// compared.
	Near     func(context.Context, brain.Memory) ([]brain.Memory, error)
	Progress func(done, total int)
}

// Since reads the memories to compare whose texts were stored after a mark, and returns
// them by id with the mark after them. It stops after a page if there are more than
// [manyNew].
func (s pairSearch) Since(ctx context.Context, after string) (found map[string]brain.Memory, mark string, err error) {
	found = map[string]brain.Memory{}
	mark, err = s.Base.EachWritten(ctx, after, comparePage, func(page []brain.Memory, _ string) (more bool, err error) {
		for _, m := range page {
			if s.InScope(&m) {
				found[m.ID] = m
			}
		}
		return len(found) <= manyNew, nil
	})
	return found, mark, err
}

// Around compares memories with the candidates that a search finds for each, and pairs them
// with those that are near them.
func (s pairSearch) Around(ctx context.Context, ms map[string]brain.Memory,
	candidates func(context.Context, brain.Memory) ([]brain.Memory, error),
) (*pairSet, error) {
	pairs := newPairSet()
	done := 0
	for ids := range slices.Chunk(slices.Sorted(maps.Keys(ms)), searches) {
		found, near, errs := make([][]string, len(ids)), make([][]string, len(ids)), make([]error, len(ids))
		inParallel(len(ids), func(i int) {
			m := ms[ids[i]]
			others, err := candidates(ctx, m)
			if err == nil {
				found[i], err = s.alike(ctx, m, others, s.Alike)
			}
			if err == nil {
				near[i], err = s.nearOf(ctx, m)
			}
			errs[i] = err
		})
		if err := errors.Join(errs...); err != nil {
			return nil, err
		}
		for i, id := range ids {
			for _, other := range found[i] {
				pairs.add(id, other)
			}
			for _, other := range near[i] {
				pairs.near[pairs.add(id, other)] = true
			}
		}
		done += len(ids)
		s.Progress(done, len(ms))
	}
	return pairs, nil
}

// nearOf returns the ids of the memories in the group of m whose vectors are near its own.
func (s pairSearch) nearOf(ctx context.Context, m brain.Memory) ([]string, error) {
	if s.Near == nil {
		return nil, nil
	}
	others, err := s.Near(ctx, m)
	if err != nil {
		return nil, err
	}
	return s.alike(ctx, m, others, 0)
}

// alike returns the ids of the memories in the group of m with this similarity to it.
func (s pairSearch) alike(ctx context.Context, m brain.Memory, others []brain.Memory, least float64) ([]string, error) {
	groups, err := s.groups(ctx, append([]brain.Memory{m}, others...))
	if err != nil {
		return nil, err
	}
	mine := comparedText(&m)
	var ids []string
	for i := range others {
		other := &others[i]
		if other.ID == m.ID || !s.InScope(other) || groups[other.ID] != groups[m.ID] {
			continue
		}
		if mine.Similarity(comparedText(other)) >= least {
			ids = append(ids, other.ID)
		}
	}
	return ids, nil
}

// groups returns the groups of memories by id. A group of reminders has one due date, and
// all are open or all are done: closing one closes those that were merged with it.
func (s pairSearch) groups(ctx context.Context, ms []brain.Memory) (map[string]string, error) {
	groups := make(map[string]string, len(ms))
	var reminders []brain.Memory
	for i := range ms {
		m := &ms[i]
		groups[m.ID] = s.Group(m)
		if m.MemoryType == "reminder" && m.SourceNodeID != "" {
			reminders = append(reminders, *m)
		}
	}
	if len(reminders) == 0 {
		return groups, nil
	}
	sources, err := lifecycle.Read(ctx, s.Base, func(r brain.Reader) ([]brain.Source, error) {
		return r.Sources(brain.Unique(brain.Map(reminders, func(m brain.Memory) string { return m.SourceNodeID }))...)
	})
	apart := make(map[string]string, len(sources))
	for _, r := range sources {
		if !r.Due.IsZero() || !r.Done.IsZero() {
			apart[r.ID] = fmt.Sprintf("\x00due %d, done %t", r.Due.UnixMilli(), !r.Done.IsZero())
		}
	}
	for _, m := range reminders {
		groups[m.ID] += apart[m.SourceNodeID]
	}
	return groups, err
}

// InParallel calls fn for 0 to n-1 on two goroutines, and waits for them.
func inParallel(n int, fn func(i int)) {
	var work sync.WaitGroup
	for first := range 2 {
		work.Go(func() {
			for i := first; i < n; i += 2 {
				fn(i)
			}
		})
	}
	work.Wait()
}
