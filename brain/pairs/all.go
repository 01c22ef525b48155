package pairs

import (
	"context"
	"sync"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/similar"
)

// All compares all memories by sketches of their texts, and keeps no text in
// memory. It returns the number of memories that it compared and the mark behind
// the last one.
func (s Search) All(ctx context.Context) (pairs *Pairs, compared int, mark string, err error) {
	all := sketches{Search: s, index: similar.NewIndex(s.Alike), known: map[string]bool{}}
	read := 0
	mark, err = s.each(ctx, "", func(page []brain.Memory) (more bool) {
		all.add(page)
		read += len(page)
		s.Progress(read, 0)
		return true
	})
	all.work.Wait()
	if err != nil {
		return nil, 0, mark, err
	}
	pairs, err = all.pairs(ctx)
	return pairs, len(all.ids), mark, err
}

// sketches is an index of memories that one goroutine fills while another reads
// the next page.
type sketches struct {
	Search
	index *similar.Index
	ids   []string // by number in the index
	known map[string]bool
	work  sync.WaitGroup
}

// add adds a page, after the one before it is done. A memory that comes again
// stays as it was first: callers compare the memories as the store holds them in
// the end.
func (s *sketches) add(page []brain.Memory) {
	s.work.Wait()
	s.work.Go(func() {
		made := make([]similar.Sketch, len(page))
		InParallel(len(page), func(i int) {
			m := &page[i]
			if !s.Takes(m) {
				return
			}
			made[i] = similar.SketchOf(m.GivenName(), m.Content)
		})
		for i := range page {
			m := &page[i]
			if !s.Takes(m) || s.known[m.ID] {
				continue
			}
			s.known[m.ID] = true
			s.ids = append(s.ids, m.ID)
			s.index.Add(s.Group(m), made[i])
		}
	})
}

// pairs returns the pairs of equal texts and of similar sketches.
func (s *sketches) pairs(ctx context.Context) (*Pairs, error) {
	var pairs Pairs
	neighbours := func(numbers []int) { // each with the next
		for i, n := range numbers[1:] {
			pairs.Add(s.ids[numbers[i]], s.ids[n])
		}
	}
	for _, same := range s.index.Same() {
		neighbours(same)
	}
	alike, err := s.index.Alike(ctx)
	for _, p := range alike {
		pairs.Add(s.ids[p.A], s.ids[p.B])
	}
	return &pairs, err
}
