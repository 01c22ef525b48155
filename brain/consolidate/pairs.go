package consolidate

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/brain/review"
	"github.com/brainbridge/brainbridge/brain/similar"
	"github.com/brainbridge/brainbridge/brain/statement"
	"github.com/brainbridge/brainbridge/brain/words"
)

// Pairs is the step that finds pairs to judge among what is new: two statements about the
// same subject, perhaps, of which an agent or a person decides whether both hold.
type Pairs struct {
	base   lifecycle.Base
	review *review.Service
	vector func(ctx context.Context, text string) brain.Vector
}

// NewPairs returns the step. vector returns the vector of a text, or none; it may be nil.
func NewPairs(base lifecycle.Base, review *review.Service, vector func(context.Context, string) brain.Vector) *Pairs {
	if vector == nil {
		vector = func(context.Context, string) brain.Vector { return brain.Vector{} }
	}
	return &Pairs{base, review, vector}
}

// Name returns [StepPairs].
func (p *Pairs) Name() string { return StepPairs }

const (
	maxNewPairs  = 20  // that a run adds
	maxOpenPairs = 60  // in the review queue
	maxNewTexts  = 500 // that a run looks at, the latest ones
	similarTexts = 10  // that are read for each
	perText      = 3   // pairs of a new memory with others
)

// pair is a pair to judge.
type pair struct {
	newer, older brain.Memory
	rank         int // of the other memory among those similar to the new one
	similarity   float64
	reason       string
}

// Apply adds the nearest pairs to the review queue: at most 20, and only until 60 are open.
// A pair that was asked about before is left out, whatever the verdict was. The next run
// continues after the memories that this one looked at, unless it looks at one type only. If
// there were more pairs, it looks at the same memories again.
func (p *Pairs) Apply(ctx context.Context, s Scope, run brain.Run) (Outcome, brain.Run, error) {
	w := &Writer{Review: p.review, Now: s.Now, DryRun: s.DryRun, Run: run}
	var last struct {
		After string `json:"after"`
	}
	if err := p.base.Checkpoint(ctx, StepPairs, &last); err != nil {
		return w.Out, w.Run, err
	}
	fresh, mark, err := p.newTexts(ctx, last.After, s.Type)
	if err != nil {
		return w.Out, w.Run, err
	}
	queue, err := ReadQueue(ctx, p.review)
	if err != nil {
		return w.Out, w.Run, err
	}
	left := maxOpenPairs
	for _, item := range queue {
		if item.Kind == brain.ReviewPair && item.State == brain.ReviewPending {
			left--
		}
	}
	if left <= 0 { // the next run looks at them
		return w.Out, w.Run, nil
	}
	var found []pair
	for i := range fresh {
		some, err := p.pairsOf(ctx, &fresh[i], queue)
		if err != nil {
			return w.Out, w.Run, fmt.Errorf("find pairs to judge: %w", err)
		}
		found = append(found, some...)
		s.Progress(i+1, len(fresh))
	}
	found = nearestFirst(found)
	added := found[:min(len(found), left, maxNewPairs)]
	for _, next := range added {
		item := brain.ReviewItem{Kind: brain.ReviewPair, Reason: next.reason, Memories: []string{next.newer.ID, next.older.ID}}
		if err := w.Flag(ctx, item); err != nil {
			return w.Out, w.Run, err
		}
	}
	if last.After = mark; !s.DryRun && s.Type == "" && len(added) == len(found) {
		err = p.base.PutCheckpoint(ctx, StepPairs, last)
	}
	return w.Out, w.Run, err
}

// newTexts returns the first statements that were stored after a mark, and the mark after
// them. onlyType is the type to look at; "" for all.
func (p *Pairs) newTexts(ctx context.Context, after, onlyType string) (fresh []brain.Memory, mark string, err error) {
	const pageSize = 250
	mark, err = p.base.EachWritten(ctx, after, pageSize, func(page []brain.Memory, _ string) (bool, error) {
		for i := range page {
			if m := &page[i]; States(m) && (onlyType == "" || m.MemoryType == onlyType) {
				fresh = append(fresh, *m)
			}
		}
		return len(fresh) < maxNewTexts, nil
	})
	return fresh, mark, err
}

// States reports whether a memory is a statement that holds until another one replaces it.
func States(m *brain.Memory) bool {
	return slices.Contains([]string{"decision", "preference", "lesson", "learning", "fact"}, m.MemoryType) &&
		m.Current() && !m.Entity && !brain.IsTest(m.ID)
}

// pairsOf returns the pairs of a new memory with those that are similar to it, without the
// pairs that the queue has, and those that are merged or proposed as a merge. Earlier pairs
// of the memory count for its maximum.
func (p *Pairs) pairsOf(ctx context.Context, m *brain.Memory, queue map[string]brain.ReviewItem) (found []pair, err error) {
	vector := p.vector(ctx, m.GivenName()+"\n"+m.Content)
	others, err := lifecycle.Read(ctx, p.base, func(r brain.Reader) ([]lifecycle.Match, error) {
		return lifecycle.Similar(r, m, vector, similarTexts)
	})
	text, rank := comparedText(m), 0
	for _, match := range others {
		o := match.Memory
		earlier, asked := queue[brain.Fingerprint([]brain.Memory{*m, o})]
		if asked && earlier.Kind == brain.ReviewPair {
			rank++
		}
		other := comparedText(&o)
		verdict, reason := similar.Duplicate(text, other)
		merged := verdict == similar.Merge || verdict == similar.Review && similar.Renamed(text, other) == ""
		if asked || !States(&o) || merged || rank >= perText || match.Near < nearPair && !shareWords(m, &o) {
			continue
		}
		if verdict == similar.Different {
			reason = "they may be about the same subject"
		}
		next := pair{newer: *m, older: o, rank: rank, similarity: max(text.Similarity(other), match.Near), reason: reason + ", so perhaps only one of them holds"}
		if cmp.Or(brain.CompareAge(m, &o), cmp.Compare(m.ID, o.ID)) < 0 {
			next.newer, next.older = next.older, next.newer
		}
		found = append(found, next)
		rank++
	}
	return found, err
}

const (
	// minShared is the minimum share of the words of the shorter statement that the other one
	// has too. Of pairs that share less, hardly any is about one subject, unless they are near in
	// meaning.
	minShared = 0.5
	// nearPair is the least [lifecycle.Match].Near of a pair that shares fewer words. Of the 120
	// questions of a public FAQ about one program, 63 of 7,140 pairs are as near.
	nearPair = 0.5
)

// shareWords reports whether two statements, without their reasons, share enough words.
func shareWords(a, b *brain.Memory) bool {
	x, y := words.Content(statement.Of(a).Title, 0), words.Content(statement.Of(b).Title, 0)
	both := slices.DeleteFunc(slices.Clone(x), func(w string) bool { return !slices.Contains(y, w) })
	return float64(len(both)) >= max(1, minShared*float64(min(len(x), len(y))))
}

// nearestFirst returns pairs, each once, in the order in which they are asked: first those of each
// memory with the one that is most similar to it.
func nearestFirst(all []pair) []pair {
	slices.SortFunc(all, func(a, b pair) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(b.similarity, a.similarity),
			cmp.Compare(a.newer.ID, b.newer.ID), cmp.Compare(a.older.ID, b.older.ID))
	})
	seen := map[[2]string]bool{}
	return slices.DeleteFunc(all, func(p pair) bool {
		again := seen[[2]string{p.newer.ID, p.older.ID}]
		seen[[2]string{p.newer.ID, p.older.ID}] = true
		return again
	})
}
