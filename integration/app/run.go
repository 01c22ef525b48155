package app

import (
	"context"
	"errors"
	"time"

	"github.com/brainbridge/brainbridge/backups"
	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/consolidate"
	"github.com/brainbridge/brainbridge/brain/health"
	"github.com/brainbridge/brainbridge/brain/lease"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/config"
	"github.com/brainbridge/brainbridge/integration/model"
	"github.com/brainbridge/brainbridge/tiers"
)

// Runner returns a runner with all steps, configured for a request.
func (u *UseCases) Runner(b *services.Services, r ConsolidateRequest) *consolidate.Runner {
	l := u.app.Settings
	vector := u.textVector(b)
	steps := []consolidate.Step{
		consolidate.NewDuplicates(b.Base, b.Recall, b.Review, consolidate.DuplicateOptions{
			Model: l.Config.LLM.On(), Alike: or(r.Similarity, 0), MinCluster: or(r.MinCluster, 0), MaxCluster: or(r.MaxCluster, 0),
			Vector: vector,
		}),
		consolidate.NewPairs(b.Base, b.Review, vector),
		consolidate.NewCore(b.Review, u.coreFile(b)),
		consolidate.NewForget(b.Journal, l.Config.Consolidate.Forget),
		consolidate.NewRelations(b.Base),
	}
	if l.Config.LLM.On() {
		steps = append(steps, u.modelStep(b, r))
	}
	return u.runnerOf(b, append(steps, u.Curator(b, CurateRequest{}))...)
}

func (u *UseCases) modelStep(b *services.Services, r ConsolidateRequest) consolidate.Step {
	llm := u.app.Settings.Config.LLM
	return consolidate.NewModelMerge(b.Base, b.Review, consolidate.ModelOptions{
		Merger: &model.Merger{Open: func(ctx context.Context) (*model.Client, error) { return u.endpoint(ctx, b) }}, Model: llm.Model, Warn: u.caller.Notices.Warn,
		Backup: func(ctx context.Context) (string, error) { // under the lock of maintenance, which a run holds
			o := u.backupOptions(b)
			o.Reason, o.Keep = "before a model merges", 3
			made, err := backups.Create(ctx, o)
			return made.Path, err
		},
		IdempotencyDays: or(r.IdempotencyDays, consolidate.DefaultIdempotencyDays), NoResume: r.NoResume, Batch: or(r.Batch, 0),
		Alike: or(r.Similarity, 0), MinCluster: or(r.MinCluster, 0), MaxCluster: or(r.MaxCluster, 0),
	})
}

// or returns the value of a request, or the default for nil.
func or[T any](value *T, byDefault T) T {
	if value == nil {
		return byDefault
	}
	return *value
}

func (u *UseCases) endpoint(ctx context.Context, b *services.Services) (*model.Client, error) {
	llm := u.app.Settings.Config.LLM
	key, err := config.ReadSecret("llm.api_key_file", llm.APIKeyFile)
	if err != nil {
		return nil, err
	}
	return model.Open(ctx, b.Base, b.Spend, model.Options{
		BaseURL: llm.BaseURL, Model: llm.Model, Key: key,
		DailyTokens: llm.DailyTokens,
	})
}

func (u *UseCases) runnerOf(b *services.Services, steps ...consolidate.Step) *consolidate.Runner {
	l := u.app.Settings
	return consolidate.New(b.Base, b.Journal, consolidate.Options{
		Holder: lease.ThisProcess(), Dead: lease.HolderGone, LogFile: l.Paths.RunLog, Archive: backups.NewArchive(l.Paths.Archive, u.warn), JournalKeep: l.Config.Journal.Keep,
		Steps: steps, Warn: u.caller.Notices.Warn, Info: u.caller.Notices.Info, Progress: u.caller.Notices.Progress,
		Checkup: func(ctx context.Context) (consolidate.Checkup, error) { return u.checkup(ctx, b) },
	})
}

func (u *UseCases) checkup(ctx context.Context, b *services.Services) (consolidate.Checkup, error) {
	f, err := u.HealthFacts(ctx, b)
	if err != nil {
		return consolidate.Checkup{}, err
	}
	for _, wrong := range f.Wrong {
		u.warn(wrong)
	}
	r := health.Check(f)
	return consolidate.Checkup{Recommendations: r.Recommendations, OrphanIDs: f.OrphanIDs, Vitals: consolidate.Vitals{Warnings: r.Warnings(), Measures: consolidate.Measures{
		Live: f.Live(), Expired: f.ByTier[tiers.Expired], Stale: f.Stale, LowEffectiveness: f.Ineffective,
		Duplicates: f.Duplicates, Orphans: f.Orphans, AverageAgeDays: r.AverageAgeDays, AverageEffectiveness: r.AverageEffectiveness,
	}}}, nil
}

// request returns the request for a run for the caller.
func (u *UseCases) request(kind string, wait time.Duration) consolidate.Request {
	return consolidate.Request{Kind: kind, DryRun: u.caller.DryRun, ByPerson: !u.caller.Background, Wait: wait}
}

// settleInBackground settles what is due. A run in progress settles it too.
func (u *UseCases) settleInBackground(ctx context.Context, b *services.Services) error {
	_, err := u.runnerOf(b).Run(ctx, consolidate.Request{Kind: brain.RunConsolidate, Background: true})
	if errors.Is(err, brain.ErrBusy) {
		return nil
	}
	return err
}

// DecayAnswer is the answer to writing current energies.
type DecayAnswer struct {
	RunID   brain.OrNull `json:"runId"`
	Decayed int          `json:"decayed"`
	Expired int          `json:"expired"`
}

// Decay writes the current energy into every memory that fades.
func (u *UseCases) Decay(ctx context.Context, wait time.Duration) (DecayAnswer, error) {
	rep, err := u.runnerOf(u.services(ctx)).Run(ctx, u.request(brain.RunDecay, wait))
	return DecayAnswer{brain.OrNull(rep.RunID), rep.Decayed, rep.Expired}, err
}

// PromoteAnswer is the answer to promoting memories.
type PromoteAnswer struct {
	RunID    brain.OrNull            `json:"runId"`
	Promoted []consolidate.Promotion `json:"promoted"` // with their energy now
}

// Promote promotes the memories that are due for it.
func (u *UseCases) Promote(ctx context.Context, wait time.Duration) (PromoteAnswer, error) {
	b := u.services(ctx)
	rep, err := u.runnerOf(b).Run(ctx, u.request(brain.RunPromote, wait))
	if err != nil {
		return PromoteAnswer{}, err
	}
	promoted, err := promotions(ctx, b, rep.Promoted)
	return PromoteAnswer{brain.OrNull(rep.RunID), promoted}, err
}

// promotions returns the promotions of a run with the current energies of the memories.
func promotions(ctx context.Context, b *services.Services, promoted []consolidate.Promotion) ([]consolidate.Promotion, error) {
	all := append([]consolidate.Promotion{}, promoted...)
	policy, err := b.Base.Policy(ctx)
	if err != nil {
		return nil, err
	}
	ms, err := b.Base.Memories(ctx, brain.Unique(brain.Map(all, func(p consolidate.Promotion) string { return p.ID }))...)
	found := brain.ByID(ms)
	for i, p := range all {
		all[i].Energy = policy.Energy(found[p.ID].State, b.Base.Now())
	}
	return all, err
}

// holdMaintenance waits for the lock of runs and takes it.
func (u *UseCases) holdMaintenance(ctx context.Context, s brain.Leaser) (release func(), err error) {
	return consolidate.Hold(ctx, s, lease.ThisProcess(), lease.HolderGone, u.caller.Notices.Warn)
}
