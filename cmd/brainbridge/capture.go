package main

import (
	"cmp"
	"context"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/moment"
	"github.com/brainbridge/brainbridge/integration/app"
)

// captureCommand returns a command that captures its arguments. It has the options of every capture.
func captureCommand[A any](a *cli, c *cobra.Command, capture func(ctx context.Context, u *app.UseCases, args []string, d app.Details) (A, error), show func(A)) *cobra.Command {
	var d app.Details
	f := c.Flags()
	project := f.String("project", "", "`PROJECT` of the memory (default: the name of the git work tree)")
	f.StringArrayVar(&d.Tags, "tag", nil, "add a `TAG`; may be repeated")
	f.StringVar(&d.Importance, "importance", "", "importance `LEVEL`: critical, important or reference")
	f.StringArrayVar(&d.Relate, "relate", nil, "add the relation `TYPE:ID`; may be repeated")
	switch c.Name() {
	case "remember", "learn", "crystallize", "outcome":
		f.StringArrayVar(&d.Replaces, "replaces", nil, "hold instead of the memory `ID`; may be repeated")
	}
	c.RunE = func(c *cobra.Command, args []string) error {
		u, err := a.use()
		if err != nil {
			return err
		}
		if f.Changed("project") {
			d.Project = project
		}
		done, err := capture(c.Context(), u, args, d)
		if err != nil {
			return err
		}
		return a.answer(done, func() { show(done) })
	}
	return changing(c)
}

func (a *cli) crystallizeCommand() *cobra.Command {
	c := command("crystallize TRIGGER INSIGHT", "Capture an insight and when to recall it", nil)
	c.Args = twoTexts
	return captureCommand(a, c, func(ctx context.Context, u *app.UseCases, args []string, d app.Details) (app.CaptureAnswer, error) {
		return u.Capture(ctx, brain.Source{Kind: brain.Crystallization, Trigger: args[0], Insight: strings.Join(args[1:], " ")}, d)
	}, a.showCapture)
}

func (a *cli) learnCommand() *cobra.Command {
	c := command("learn CONCEPT TEXT", "Capture what you learned about a concept", nil)
	c.Args = twoTexts
	return captureCommand(a, c, func(ctx context.Context, u *app.UseCases, args []string, d app.Details) (app.CaptureAnswer, error) {
		return u.Capture(ctx, brain.Source{Kind: brain.Learning, Concept: args[0], Learned: strings.Join(args[1:], " ")}, d)
	}, a.showCapture)
}

func (a *cli) activityCommand() *cobra.Command {
	c := command("activity TYPE DESCRIPTION", "Record an activity without creating a memory", nil)
	c.Args = atLeast(2)
	return captureCommand(a, c, func(ctx context.Context, u *app.UseCases, args []string, d app.Details) (app.CaptureAnswer, error) {
		return u.Capture(ctx, brain.Source{Kind: brain.Activity, Type: args[0], Description: strings.Join(args[1:], " ")}, d)
	}, a.showCapture)
}

func (a *cli) remindCommand() *cobra.Command {
	var due string
	c := command("remind TEXT", "Create a reminder; `done ID` closes it", nil)
	c.Long = "Create a reminder; `done ID` closes it. Without --due it is due when its text says so:\n\"by friday\", \"until 24 December\", \"tomorrow\"."
	c.Args = atLeast(1)
	c.Flags().StringVar(&due, "due", "", "due `TIME`: "+moment.Future.Examples())
	return captureCommand(a, c, func(ctx context.Context, u *app.UseCases, args []string, d app.Details) (app.CaptureAnswer, error) {
		return u.Remind(ctx, strings.Join(args, " "), due, d)
	}, a.showCapture)
}

func (a *cli) outcomeCommand() *cobra.Command {
	c := command("outcome TYPE TITLE [BODY|-]", "Append an outcome to today's note and ingest it", nil)
	c.Long = c.Short + ". TYPE is decision, implementation,\ndiscovery, issue, resolution, lesson or a word of your own."
	return captureCommand(a, c, func(ctx context.Context, u *app.UseCases, args []string, d app.Details) (app.CaptureAnswer, error) {
		if len(args) > 2 {
			if err := brain.CheckText("the text", args[2]); err != nil {
				return app.CaptureAnswer{}, err
			}
		}
		return u.WriteOutcome(ctx, args[0], args[1], first(args[2:]), d)
	}, a.showCapture)
}

func (a *cli) doneCommand() *cobra.Command {
	c := changing(command("done ID", "Close or reopen a reminder", nil))
	undo := c.Flags().Bool("undo", false, "reopen the reminder")
	c.RunE = answers(a, func(ctx context.Context, u *app.UseCases, args []string) (app.DoneAnswer, error) {
		return u.Done(ctx, args[0], *undo)
	}, func(done app.DoneAnswer) {
		switch {
		case a.printQuiet(done.SourceID):
		case *undo:
			a.printf("%s: %s\n", a.verb("open again"), flat(done.Text, 60))
		default:
			a.printf("%s: %s\n", a.verb("done"), flat(done.Text, 60))
			if !a.dryRun {
				a.printf("%s\n", a.dim("undo it with: brainbridge done "+brain.ShortID(done.SourceID)+" --undo"))
			}
		}
	})
	return c
}

// verb returns the verb for what was done or, in a dry run, would be done.
func (a *cli) verb(past string) string { return a.verbFor(past, "would be "+past) }

func (a *cli) showCapture(done app.CaptureAnswer) {
	id := cmp.Or(done.MemoryID, done.SourceID)
	if a.quiet && !a.dryRun {
		a.printf("%s\n", id)
		return
	}
	verb := "captured"
	switch {
	case done.Known != "":
		verb = "known"
	case a.dryRun:
		verb = "would capture"
	case done.Spooled:
		verb = "spooled"
	}
	line := verb + " " + done.Kind + ": " + a.bold(flat(done.Title, 60))
	if id != "" {
		line += " [" + brain.ShortID(string(id)) + "]"
	}
	a.printf("%s\n", line)
	switch {
	case id == "":
	case !done.Due.IsZero():
		a.printf("  due %s\n", a.dueAt(done.Due))
	case done.Kind == "reminder" && done.Known == "":
		a.printf("  no due date; --due TIME sets one\n")
	}
	if done.Note != "" {
		a.printf("  %s\n", a.dim("in "+done.Note))
	}
	for _, old := range done.Replaced {
		a.printf("replaced %s\n", brain.ShortID(old))
	}
	for _, m := range done.Similar {
		a.printf("%s\n", m.Line())
	}
	if advice := done.Advice(); advice != "" && id != "" {
		a.printf("%s\n", advice)
	}
}

// dueAt is when a reminder is due: a day, or a time of day where it is not midnight.
func (a *cli) dueAt(due time.Time) string {
	local := due.Local()
	if wholeDay(due) {
		past := ""
		if !a.clock().Before(due.AddDate(0, 0, 1)) {
			past = ", which is past"
		}
		return local.Format("Monday, 2006-01-02") + past
	}
	return local.Format("Monday, 2006-01-02 15:04") + " (" + ago(due, a.clock()) + ")"
}

// wholeDay reports whether a due date is a day without a time.
func wholeDay(due time.Time) bool {
	local := due.Local()
	return local.Hour() == 0 && local.Minute() == 0
}

// score is a score as people see it.
func score(n float64) string { return strings.TrimSuffix(energy(n), ".00") }

func (a *cli) rememberCommand() *cobra.Command {
	c := command("remember TEXT|-", "Capture any text", nil)
	c.Args = atLeast(1)
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
	return captureCommand(a, c, func(ctx context.Context, u *app.UseCases, args []string, d app.Details) (app.RememberAnswer, error) {
		r.Content, r.Details = strings.Join(args, " "), d
		return u.Remember(ctx, r)
	}, a.showRemembered)
}

func (a *cli) showRemembered(done app.RememberAnswer) {
	if !done.Rejected {
		a.showCapture(*done.CaptureAnswer)
	}
	r := done.Judgement
	if r == nil || a.quiet {
		return
	}
	switch verb := a.verbFor("not stored", "would not be stored"); {
	case r.DuplicateOf != "":
		a.printf("%s: it is a duplicate of %s\n", verb, brain.ShortID(r.DuplicateOf))
	case done.Rejected:
		a.printf("%s: its score of %g is below the threshold of %g\n", verb, r.Score, r.Threshold)
	}
	a.printf("  %s\n", a.dim("score "+score(r.Score)+" of "+score(r.Threshold)))
	for _, reason := range r.Reasons {
		a.printf("  %s\n", flat(reason, 300))
	}
}

func (a *cli) testMemoryCommand() *cobra.Command {
	// The older form gives energy and tier by position.
	c := command("test-memory CONTENT [ENERGY] [TIER]", "Create a test memory in the test brain", nil)
	var r app.TestMemoryRequest
	c.Flags().Func("energy", "initial `ENERGY` (default 1.0)", func(text string) error {
		e, err := parseEnergy(text)
		r.Energy = &e
		return err
	})
	c.Flags().Func("tier", "initial `TIER`: working, shortTerm, longTerm or core", func(text string) (err error) {
		r.Tier, err = parseTier(text)
		return err
	})
	c.Flags().Func("age", "`DURATION` since it had that energy: 20h, 3d", func(text string) (err error) {
		if r.Age, err = moment.ParseDuration(text); err != nil {
			return usage("write it as 20h, 90m or 3d; at most "+moment.FormatDuration(moment.MaxDuration), "--age: %v", err)
		}
		return nil
	})
	c.PreRun = func(*cobra.Command, []string) { a.testOnly = true }
	return captureCommand(a, c, func(ctx context.Context, u *app.UseCases, args []string, d app.Details) (app.CaptureAnswer, error) {
		for i, value := range args[1:] {
			if err := c.Flags().Set([]string{"energy", "tier"}[i], value); err != nil {
				return app.CaptureAnswer{}, flagError(c, err)
			}
		}
		r.Content, r.Details = args[0], d
		return u.CreateTestMemory(ctx, r)
	}, a.showCapture)
}
