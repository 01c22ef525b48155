package consolidate

import (
	"cmp"
	"context"
	"fmt"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/brain/recall"
	"github.com/brainbridge/brainbridge/brain/review"
	"github.com/brainbridge/brainbridge/brain/similar"
	"github.com/brainbridge/brainbridge/tiers"
)

// DuplicateOptions are the options of a run. One that sets Alike, MinCluster or MaxCluster compares
// all memories, not only new ones, and the next run does not continue after it.
type DuplicateOptions struct {
	Alike      float64 // minimum similarity of a pair; 0: that of the lifecycle numbers
	MinCluster int     // minimum number of members of a cluster; 0: two
	MaxCluster int     // maximum number of members; 0: that of the lifecycle numbers
	// Model leaves memories that differ only in wording to the model tier.
	Model bool
	// Vector returns the vector of a text, or none; nil: texts are compared by their words. It is
	// called by two goroutines at once.
	Vector func(ctx context.Context, text string) brain.Vector
}

// Duplicates implements [Step]. It compares current memories, and entities only in a
// run that a person started. It merges only memories of the same project and type.
type Duplicates struct {
	base   lifecycle.Base
	recall *recall.Service
	review *review.Service
	o      DuplicateOptions
}

// NewDuplicates returns the step.
func NewDuplicates(base lifecycle.Base, recall *recall.Service, review *review.Service, o DuplicateOptions) *Duplicates {
	return &Duplicates{base, recall, review, o}
}

// Name returns [StepDuplicates].
func (s *Duplicates) Name() string { return StepDuplicates }

// Apply merges duplicates, one cluster per transaction, and proposes merges in the review
// queue. It skips and counts memories that change meanwhile.
func (s *Duplicates) Apply(ctx context.Context, scope Scope, run brain.Run) (Outcome, brain.Run, error) {
	w := &Writer{Review: s.review, Now: scope.Now, DryRun: scope.DryRun, Run: run}
	earlier, err := s.readEarlier(ctx)
	if err != nil {
		return w.Out, w.Run, err
	}
	found, err := s.findCandidates(ctx, scope, earlier)
	if err != nil {
		return w.Out, w.Run, fmt.Errorf("find duplicates: %w", err)
	}
	w.Out.Analysed = found.compared
	alike, err := s.merge(ctx, scope, w, found.pairs, earlier.queue)
	if err != nil {
		return w.Out, w.Run, fmt.Errorf("merge duplicates: %w", err)
	}
	ask, waiting := earlier.queue.choose(alike, found.comparedAll)
	for _, item := range ask {
		if err := w.Flag(ctx, item); err != nil {
			return w.Out, w.Run, err
		}
	}
	if !found.comparedAll && scope.Type == "" {
		waiting += earlier.Waiting
	}
	w.Out.Waiting, found.next.Waiting = waiting, waiting
	nextContinues := !scope.DryRun && scope.Type == "" && !s.overridesNumbers()
	if nextContinues && found.next != earlier.duplicateCheckpoint {
		err = s.base.PutCheckpoint(ctx, duplicateCheckpointName, found.next)
	}
	return w.Out, w.Run, brain.Wrap(err, "the merges are made; store where the next run continues")
}

// merge merges duplicates, and returns the merges to propose: none if a model is asked about
// them.
func (s *Duplicates) merge(ctx context.Context, scope Scope, w *Writer, found *pairSet, q queue) ([]mergeProposal, error) {
	rules := s.rules(scope)
	b, err := s.load(ctx, scope, rules, found)
	if err != nil {
		return nil, err
	}
	merges, alike := rules.clusters(b, q.decisions())
	if s.o.Model {
		alike = nil
	}
	return alike, mergeAll(ctx, w, b, merges, scope.Progress)
}

// duplicateRules are the thresholds and options of a run.
type duplicateRules struct {
	similar.Thresholds
	tolerance              float64
	minCluster, maxCluster int
}

func (s *Duplicates) rules(scope Scope) duplicateRules {
	n := scope.Numbers.Merge
	r := duplicateRules{
		Thresholds: similar.Thresholds{NearExact: n.NearExact, SameWords: n.SameWords, Alike: n.Alike},
		tolerance:  tiers.MergeTolerance, minCluster: max(2, s.o.MinCluster), maxCluster: tiers.MaxCluster,
	}
	r.Alike = cmp.Or(s.o.Alike, r.Alike)
	r.maxCluster = cmp.Or(s.o.MaxCluster, r.maxCluster)
	return r
}

// overridesNumbers reports whether options override the lifecycle numbers.
func (s *Duplicates) overridesNumbers() bool {
	return s.o.Alike > 0 || s.o.MinCluster > 2 || s.o.MaxCluster > 0
}

// mergeAll merges clusters in their order, one per transaction. A later cluster may have the
// keeper of an earlier one.
func mergeAll(ctx context.Context, w *Writer, b duplicateBatch, clusters []duplicateCluster, progress func(done, total int)) error {
	for i, c := range clusters {
		progress(i, len(clusters))
		m := review.Merging{Keeper: b.members[c.keeper].Memory, Reason: c.reason, Similarity: c.similarity}
		for _, n := range c.sources {
			m.Sources = append(m.Sources, b.members[n].Memory)
		}
		actions, err := w.Merge(ctx, m)
		if err != nil {
			return err
		}
		if len(actions) == 0 {
			continue
		}
		w.Out.Clusters++
		for _, change := range actions[0].Changes {
			if change.After != nil && change.After.ID == m.Keeper.ID {
				b.members[c.keeper].Memory = *change.After
			}
		}
	}
	return nil
}
