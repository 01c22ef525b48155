package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/brainbridge/brainbridge/brain/consolidate"
)

// consolidateAnswer is the report of a run as programs read it. What this
// version's runs never do is 0 or null.
type consolidateAnswer struct {
	RunID            *string              `json:"runId"`
	DryRun           bool                 `json:"dryRun"`
	Actions          []consolidate.Action `json:"actions"`
	Promoted         int                  `json:"promoted"`
	Decayed          int                  `json:"decayed"`
	Expired          int                  `json:"expired"`
	Merged           int                  `json:"merged"`
	Forgotten        int                  `json:"forgotten"`
	PromotedToCore   int                  `json:"promotedToCore"`
	Flagged          int                  `json:"flagged"`
	RelationsCreated int                  `json:"relationsCreated"`
	Partial          bool                 `json:"partial"`
	Resumed          bool                 `json:"resumed"`
	Clusters         int                  `json:"clusters"`
	Remaining        int                  `json:"remaining"`
	LLMCalls         int                  `json:"llmCalls"`
	Tokens           int                  `json:"tokens"`
	Cost             float64              `json:"cost"`
	Backup           *string              `json:"backup"`
	DurationMs       int64                `json:"durationMs"`
}

func (a *app) consolidateCommand() *cobra.Command {
	c, o := a.runFlags(&cobra.Command{
		Use: "consolidate", Short: "One whole run: promote and expire what is due",
		Long: "One whole run: promote and expire what is due, as of the instant at which it fell due.\n`undo` takes it back; `--dry-run` shows the plan.",
		Args: noArgs,
	})
	o.add(c)
	c.RunE = func(c *cobra.Command, _ []string) error {
		req, err := a.wholeRun(o)
		if err != nil {
			return err
		}
		rep, _, err := a.maintain(c.Context(), *o, func(ctx context.Context, r *consolidate.Runner) (consolidate.Report, error) {
			return r.Run(ctx, req)
		})
		if err != nil {
			return err
		}
		return a.answer(reported(rep), func() { a.showReport(rep) })
	}
	return c
}

func reported(rep consolidate.Report) consolidateAnswer {
	v := consolidateAnswer{
		RunID: textOrNull(rep.RunID), DryRun: rep.DryRun, Actions: rep.Actions, Promoted: len(rep.Promoted),
		Decayed: rep.Decayed, Expired: rep.Expired, Partial: rep.Partial, DurationMs: rep.Duration.Milliseconds(),
	}
	if v.Actions == nil {
		v.Actions = []consolidate.Action{}
	}
	return v
}

// reportLines is how many actions a report shows people.
const reportLines = 20

func (a *app) showReport(rep consolidate.Report) {
	if len(rep.Actions) == 0 {
		a.printf("nothing is due\n")
		return
	}
	a.printf("%s %d, %s %d", a.would("promoted", "would promote"), len(rep.Promoted), a.would("expired", "expire"), rep.Expired)
	if l, err := a.settings(); err == nil && rep.Curated() > 0 {
		a.printf(", %s %s", a.would("wrote", "write"), l.Paths.MemoryMD)
	}
	a.printf("\n")
	if a.quiet {
		return
	}
	a.showActions(rep.Actions)
	if rep.Skipped > 0 {
		a.printf("%s changed meanwhile and were left\n", counted(rep.Skipped, "memory"))
	}
	if rep.RunID != "" {
		a.printf("%s\n", a.dim("undo it with: brainbridge undo "+short(rep.RunID)))
	}
}

func (a *app) showActions(actions []consolidate.Action) {
	t := table{head: []string{"ACTION", "MEMORY", "WHY"}}
	for _, act := range actions[:min(len(actions), reportLines)] {
		t.row(act.Kind, short(first(act.IDs)), flat(act.Reason, 80))
	}
	a.print(t)
	if more := len(actions) - reportLines; more > 0 {
		a.printf("%s\n", a.dim(fmt.Sprintf("… and %d more", more)))
	}
}

func first(ids []string) string {
	if len(ids) == 0 {
		return ""
	}
	return ids[0]
}
