package main

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/brainbridge/brainbridge/integration/app"
)

func (a *cli) auditCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "audit", Short: "Count junk, duplicate, stale, redacted and rejected memories", Args: noArgs,
	}
	limit := c.Flags().Int("limit", 20, "show at most `N` recent rejections")
	c.RunE = answers(a, func(ctx context.Context, u *app.UseCases, _ []string) (app.AuditAnswer, error) {
		if err := positive(c, "limit", *limit); err != nil {
			return app.AuditAnswer{}, err
		}
		return u.Audit(ctx, *limit)
	}, func(audit app.AuditAnswer) { a.showAudit(audit, a.clock()) })
	return c
}

func (a *cli) showAudit(audit app.AuditAnswer, now time.Time) {
	t := table{head: []string{"WHAT", "COUNT", "OF", "SHARE", "MEANS"}, right: "COUNT OF SHARE"}
	for _, r := range audit.Rates {
		of, share := "", ""
		if r.Of != nil {
			of = strconv.Itoa(*r.Of)
		}
		if r.Percent != nil {
			share = fmt.Sprintf("%.1f %%", *r.Percent)
		}
		t.row(r.Name, strconv.Itoa(r.Count), of, share, r.What)
	}
	if a.quiet {
		a.printf("%d\n", audit.Rates[0].Count)
		return
	}
	a.print(t)
	if len(audit.Rejections) == 0 {
		return
	}
	a.printf("\n")
	t = table{head: []string{"REJECTED", "CAUSE", "SCORE", "TEXT", "WHY"}, right: "SCORE"}
	for _, r := range audit.Rejections {
		why := ""
		if len(r.Reasons) > 0 {
			why = r.Reasons[0]
		}
		t.row(ago(r.At, now), r.Cause, score(r.Score), flat(r.Name, 40), flat(why, 60))
	}
	a.print(t)
}
