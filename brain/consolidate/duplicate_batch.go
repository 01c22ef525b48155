package consolidate

import (
	"cmp"
	"context"
	"slices"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/similar"
)

// duplicateBatch is the memories that are compared with each other. Pairs and clusters refer to them
// by their index in members.
type duplicateBatch struct {
	members []*member    // ordered by id
	pairs   []judgedPair // those to merge or to propose, and near ones
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
	id string // of the memory with this text
}

// judgedPair is a pair with its verdict.
type judgedPair struct {
	similar.Pair
	verdict similar.Verdict
	near    bool // their vectors are near
}

// load reads the current memories of a batch and judges its pairs.
func (s *Duplicates) load(ctx context.Context, scope Scope, r duplicateRules, found *pairSet) (duplicateBatch, error) {
	var members []*member
	compares := inScope(scope)
	for ids := range slices.Chunk(found.ids, 500) {
		ms, err := s.base.Memories(ctx, ids...)
		if err != nil {
			return duplicateBatch{}, err
		}
		ms = slices.DeleteFunc(ms, func(m brain.Memory) bool { return !compares(&m) })
		var merged []string // ids of the memories that were merged into these
		for i := range ms {
			merged = append(merged, ms[i].MergedFrom...)
		}
		sources, err := s.base.Memories(ctx, merged...)
		if err != nil {
			return duplicateBatch{}, err
		}
		members = append(members, newMembers(ms, brain.ByID(sources))...)
	}
	return newBatch(r, members, found), nil
}

// newBatch judges the pairs of members.
func newBatch(r duplicateRules, members []*member, found *pairSet) duplicateBatch {
	slices.SortFunc(members, func(x, y *member) int { return cmp.Compare(x.ID, y.ID) })
	b := duplicateBatch{members: members}
	index := make(map[string]int, len(members))
	for i, m := range members {
		index[m.ID] = i
	}
	for some := range slices.Chunk(distinctPairs(found.pairs), 10_000) { // few of very many stay
		var judged []judgedPair
		for _, p := range some {
			x, okX := index[found.ids[p.A]]
			y, okY := index[found.ids[p.B]]
			if okX && okY && group(&members[x].Memory) == group(&members[y].Memory) {
				judged = append(judged, judgedPair{Pair: orderedPair(x, y), near: found.near[p]})
			}
		}
		inParallel(len(judged), func(i int) { judged[i].verdict = r.judge(b, judged[i].Pair) })
		for _, p := range judged {
			if p.verdict == similar.Merge || p.verdict == similar.Review || p.near {
				b.pairs = append(b.pairs, p)
			}
		}
	}
	return b
}

// newMembers prepares the texts of memories, and of the sources that were merged into them.
func newMembers(ms []brain.Memory, sources map[string]brain.Memory) []*member {
	members := make([]*member, len(ms))
	inParallel(len(ms), func(i int) {
		text := comparedText(&ms[i])
		texts := []memberText{{text, ms[i].ID}}
		for _, id := range ms[i].MergedFrom {
			if source, ok := sources[id]; ok {
				texts = append(texts, memberText{comparedText(&source), id})
			}
		}
		members[i] = &member{ms[i], text, texts}
	})
	return members
}

// judge compares the texts of a pair.
func (r duplicateRules) judge(b duplicateBatch, p similar.Pair) similar.Verdict {
	verdict, _ := r.Judge(b.members[p.A].text, b.members[p.B].text)
	return verdict
}
