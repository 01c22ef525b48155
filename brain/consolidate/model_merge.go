package consolidate

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/brain/review"
	"github.com/brainbridge/brainbridge/brain/similar"
	"github.com/brainbridge/brainbridge/tiers"
)

// ModelMerger asks a model.
type ModelMerger interface {
	// Merge asks for one memory that says the same as the sources (at least two, oldest
	// first). The cost is valid even with an error. An error concerns only this cluster,
	// unless the cost says that the run is over.
	Merge(ctx context.Context, sources []brain.Memory) (ModelProposal, ModelCost, error)
}

// ModelProposal is the answer of a model, which is not trusted. All but the content may be
// empty.
type ModelProposal struct {
	Content    string
	Subject    string
	Type       string
	Importance brain.Importance
	Tags       []string
	Notes      string // what the model was not sure of
}

// ModelCost is the cost of a question to a model.
type ModelCost struct {
	Tokens int
	Calls  int // 0 if none was made
	// Over says not to ask again: the budget is spent, or the endpoint failed too often.
	Over bool
	// Again is the time from which a model can be asked again; zero: at once.
	Again time.Time
}

// ModelOptions of the step.
type ModelOptions struct {
	Merger ModelMerger
	Model  string // the endpoint and its model; a run with another one is not continued
	// Backup backs up before the first change of a run, and returns its path; may be nil.
	Backup func(ctx context.Context) (path string, err error)
	// IdempotencyDays is the number of days for which merged memories are not merged again.
	IdempotencyDays int
	Batch           int     // maximum number of clusters of a run; 0: all
	NoResume        bool    // start from the beginning even if an earlier run ended early
	Alike           float64 // minimum similarity of a pair; 0: that of the lifecycle numbers
	MinCluster      int     // minimum number of members of a cluster; 0: two
	MaxCluster      int     // maximum number of members of a cluster; 0: that of the phase
	// Warn receives failures that do not end the run; may be nil.
	Warn func(error)
}

// DefaultIdempotencyDays is the default of [Options.IdempotencyDays].
const DefaultIdempotencyDays = 7

// ModelMerge is the step.
type ModelMerge struct {
	base   lifecycle.Base
	review *review.Service
	o      ModelOptions
}

// NewModelMerge returns the step. It does not access the endpoint.
func NewModelMerge(base lifecycle.Base, review *review.Service, o ModelOptions) *ModelMerge {
	if o.Warn == nil {
		o.Warn = func(error) {}
	}
	return &ModelMerge{base, review, o}
}

// Name returns [StepModel].
func (*ModelMerge) Name() string { return StepModel }

func (s *ModelMerge) plan(ctx context.Context, scope Scope, r modelRules, f modelFound) (out Outcome, err error) {
	err = s.eachPhase(ctx, scope, r, f, func(clusters []modelCluster) error {
		out.Clusters += len(clusters)
		for _, c := range clusters {
			out.Actions = append(out.Actions, brain.Action{
				Kind: brain.ActMerge, IDs: brain.IDs(c.members), At: scope.Now,
				Reason:  fmt.Sprintf("a model would be asked to merge %d memories, %s", len(c.members), c.why()),
				Changes: brain.Map(c.members, func(m brain.Memory) brain.Change { return brain.Change{Before: &m} }),
			})
		}
		return nil
	})
	return out, err
}

// Apply asks about the clusters, phase by phase, and merges what passes the verification. A
// dry run only lists the clusters, because the answers of the model are not known.
func (s *ModelMerge) Apply(ctx context.Context, scope Scope, run brain.Run) (Outcome, brain.Run, error) {
	r := s.rules(scope)
	found, err := s.candidates(ctx, scope, r)
	if err != nil {
		return Outcome{}, run, err
	}
	if scope.DryRun {
		out, err := s.plan(ctx, scope, r, found)
		return out, run, err
	}
	var past modelCheckpoint
	if err := s.base.Checkpoint(ctx, modelCheckpointName, &past); err != nil {
		return Outcome{}, run, err
	}
	a := &asker{
		ModelMerge: s, Writer: Writer{Review: s.review, Now: scope.Now, Run: run},
		progress: modelCheckpoint{Signature: s.signature(scope, r)},
	}
	if !s.o.NoResume && past.Signature == a.progress.Signature {
		a.progress, a.Out.Resumed = past, true
	}
	err = s.eachPhase(ctx, scope, r, found, func(clusters []modelCluster) error {
		a.Out.Clusters += len(clusters)
		for i, c := range clusters {
			if err := a.ask(ctx, c); err != nil {
				a.Out.Remaining += len(clusters) - i
				return err
			}
			scope.Progress(i+1, len(clusters))
		}
		return nil
	})
	if err == nil {
		err = a.dedupe(ctx, r)
	}
	if err == nil && a.Out.Remaining == 0 {
		err = brain.Wrap(s.base.PutCheckpoint(ctx, modelCheckpointName, modelCheckpoint{}), "the merges are made; store that the run is complete")
	}
	a.Out.Partial = a.Out.Partial || a.Out.Remaining > 0
	return a.Out, a.Run, err
}

// modelRules are the numbers of a run.
type modelRules struct {
	similar.Thresholds
	tolerance              float64
	minCluster, maxCluster int  // maxCluster 0: that of the phase
	ruleCluster            int  // maximum number of members of a cluster that is merged by rule
	planned                bool // a dry run: the rules have merged nothing yet
}

func (s *ModelMerge) rules(scope Scope) modelRules {
	n := scope.Numbers.Merge
	return modelRules{
		Thresholds: similar.Thresholds{NearExact: n.NearExact, SameWords: n.SameWords, Alike: cmp.Or(s.o.Alike, n.Alike)},
		tolerance:  tiers.MergeTolerance, minCluster: max(2, s.o.MinCluster), maxCluster: s.o.MaxCluster, ruleCluster: tiers.MaxCluster,
		planned: scope.DryRun,
	}
}

// modelCheckpoint is stored after each merge, so that a run continues one that ended early.
type modelCheckpoint struct {
	// Signature of the run that ended early, see [ModelMerge.signature]; "" if none did.
	Signature string   `json:"signature"`
	Made      []string `json:"made,omitempty"` // ids of the memories that the run made
}

const modelCheckpointName = "model-tier"

// signature identifies the store and the options that decide who is asked about what.
func (s *ModelMerge) signature(scope Scope, r modelRules) string {
	info := s.base.Store.Info()
	return brain.Hash(info.Kind, info.URI, info.Brain, s.o.Model, scope.Type,
		fmt.Sprint(s.o.IdempotencyDays, r.Thresholds, r.tolerance, r.minCluster, r.maxCluster, r.ruleCluster))
}
