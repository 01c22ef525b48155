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

const batchSize = 2000 // memories that are compared at a time

// part is a group of memories and the pairs found among them.
type part struct {
	ids   []string
	pairs [][2]string
}

// split divides the pairs into parts of at most size memories. Connected pairs stay
// together. A component of more than size memories, such as thousands of texts made from
// one template, is cut, and the pairs across a cut are dropped.
func split(found *pairs.Pairs, size int) []part {
	var parts []part
	ids, all := found.IDs(), found.All()
	in := make([]int, len(ids)) // the part of each memory
	for _, component := range similar.Components(all) {
		for some := range slices.Chunk(component, size) {
			if len(parts) == 0 || len(parts[len(parts)-1].ids)+len(some) > size {
				parts = append(parts, part{})
			}
			last := &parts[len(parts)-1]
			for _, n := range some {
				last.ids = append(last.ids, ids[n])
				in[n] = len(parts) - 1
			}
		}
	}
	for _, p := range all {
		if in[p.A] == in[p.B] {
			to := &parts[in[p.A]]
			to.pairs = append(to.pairs, [2]string{ids[p.A], ids[p.B]})
		}
	}
	return parts
}

// batch is a set of memories that are compared with each other. Pairs and clusters
// refer to them by their index in members.
type batch struct {
	members []member // ordered by id
	pairs   []judged // most similar first
}

// member is a memory and the texts that it stands for: its own, and those of the
// memories that were merged into it.
type member struct {
	brain.Memory
	text  similar.Text
	holds []heldText
}

// heldText is one of the texts that a member stands for.
type heldText struct {
	similar.Text
	root string // of the memory that it came from
}

// judged is a pair with its verdict.
type judged struct {
	similar.Pair
	verdict    similar.Verdict
	reason     string
	similarity float64
}

// load reads the current memories of a part and judges its pairs.
func (s *Step) load(ctx context.Context, scope consolidate.Scope, r rules, p part) (batch, error) {
	ms, err := s.base.Memories(ctx, p.ids...)
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
	return newBatch(r, ms, brain.ByID(sources), p.pairs), err
}

// newBatch prepares the texts of memories and judges their pairs.
func newBatch(r rules, ms []brain.Memory, sources map[string]brain.Memory, ids [][2]string) batch {
	b := batch{members: make([]member, len(ms))}
	place := make(map[string]int, len(ms))
	for i := range ms {
		place[ms[i].ID] = i
	}
	pairs.InParallel(len(ms), func(i int) { b.members[i] = newMember(ms[i], sources) })
	for _, p := range ids {
		x, here := place[p[0]]
		y, there := place[p[1]]
		if here && there && group(&ms[x]) == group(&ms[y]) {
			b.pairs = append(b.pairs, judged{Pair: pairs.Ordered(x, y)})
		}
	}
	pairs.InParallel(len(b.pairs), func(i int) { b.pairs[i] = r.judge(b, b.pairs[i].Pair) })
	slices.SortFunc(b.pairs, func(p, q judged) int {
		return cmp.Or(cmp.Compare(q.similarity, p.similarity), cmp.Compare(p.A, q.A), cmp.Compare(p.B, q.B))
	})
	return b
}

func newMember(m brain.Memory, sources map[string]brain.Memory) member {
	text := pairs.Text(&m)
	holds := []heldText{{text, m.Root}}
	for _, id := range m.MergedFrom {
		if source, ok := sources[id]; ok {
			holds = append(holds, heldText{pairs.Text(&source), source.Root})
		}
	}
	return member{m, text, holds}
}

// judge compares the texts of a pair.
func (r rules) judge(b batch, p similar.Pair) judged {
	x, y := b.members[p.A].text, b.members[p.B].text
	verdict, reason := r.Judge(x, y)
	return judged{p, verdict, reason, x.Similarity(y)}
}
