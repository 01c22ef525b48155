package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/brainbridge/brainbridge/brain/moment"
	"github.com/brainbridge/brainbridge/integration/app"
)

func (a *cli) rememberCommand() *cobra.Command {
	c, details := a.detailFlags(&cobra.Command{Use: "remember TEXT|-", Short: "Capture any text", Args: between(1, 1)})
	var r app.RememberRequest
	f := c.Flags()
	f.StringVar(&r.Type, "type", "note", "`TYPE` of the memory")
	f.StringVar(&r.Name, "name", "", "`NAME` of the memory (default: from the first line)")
	f.BoolVar(&r.Entity, "entity", false, "create an entity: its name is unique and it does not decay")
	f.StringVar(&r.Severity, "severity", "", "severity `LEVEL`: critical, high, medium or low")
	f.StringVar(&r.Origin, "origin", "", "`ORIGIN` of the memory: mistake, failure or feedback")
	f.StringArrayVar(&r.AppliesTo, "applies-to", nil, "`SCOPE` the memory applies to; may be repeated")
	f.StringVar(&r.Retention, "retention", "", "`RETENTION`: core, permanent or temporary")
	f.BoolVar(&r.Gate, "gate", false, "store the memory only if the relevance filter accepts it; see --explain")
	f.BoolVar(&r.Explain, "explain", false, "show the score of the relevance filter and the reasons")
	f.BoolVar(&r.Common, "common", false, "the situation is common, which raises the score")
	c.RunE = answers(a, func(ctx context.Context, u *app.UseCases, args []string) (_ app.RememberAnswer, err error) {
		if r.Content, err = a.text(args[0]); err != nil {
			return app.RememberAnswer{}, err
		}
		r.Details = details()
		return u.Remember(ctx, r)
	}, a.showRemembered)
	return c
}

func (a *cli) showRemembered(done app.RememberAnswer) {
	if done.Rejected != nil {
		a.showRejected(*done.Rejected)
		return
	}
	s := done.Stored
	a.showCapture(s.CaptureAnswer)
	if s.Score != nil && !a.quiet {
		a.showJudgement(*s.Score, *s.Threshold, s.Reasons)
	}
}

func (a *cli) showRejected(r app.RejectedAnswer) {
	if a.quiet {
		return
	}
	verb := a.verbFor("not stored", "would not be stored")
	if r.DuplicateOf != "" {
		a.printf("%s: it is a duplicate of %s\n", verb, short(r.DuplicateOf))
	} else {
		a.printf("%s: its score of %g is below the threshold of %g\n", verb, r.Score, r.Threshold)
	}
	a.showJudgement(r.Score, r.Threshold, r.Reasons)
}

func (a *cli) showJudgement(got, threshold float64, reasons []string) {
	a.printf("  %s\n", a.dim("score "+score(got)+" of "+score(threshold)))
	for _, reason := range reasons {
		a.printf("  %s\n", flat(reason, 300))
	}
}

func (a *cli) testMemoryCommand() *cobra.Command {
	c, details := a.detailFlags(&cobra.Command{
		Use: "test-memory CONTENT [ENERGY] [TIER]", Short: "Create a test memory in the test brain",
		Args: between(1, 3), // the older form gives energy and tier by position
	})
	amount := c.Flags().String("energy", "", "initial `ENERGY` (default 1.0)")
	tier := c.Flags().String("tier", "", "initial `TIER`: working, shortTerm, longTerm or core")
	age := c.Flags().String("age", "", "`DURATION` since it had that energy: 20h, 3d")
	c.PreRun = func(*cobra.Command, []string) { a.testOnly = true }
	c.RunE = answers(a, func(ctx context.Context, u *app.UseCases, args []string) (app.CaptureAnswer, error) {
		for i, flag := range []*string{amount, tier} {
			if *flag == "" && len(args) > i+1 {
				*flag = args[i+1]
			}
		}
		r, err := testMemory(*amount, *tier, *age)
		if err == nil {
			r.Content, err = a.text(args[0])
		}
		if err != nil {
			return app.CaptureAnswer{}, err
		}
		r.Details = details()
		return u.CreateTestMemory(ctx, r)
	}, a.showCapture)
	return c
}

// testMemory is a test memory of an energy, a tier and an age; each may be empty.
func testMemory(amount, tier, age string) (r app.TestMemoryRequest, err error) {
	if amount != "" {
		e, err := parseEnergy(amount)
		if err != nil {
			return r, err
		}
		r.Energy = &e
	}
	if tier != "" {
		if r.Tier, err = parseTier(tier); err != nil {
			return r, err
		}
	}
	if age != "" {
		if r.Age, err = moment.ParseDuration(age); err != nil {
			return r, usage("write it as 20h, 90m or 3d; at most "+moment.FormatDuration(moment.MaxDuration), "--age: %v", err)
		}
	}
	return r, nil
}
