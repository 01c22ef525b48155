package main

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/integration/app"
)

// waitFlag is that of the commands that run maintenance.
func waitFlag(c *cobra.Command, wait *time.Duration) {
	c.Flags().DurationVar(wait, "wait", 0, "wait a `TIME` such as 30s for a run that is under way, then leave it a request")
}

func (a *cli) consolidateCommand() *cobra.Command {
	c := a.changing(&cobra.Command{
		Use: "consolidate", Short: "One whole run: promote and expire what is due, and tidy up",
		Long: "One whole run: promote and expire what is due, as of the instant at which it fell due,\nand tidy up what is left. `undo` takes it back; `--dry-run` shows the plan;\n`runs show` has the report.",
		Args: noArgs,
	})
	request := consolidateFlags(c)
	flagged := c.Flags().Bool("show-flagged", false, "run nothing: what waits for a decision, as review list shows it")
	looks := c.Flags().Bool("health", false, "run nothing: whether the brain is in order, as health shows it")
	c.RunE = func(c *cobra.Command, args []string) error {
		switch {
		case *flagged:
			return a.reviews(app.ReviewsRequest{State: string(brain.ReviewPending)})(c, args)
		case *looks:
			return a.healthCommand().RunE(c, args)
		}
		r, err := request()
		if err != nil {
			return err
		}
		return a.consolidate(c.Context(), r)
	}
	return c
}

// consolidateFlags are the flags of a whole run. request reads them.
func consolidateFlags(c *cobra.Command) (request func() (app.ConsolidateRequest, error)) {
	var r app.ConsolidateRequest
	f := c.Flags()
	waitFlag(c, &r.Wait)
	f.BoolVar(&r.IfDue, "if-due", false, "run only if much has come together since the last run, or it is long ago")
	merge := f.Bool("merge-only", false, "only settle and merge duplicates by rule")
	forget := f.Bool("forget-only", false, "only settle and forget what may be forgotten; asks, or needs --yes")
	f.BoolVar(&r.NoModel, "rules-only", false, "ask no model")
	batch := f.Int("batch", 0, "ask the model about `N` clusters at most")
	days := f.Int("idempotency-days", app.DefaultIdempotencyDays, "leave out for the model what was merged in the last `N` days")
	f.BoolVar(&r.NoResume, "no-resume", false, "have the model begin anew where an earlier run ended early")
	memoryType := f.String("type", "", "merge, forget and promote memories of this `TYPE` alone")
	similarity := f.Float64("sim-threshold", 0, "look at pairs from the similarity `X` on, 0.5 to 1 (default lifecycle.merge.alike)")
	fewest := f.Int("min-cluster", 2, "merge clusters of `N` memories and more")
	most := f.Int("max-cluster-size", 0, "merge `N` memories at a time at most (default lifecycle.merge.maxCluster)")
	return func() (app.ConsolidateRequest, error) {
		switch {
		case *merge && *forget:
			return r, usage("give one of them", "--merge-only and --forget-only exclude each other")
		case *merge:
			r.Only = app.StepDuplicates
		case *forget:
			r.Only = app.StepForget
		}
		r.Similarity, r.MinCluster, r.MaxCluster = given(c, "sim-threshold", similarity), given(c, "min-cluster", fewest), given(c, "max-cluster-size", most)
		r.Type, r.Batch, r.IdempotencyDays = given(c, "type", memoryType), given(c, "batch", batch), given(c, "idempotency-days", days)
		return r, nil
	}
}

// consolidate carries out a whole run. What it would forget waits for a yes: a
// run for that alone is asked about before it begins, any other one does all
// else first.
func (a *cli) consolidate(ctx context.Context, r app.ConsolidateRequest) error {
	u, err := a.use()
	if err != nil {
		return err
	}
	r.Forget = a.yes
	asks := u.AsksToForget(r)
	if asks && r.Only == app.StepForget {
		return a.askToForget(ctx, u, r)
	}
	rep, err := u.Consolidate(ctx, r)
	if err == nil {
		err = a.answer(rep, func() { a.showReport(rep) })
	}
	if err != nil || !asks || rep.Candidates == 0 || !a.canAsk() {
		return err
	}
	return a.askToForget(ctx, u, app.ConsolidateRequest{Type: r.Type, Only: app.StepForget})
}

// askToForget forgets after a yes. Nobody is asked if there is nothing to forget.
func (a *cli) askToForget(ctx context.Context, u *app.UseCases, r app.ConsolidateRequest) error {
	planned, err := u.Dry().Consolidate(ctx, r)
	if err != nil {
		return err
	}
	found := forgetActions(planned)
	if len(found) > 0 {
		what := "forget " + counted(len(found), "memory")
		if r.Forget, err = a.confirm(what, forgetActionLines(what, found)...); err != nil || !r.Forget {
			return err
		}
	}
	done, err := u.Consolidate(ctx, r)
	if err != nil {
		return err
	}
	return a.answer(done, func() { a.showReport(done) })
}

func (a *cli) decayCommand() *cobra.Command {
	c := a.changing(&cobra.Command{
		Use: "decay", Short: "Write the energy of now into every memory that fades",
		Long: "Write the energy of now into every memory that fades. Nothing needs it: energy is\ncomputed whenever it is read. What is due is left to the next run.",
		Args: noArgs,
	})
	var wait time.Duration
	waitFlag(c, &wait)
	c.RunE = answers(a, func(ctx context.Context, u *app.UseCases, _ []string) (app.DecayAnswer, error) {
		return u.Decay(ctx, wait)
	}, func(done app.DecayAnswer) {
		a.printf("%s %s, %d of them expired\n", a.would("decayed", "would decay"), counted(done.Decayed, "memory"), done.Expired)
	})
	return c
}

func (a *cli) promoteCommand() *cobra.Command {
	c := a.changing(&cobra.Command{Use: "promote", Short: "Move up what has earned it", Args: noArgs})
	var wait time.Duration
	waitFlag(c, &wait)
	c.RunE = answers(a, func(ctx context.Context, u *app.UseCases, _ []string) (app.PromoteAnswer, error) {
		return u.Promote(ctx, wait)
	}, func(done app.PromoteAnswer) { a.showPromoted(done.Promoted) })
	return c
}

func (a *cli) showPromoted(all []app.Promotion) {
	a.printf("%s %s\n", a.would("promoted", "would promote"), counted(len(all), "memory"))
	if len(all) == 0 || a.quiet {
		return
	}
	t := table{head: []string{"FROM", "TO", "TIER", "ENERGY"}, right: "ENERGY"}
	for _, p := range all {
		to := ""
		if p.To != nil {
			to = short(*p.To)
		}
		t.row(short(p.From), to, string(p.FromTier)+" → "+string(p.ToTier), energy(p.Energy))
	}
	a.print(t)
}

// would chooses between what was done and what would be.
func (a *cli) would(done, planned string) string {
	if a.dryRun {
		return planned
	}
	return done
}
