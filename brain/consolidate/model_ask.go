package consolidate

import (
	"context"
	"fmt"
	"slices"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/review"
	"github.com/brainbridge/brainbridge/brain/similar"
)

// asker asks the model about clusters and writes the results.
type asker struct {
	*ModelMerge
	Writer
	progress modelCheckpoint
	asked    int  // clusters
	over     bool // nothing more is to be asked
}

// ask has the model merge a cluster, and merges it, puts the answer into the
// review queue, or leaves the cluster for the next run.
func (a *asker) ask(ctx context.Context, c modelCluster) error {
	if a.over || a.o.Batch > 0 && a.asked >= a.o.Batch {
		a.Out.Remaining++
		return nil
	}
	a.asked++
	proposal, cost, err := a.o.Merger.Merge(ctx, c.members)
	a.Out.LLMCalls += cost.Calls
	a.Out.Tokens += cost.Tokens
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err != nil {
		a.over, a.Out.AskModelAt = cost.Over, cost.Again
		a.Out.Remaining++
		a.Out.Partial = true
		a.o.Warn(err)
		return nil
	}
	result := compose(c.members, proposal)
	if reason := review.CheckText(result, c.members); reason != "" {
		return a.flag(ctx, c, result, reason, proposal.Notes)
	}
	return a.mergeInto(ctx, c, result)
}

// mergeInto merges a cluster into the result, after a backup.
func (a *asker) mergeInto(ctx context.Context, c modelCluster, result brain.Memory) error {
	if a.o.Backup != nil && a.Out.Backup == "" { // one for the run, before its first change
		path, err := a.o.Backup(ctx)
		if err != nil {
			a.Out.Partial = true
			return fmt.Errorf("the model merged nothing, because the backup before it failed: %w", err)
		}
		a.Out.Backup = path
	}
	actions, err := a.Merge(ctx, review.Merging{
		Sources: c.members, Result: &result, Reason: fmt.Sprintf("merged by the model %s, %s", a.o.Model, c.why()), Similarity: c.least,
	})
	if err != nil || len(actions) == 0 {
		return err
	}
	a.progress.Made = append(a.progress.Made, actions[0].IDs[0])
	return a.base.PutCheckpoint(ctx, modelCheckpointName, a.progress)
}

// flag puts an answer into the review queue, with the reason why it was not merged.
func (a *asker) flag(ctx context.Context, c modelCluster, result brain.Memory, reason, notes string) error {
	if notes != "" {
		reason += "; the model notes: " + notes
	}
	err := a.Flag(ctx, brain.ReviewItem{Kind: brain.ReviewMerge, Reason: reason, Memories: brain.IDs(c.members), Proposed: &result})
	if err != nil {
		return err
	}
	return a.base.PutCheckpoint(ctx, modelCheckpointName, a.progress)
}

// dedupe merges, by the rules, memories of which this run wrote nearly the same text.
func (a *asker) dedupe(ctx context.Context, r modelRules) error {
	made, err := a.base.Memories(ctx, a.progress.Made...)
	if err != nil {
		return err
	}
	for _, members := range r.sameResults(made) {
		m := review.Merging{Keeper: members[0], Sources: members[1:], Reason: "the model made the same of several clusters"}
		if _, err := a.Merge(ctx, m); err != nil {
			return err
		}
	}
	return nil
}

// sameResults returns the clusters that the rules merge, each with its keeper first.
func (r modelRules) sameResults(made []brain.Memory) [][]brain.Memory {
	made = slices.DeleteFunc(made, func(m brain.Memory) bool { return !m.Current() })
	texts := review.Texts(made)
	together := func(a, b int) (float64, bool) {
		verdict, _ := r.Judge(texts[a], texts[b])
		return texts[a].Similarity(texts[b]), verdict == similar.Merge &&
			made[a].Project == made[b].Project && made[a].MemoryType == made[b].MemoryType
	}
	var linked []similar.Pair
	for b := range made {
		for a := range b {
			if _, ok := together(a, b); ok {
				linked = append(linked, orderedPair(a, b))
			}
		}
	}
	var all [][]brain.Memory
	for _, places := range similar.Clusters(linked, r.ruleCluster, together) {
		members := make([]brain.Memory, len(places))
		for i, n := range places {
			members[i] = made[n]
		}
		slices.SortFunc(members, func(a, b brain.Memory) int { return review.CompareKeepers(&a, &b) })
		all = append(all, members)
	}
	return all
}
