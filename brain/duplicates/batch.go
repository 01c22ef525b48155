package duplicates

import (
	"cmp"
	"context"
	"slices"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/consolidate"
	"github.com/brainbridge/brainbridge/brain/pairs"
	"github.com/brainbridge/brainbridge/brain/similar"
)

const batchSize = 2000 // memories that are compared with each other at a time

// batchIDs are the ids of the memories of a batch, and of the pairs found among them.
type batchIDs struct {
	ids   []string
	pairs [][2]string
}

// splitIntoBatches divides the pairs into batches of at most size memories. Connected pairs
// stay together. A component of more than size memories, such as thousands of texts made
// from one template, is cut, and the pairs across a cut are dropped.
func splitIntoBatches(found *pairs.Pairs, size int) []batchIDs {
	var batches []batchIDs
	ids, all := found.IDs(), found.All()
	batchOf := make([]int, len(ids)) // the index of the batch of each memory
	for _, component := range similar.Components(all) {
		for chunk := range slices.Chunk(component, size) {
			if len(batches) == 0 || len(batches[len(batches)-1].ids)+len(chunk) > size {
				batches = append(batches, batchIDs{})
			}
			last := &batches[len(batches)-1]
			for _, n := range chunk {
				last.ids = append(last.ids, ids[n])
				batchOf[n] = len(batches) - 1
			}
		}
	}
	for _, p := range all {
		if batchOf[p.A] == batchOf[p.B] {
			b := &batches[batchOf[p.A]]
			b.pairs = append(b.pairs, [2]string{ids[p.A], ids[p.B]})
		}
	}
	return batches
}

// batch is a set of memories that are compared with each other. Pairs and clusters
// refer to them by their index in members.
type batch struct {
	members []member // ordered by id
	pairs   []judgedPair
}

// member is a memory with its own text and those of the memories that were merged into it.
type member struct {
	brain.Memory
	text  similar.Text
	texts []memberText
}

// memberText is one of the texts of a member.
type memberText struct {
	similar.Text
	root string // of the memory with this text
}

// judgedPair is a pair with its verdict.
type judgedPair struct {
	similar.Pair
	verdict similar.Verdict
}

// load reads the current memories of a batch and judges its pairs.
func (s *Step) load(ctx context.Context, scope consolidate.Scope, r rules, b batchIDs) (batch, error) {
	ms, err := s.base.Memories(ctx, b.ids...)
	if err != nil {
		return batch{}, err
	}
	compares := inScope(scope)
	ms = slices.DeleteFunc(ms, func(m brain.Memory) bool { return !compares(&m) })
	slices.SortFunc(ms, func(x, y brain.Memory) int { return cmp.Compare(x.ID, y.ID) })
	var merged []string // ids of the memories that were merged into these
	for i := range ms {
		merged = append(merged, ms[i].MergedFrom...)
	}
	sources, err := s.base.Memories(ctx, merged...)
	return newBatch(r, ms, brain.ByID(sources), b.pairs), err
}

// newBatch prepares the texts of memories and judges their pairs.
func newBatch(r rules, ms []brain.Memory, sources map[string]brain.Memory, ids [][2]string) batch {
	b := batch{members: make([]member, len(ms))}
	index := make(map[string]int, len(ms))
	for i := range ms {
		index[ms[i].ID] = i
	}
	pairs.InParallel(len(ms), func(i int) { b.members[i] = newMember(ms[i], sources) })
	for _, p := range ids {
		x, okX := index[p[0]]
		y, okY := index[p[1]]
		if okX && okY && group(&ms[x]) == group(&ms[y]) {
			b.pairs = append(b.pairs, judgedPair{Pair: pairs.Ordered(x, y)})
		}
	}
	pairs.InParallel(len(b.pairs), func(i int) { b.pairs[i].verdict = r.judge(b, b.pairs[i].Pair) })
	return b
}

func newMember(m brain.Memory, sources map[string]brain.Memory) member {
	text := pairs.Text(&m)
	texts := []memberText{{text, m.Root}}
	for _, id := range m.MergedFrom {
		if source, ok := sources[id]; ok {
			texts = append(texts, memberText{pairs.Text(&source), source.Root})
		}
	}
	return member{m, text, texts}
}

// judge compares the texts of a pair.
func (r rules) judge(b batch, p similar.Pair) similar.Verdict {
	verdict, _ := r.Judge(b.members[p.A].text, b.members[p.B].text)
	return verdict
}
