package main

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/moment"
	"github.com/brainbridge/brainbridge/brain/plaintext"
	"github.com/brainbridge/brainbridge/integration/app"
)

func (a *cli) recallCommand() *cobra.Command {
	c := &cobra.Command{Use: "recall QUERY", Short: "Find what you know by its words", Args: atLeastOne}
	var r app.RecallRequest
	var project string
	var only []string
	var explain bool
	f := c.Flags()
	f.IntVar(&r.Limit, "limit", 10, "at most `N`")
	f.IntVar(&r.Budget, "budget", 0, "`TOKENS` that the answer may fill (default: no bound)")
	f.StringArrayVar(&r.Types, "type", nil, "only this `TYPE`; may be repeated (section: text of notes that is no memory)")
	f.StringArrayVar(&only, "tier", nil, "only this `TIER`; may be repeated")
	f.StringArrayVar(&r.Tags, "tag", nil, "only with this `TAG`; may be repeated")
	f.StringVar(&project, "project", "", "only this `PROJECT`; '' for what has none (default: all)")
	f.StringVar(&r.Since, "since", "", "created since `WHEN`: 2026-03-01, 7d, \"two weeks ago\"")
	f.StringVar(&r.Until, "until", "", "created until `WHEN`")
	f.StringVar(&r.AsOf, "as-of", "", "as it was known at `WHEN`; memories alone, sections have no past")
	f.BoolVar(&r.ActiveOnly, "active-only", false, "leave out what has expired")
	f.BoolVar(&r.Transcripts, "transcripts", false, "look in what was said as well: the transcripts of past days")
	f.BoolVar(&r.NoTouch, "no-touch", false, "do not count this as use")
	f.BoolVar(&explain, "explain", false, "say why each answer was found")
	c.RunE = answers(a, func(ctx context.Context, u *app.UseCases, args []string) (app.RecallAnswer, error) {
		r.Project = given(c, "project", &project)
		if err := a.recallFlags(c, &r, only, args); err != nil {
			return app.RecallAnswer{}, err
		}
		return u.Recall(ctx, r)
	}, func(found app.RecallAnswer) { a.showRecalled(found, a.clock(), explain) })
	return c
}

// recallFlags checks the flags of a recall that cobra cannot check, and reads the
// question.
func (a *cli) recallFlags(c *cobra.Command, r *app.RecallRequest, only, args []string) error {
	err := cmp.Or(positive(c, "limit", r.Limit), positive(c, "budget", r.Budget), timesGiven(c, "since", "until", "as-of"))
	if err == nil {
		r.Query, err = a.text(strings.Join(args, " "))
	}
	if err == nil {
		r.Tiers, err = parseTiers(only)
	}
	return err
}

// given is the value of a flag, nil where it was not given.
func given[T any](c *cobra.Command, flag string, value *T) *T {
	if !c.Flags().Changed(flag) {
		return nil
	}
	return value
}

// timesGiven refuses a flag that was given without a time.
func timesGiven(c *cobra.Command, flags ...string) error {
	for _, name := range flags {
		if f := c.Flags().Lookup(name); f != nil && f.Changed && f.Value.String() == "" {
			_, _, err := moment.Parse("", time.Time{}, moment.Past)
			return app.BadTime("--"+name, err)
		}
	}
	return nil
}

// atLeastOne lets a question stand without quotes.
func atLeastOne(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return usage(useLine(c), "%s needs something to look for", c.Name())
	}
	return nil
}

// positive refuses a number that was given and is not above 0.
func positive(c *cobra.Command, flag string, n int) error {
	if n > 0 || n == 0 && !c.Flags().Changed(flag) {
		return nil
	}
	return usage("give a number above 0", "--%s cannot be %d", flag, n)
}

func (a *cli) showRecalled(found app.RecallAnswer, now time.Time, explain bool) {
	if a.quiet {
		for _, r := range found.Results {
			a.printf("%s\n", r.Memory.ID)
		}
		return
	}
	if len(found.Results) == 0 {
		a.printf("nothing found\n")
		a.next("fewer or other words may find it; `brainbridge list --all` shows everything")
		return
	}
	for i, r := range found.Results {
		if i > 0 {
			a.printf("\n")
		}
		a.showFound(r, now, explain)
	}
	if n := found.HeldBack["overBudget"]; n > 0 {
		a.printf("\n%s\n", a.dim(fmt.Sprintf("%s more did not fit the budget", counted(n, "answer"))))
	}
}

// A recall shows people so many lines of a memory, and of a line so many
// characters.
const excerpt, excerptLine = 6, 300

func (a *cli) showFound(r app.Recalled, now time.Time, explain bool) {
	m := r.Memory
	name, content := flat(m.Name, 70), strings.TrimSpace(a.plain(m.Content))
	a.printf("%s\n", a.bold(name))
	a.printf("  %s\n", a.dim(facts(m, now)))
	if explain {
		expired := ""
		if r.Why.Expired {
			expired = ", expired"
		}
		a.printf("  %s\n", a.dim(fmt.Sprintf("why: its words, bm25 %.3f, %.2f of the best%s", r.Why.BM25, r.Score, expired)))
	}
	if flat(content, 70) == name {
		return
	}
	lines := strings.Split(content, "\n")
	for i := range lines[:min(len(lines), excerpt)] {
		lines[i] = plaintext.Shorten(lines[i], excerptLine)
	}
	if len(lines) > excerpt {
		lines = append(lines[:excerpt-1], a.dim(fmt.Sprintf("… %d more lines: brainbridge show %s", len(lines)-excerpt+1, short(m.ID))))
	}
	a.printf("%s\n", indented(strings.Join(lines, "\n"), "  "))
}

// facts are id, type, life and place of a memory on one line.
func facts(m brain.View, now time.Time) string {
	parts := []string{short(m.ID), m.MemoryType}
	if m.Tier != nil {
		parts = append(parts, string(*m.Tier)+" "+energy(*m.Energy))
	}
	if m.Project != nil {
		parts = append(parts, *m.Project)
	}
	if m.Source != nil {
		parts = append(parts, placed(*m.Source))
	}
	return strings.Join(append(parts, ago(m.Created, now)), " · ")
}
