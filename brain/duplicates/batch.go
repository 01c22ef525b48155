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

// batch is the memories that are compared with each other. Pairs and clusters refer to them
// by their index in members.
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
	near    bool // their vectors are near
}

// load reads the current memories of a batch and judges its pairs.
func (s *Step) load(ctx context.Context, scope consolidate.Scope, r rules, found *pairs.Pairs) (batch, error) {
	ms, err := s.base.Memories(ctx, found.IDs()...)
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
	return newBatch(r, ms, brain.ByID(sources), found), err
}

// newBatch prepares the texts of memories and judges their pairs.
func newBatch(r rules, ms []brain.Memory, sources map[string]brain.Memory, found *pairs.Pairs) batch {
	b := batch{members: make([]member, len(ms))}
	index := make(map[string]int, len(ms))
	for i := range ms {
		index[ms[i].ID] = i
	}
	pairs.InParallel(len(ms), func(i int) { b.members[i] = newMember(ms[i], sources) })
	for _, p := range found.All() {
		x, okX := index[found.IDs()[p.A]]
		y, okY := index[found.IDs()[p.B]]
		if okX && okY && group(&ms[x]) == group(&ms[y]) {
			b.pairs = append(b.pairs, judgedPair{Pair: pairs.Ordered(x, y), near: found.Near(p)})
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
