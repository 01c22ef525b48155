package consolidate

import (
	"context"
	"slices"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/similar"
)

// All compares all memories by sketches of their texts, and keeps no text in memory. It
// returns the number of memories that it compared and the mark after the last one. If a
// memory comes twice, its first text counts; callers compare the final texts of the pairs.
func (s pairSearch) All(ctx context.Context) (found *pairSet, compared int, mark string, err error) {
	index := similar.NewIndex(s.Alike)
	var ids []string // by number in the index
	known := map[string]bool{}
	read := 0
	mark, err = s.Base.EachWritten(ctx, "", comparePage, func(page []brain.Memory, _ string) (more bool, err error) {
		read += len(page)
		page = slices.DeleteFunc(page, func(m brain.Memory) bool { return !s.InScope(&m) || known[m.ID] })
		sketches := make([]similar.Sketch, len(page))
		groups, err := s.groups(ctx, page)
		if err != nil {
			return false, err
		}
		inParallel(len(page), func(i int) { sketches[i] = similar.SketchOf(page[i].GivenName(), page[i].Content) })
		for i := range page {
			if m := &page[i]; !known[m.ID] {
				known[m.ID] = true
				ids = append(ids, m.ID)
				index.Add(groups[m.ID], sketches[i])
			}
		}
		s.Progress(read, 0)
		return true, nil
	})
	if err != nil {
		return nil, 0, mark, err
	}
	found = newPairSet()
	for _, same := range index.Same() { // each with the next
		for i, n := range same[1:] {
			found.add(ids[same[i]], ids[n])
		}
	}
	alike, err := index.Alike(ctx)
	for _, p := range alike {
		found.add(ids[p.A], ids[p.B])
	}
	return found, len(ids), mark, err
}
