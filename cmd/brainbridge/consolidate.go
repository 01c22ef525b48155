package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/consolidate"
	"github.com/brainbridge/brainbridge/integration/app"
)

func (a *cli) consolidateCommand() *cobra.Command {
	c := changing(command("consolidate", "Run maintenance: promote, expire, merge duplicates, find pairs to judge", nil))
	c.Long = "Run maintenance: promote and expire memories that are due, dated to when they became\ndue, then merge duplicates and find pairs of statements that may not both hold.\n`--dry-run` shows the plan, `runs show` the report, and `undo` reverts the run."
	request := consolidateFlags(c)
	flagged := c.Flags().Bool("show-flagged", false, "do not run; list what waits for a verdict, as review does")
	looks := c.Flags().Bool("health", false, "do not run; check the brain, as the command health does")
	c.RunE = func(c *cobra.Command, args []string) error {
		switch {
		case *flagged:
			return answersTo(a, (*app.UseCases).Review, new(bool), a.showReview)(c, args)
		case *looks:
			return a.healthCommand().RunE(c, args)
		}
		r, err := request()
		if err != nil {
			return err
		}
		return a.consolidate(c, r)
	}
	return c
}

// consolidateFlags are the flags of a run of all steps. request reads them.
func consolidateFlags(c *cobra.Command) (request func() (app.ConsolidateRequest, error)) {
	var r app.ConsolidateRequest
	f := c.Flags()
	f.BoolVar(&r.IfDue, "if-due", false, "run only if the last run is long ago or there are many new memories since")
	merge := f.Bool("merge-only", false, "only settle, and merge duplicates by rule")
	forget := f.Bool("forget-only", false, "only settle, and forget long-unused memories after confirmation or with --yes")
	f.BoolVar(&r.NoModel, "rules-only", false, "do not use a model")
	batch := f.Int("batch", 0, "send at most `N` clusters to the model")
	days := f.Int("idempotency-days", consolidate.DefaultIdempotencyDays, "do not send the model memories merged in the last `N` days")
	f.BoolVar(&r.NoResume, "no-resume", false, "start the model tier over instead of resuming an interrupted run")
	memoryType := f.String("type", "", "merge, forget and promote only memories of this `TYPE`")
	similarity := f.Float64("sim-threshold", 0, "minimum similarity `X` of a pair, 0.5 to 1 (default lifecycle.merge.alike)")
	fewest := f.Int("min-cluster", 2, "merge only clusters of at least `N` memories")
	most := f.Int("max-cluster-size", 0, "merge at most `N` memories at a time (default 12)")
	return func() (app.ConsolidateRequest, error) {
		switch {
		case *merge:
			r.Only = consolidate.StepDuplicates
		case *forget:
			r.Only = consolidate.StepForget
		}
		r.Similarity, r.MinCluster, r.MaxCluster = ifGiven(c, "sim-threshold", similarity), ifGiven(c, "min-cluster", fewest), ifGiven(c, "max-cluster-size", most)
		r.Type, r.Batch, r.IdempotencyDays = ifGiven(c, "type", memoryType), ifGiven(c, "batch", batch), ifGiven(c, "idempotency-days", days)
		return r, exclusive(c, "merge-only", "forget-only")
	}
}

// consolidate runs all steps. It asks before anything is forgotten: before a run that only
// forgets, after the other steps of another one.
func (a *cli) consolidate(c *cobra.Command, r app.ConsolidateRequest) error {
	u, err := a.use()
	if err != nil {
		return err
	}
	r.Forget, r.Wait = a.yes, a.runWait
	asks := u.AsksToForget(r)
	if asks && r.Only == consolidate.StepForget {
		return a.askToForget(c, r)
	}
	rep, err := u.Consolidate(c.Context(), r)
	if err == nil {
		err = a.answer(rep, func() { a.showReport(rep) })
	}
	if err != nil || !asks || rep.Candidates == 0 || !a.canAsk() {
		return err
	}
	return a.askToForget(c, app.ConsolidateRequest{Type: r.Type, Only: consolidate.StepForget})
}

// askToForget forgets after a yes. Nobody is asked if there is nothing to forget.
func (a *cli) askToForget(c *cobra.Command, r app.ConsolidateRequest) error {
	return rehearsed(a, func(u *app.UseCases, ctx context.Context) (app.ConsolidateAnswer, error) {
		return u.Consolidate(ctx, r)
	}, func(plan app.ConsolidateAnswer) (question string, lines []string) {
		question, lines = forgetActionLines(plan)
		r.Forget = len(lines) > 0 // if the person agrees to these lines
		return question, lines
	}, a.showReport)(c, nil)
}

func (a *cli) decayCommand() *cobra.Command {
	c := changing(command("decay", "Store the current energy of every memory that decays", nil))
	c.Long = "Store the current energy of every memory that decays, as `consolidate` does. This is optional, because energy\nis computed when it is read. Promotions that are due are left to the next run."
	c.RunE = answersTo(a, (*app.UseCases).Decay, &a.runWait, func(done app.DecayAnswer) {
		faded := ""
		if done.Expired > 0 {
			faded = fmt.Sprintf("; faded below the threshold: %d, which the next run expires", done.Expired)
		}
		a.printf("%s %s%s\n", a.verbFor("decayed", "would decay"), counted(done.Decayed, "memory"), faded)
	})
	return c
}

func (a *cli) promoteCommand() *cobra.Command {
	c := changing(command("promote", "Promote the memories that are due", nil))
	c.RunE = answersTo(a, (*app.UseCases).Promote, &a.runWait, func(done app.PromoteAnswer) { a.showPromoted(done.Promoted) })
	return c
}

func (a *cli) showPromoted(all []consolidate.Promotion) {
	a.printf("%s %s\n", a.verbFor("promoted", "would promote"), counted(len(all), "memory"))
	if len(all) == 0 || a.quiet {
		return
	}
	t := table{head: []string{"ID", "TIER", "ENERGY"}, right: "ENERGY"}
	for _, p := range all {
		t.row(brain.ShortID(p.ID), string(p.FromTier)+" → "+string(p.ToTier), energy(p.Energy))
	}
	a.print(t)
}

// verbFor returns done, or planned in a dry run.
func (a *cli) verbFor(done, planned string) string {
	if a.dryRun {
		return planned
	}
	return done
}

func (a *cli) coreCommand() *cobra.Command {
	promote := answersTo(a, (*app.UseCases).PromoteToCore, &a.typed, func(done app.CoreChangeAnswer) { a.showCoreChange(done, "promoted to core") })
	demote := answersTo(a, (*app.UseCases).DemoteFromCore, &a.typed, func(done app.CoreChangeAnswer) { a.showCoreChange(done, "moved back to longTerm") })
	return parent("core", "Manage core memory, which never decays",
		command("list", "List core memories", answersOf(a, (*app.UseCases).Core, a.showCore)),
		changing(command("promote ID", "Promote a memory to core, where it does not decay", promote)),
		changing(command("demote ID", "Move a core memory back to the longTerm tier", demote)))
}

func (a *cli) showCore(found app.CoreAnswer) {
	t := table{head: []string{"ID", "TYPE", "NAME", "TEXT"}}
	for _, v := range found.Memories {
		t.item(v.ID, brain.ShortID(v.ID), v.MemoryType, flat(v.Name, 30), flat(v.Content, 60))
	}
	if a.printList(t, "core memory is empty") {
		a.next("file: %s", found.File)
	}
}

func (a *cli) showCoreChange(changed app.CoreChangeAnswer, done string) {
	m := changed.Memories[0]
	if a.printQuiet(m.ID) {
		return
	}
	if changed.Taken != "" {
		a.printf("%s in review: %s; you wrote something else at %s\n", a.verbFor("waits", "would wait"), flat(m.Name, 60), changed.Taken)
		a.next("decide with: brainbridge review")
		return
	}
	a.printf("%s: %s\n", a.verb(done), flat(m.Name, 60))
	a.showUndo(changed.RunID)
}
