package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/moment"
	"github.com/brainbridge/brainbridge/brain/plaintext"
	"github.com/brainbridge/brainbridge/brain/recall"
	"github.com/brainbridge/brainbridge/integration/app"
)

func (a *cli) recallCommand() *cobra.Command {
	c := command("recall QUERY", "Search memories and notes", nil)
	c.Args = atLeast(1)
	var r app.RecallRequest
	var project string
	var explain bool
	f := c.Flags()
	countVar(f, &r.Limit, "limit", 10, "return at most `N` results")
	countVar(f, &r.Budget, "budget", 0, "maximum size of the results in `TOKENS` (default: no limit)")
	f.StringArrayVar(&r.Types, "type", nil, "only this `TYPE`; may be repeated; section is prose from notes")
	tierFlag(f, &r.Tiers, "only this `TIER`; may be repeated")
	f.StringArrayVar(&r.Tags, "tag", nil, "only results with this `TAG`; may be repeated")
	f.StringVar(&project, "project", "", "only this `PROJECT`; '' for results without one (default: all)")
	timeVar(f, &r.Since, "since", "created since `TIME`: 2026-03-01, 7d, \"two weeks ago\"")
	timeVar(f, &r.Until, "until", "created until `TIME`")
	timeVar(f, &r.AsOf, "as-of", "search memories as of `TIME`; excludes sections, which have no history")
	f.BoolVar(&r.ActiveOnly, "active-only", false, "exclude expired memories")
	f.BoolVar(&r.Transcripts, "transcripts", false, "also search the transcripts of past days")
	countVar(f, &r.Related, "related", 0, "add up to `N` memories related to the results, in one or two steps")
	f.BoolVar(&r.NoTouch, "no-touch", false, "do not count this as use")
	f.BoolVar(&explain, "explain", false, "explain why each result was found")
	c.RunE = answers(a, func(ctx context.Context, u *app.UseCases, args []string) (recall.Recollection, error) {
		r.Project = ifGiven(c, "project", &project)
		r.Query = strings.Join(args, " ")
		return u.Recall(ctx, r)
	}, func(found recall.Recollection) { a.showRecalled(found, explain) })
	return c
}

// ifGiven is the value of a flag, nil where it was not given.
func ifGiven[T any](c *cobra.Command, flag string, value *T) *T {
	if !c.Flags().Changed(flag) {
		return nil
	}
	return value
}

// timeVar defines an option for a time, which may not be empty.
func timeVar(f *pflag.FlagSet, text *string, name, usage string) {
	f.Func(name, usage, func(given string) (err error) {
		if *text = given; given == "" {
			_, _, err = moment.Parse("", time.Time{}, moment.Past)
			err = app.BadTime("--"+name, moment.Past, err)
		}
		return err
	})
}

// countVar defines an option that is a number above 0, or 0 if that is its default.
func countVar(f *pflag.FlagSet, n *int, name string, value int, usage string) {
	*n = value
	f.Var((*count)(n), name, usage)
}

// count is the value of such an option.
type count int

// Set reads the number.
func (n *count) Set(text string) error {
	i, err := strconv.Atoi(text)
	if err == nil && i < 1 {
		err = strconv.ErrRange
	}
	*n = count(i)
	return err
}

func (n *count) String() string { return strconv.Itoa(int(*n)) }

// Type is its name in [wantedBy].
func (*count) Type() string { return "count" }

func (a *cli) showRecalled(found recall.Recollection, explain bool) {
	if a.quiet {
		for _, r := range found.Results {
			a.printf("%s\n", r.Memory.ID)
		}
		return
	}
	heldBack := found.HeldBack["overBudget"]
	if len(found.Results) == 0 && heldBack > 0 {
		a.printf("found %s, which did not fit the budget\n", counted(heldBack, "answer"))
		a.next("use a larger --budget")
		return
	}
	if tooCommon := found.TooCommon(); tooCommon != "" {
		a.printf("%s\n", tooCommon)
		return
	}
	if len(found.Results) == 0 {
		a.printf("nothing found\n")
		a.next("fewer or other words may find it; `brainbridge list --all` shows everything")
		return
	}
	if searched := found.Searched(); searched != "" {
		a.printf("%s\n\n", a.dim(searched))
	}
	for i, r := range found.Results {
		if i > 0 {
			a.printf("\n")
		}
		a.showFound(r, explain)
	}
	if heldBack > 0 {
		a.printf("\n%s\n", a.dim(fmt.Sprintf("%s more did not fit the budget", counted(heldBack, "answer"))))
	}
}

// showFound prints title, unless the excerpt says it, excerpt and facts of a memory.
func (a *cli) showFound(r recall.Recalled, explain bool) {
	if r.Excerpt == "" || !plaintext.Says(r.Excerpt, plaintext.OneLine(r.Memory.Name)) {
		a.printf("%s\n", a.marked(r.Title.Text, r.Title.Marks))
		if r.Excerpt != "" {
			a.printf("  %s\n", a.marked(r.Excerpt, r.Marks))
		}
	} else {
		a.printf("%s\n", strings.TrimPrefix(a.marked(r.Excerpt, r.Marks), plaintext.QuoteMark))
	}
	found := facts(r.Memory) + path(r.Why.Path)
	if r.Why.Meaning {
		found += " · near in meaning"
	}
	a.printf("  %s\n", a.dim(found))
	if explain {
		a.printf("  %s\n", a.dim(reasons(r)))
	}
}

// marked prints the words that matched in bold.
func (a *cli) marked(text string, marks []recall.Mark) string {
	var out strings.Builder
	at := 0
	for _, m := range marks {
		out.WriteString(text[at:m.Start] + a.bold(text[m.Start:m.End]))
		at = m.End
	}
	return out.String() + text[at:]
}

// facts returns id, kind, date, project, place and state of a memory on one line.
func facts(m brain.View) string {
	parts := []string{brain.ShortID(m.ID), m.MemoryType, m.Date}
	if m.Project != "" {
		parts = append(parts, string(m.Project))
	}
	if m.Source != nil {
		parts = append(parts, placed(*m.Source))
	}
	if m.Done != nil {
		parts = append(parts, "done")
	}
	return strings.Join(parts, " · ")
}

// path says by which relations a memory was reached.
func path(relations []brain.Relation) string {
	steps := brain.Map(relations, func(r brain.Relation) string {
		return " · " + brain.ShortID(r.From) + " " + r.Type + " " + brain.ShortID(r.To)
	})
	return strings.Join(steps, "")
}

// reasons explains the rank of a memory.
func reasons(r recall.Recalled) string {
	parts := []string{fmt.Sprintf("why: score %.2f, words %.2f", r.Score, r.Why.Words)}
	if r.Score == 0 {
		parts[0] = "why: related to a result"
	}
	if r.Why.Vector != 0 {
		parts = append(parts, fmt.Sprintf("meaning %+.2f", r.Why.Vector))
	}
	if r.Why.OtherProject > 0 {
		parts = append(parts, fmt.Sprintf("%.1f for another project", r.Why.OtherProject))
	}
	if r.Why.Collected > 0 {
		parts = append(parts, fmt.Sprintf("%.1f for collected material", r.Why.Collected))
	}
	if r.Why.Gone > 0 {
		parts = append(parts, fmt.Sprintf("%.1f because no note says it any more", r.Why.Gone))
	}
	if r.Memory.Tier != nil {
		parts = append(parts, string(*r.Memory.Tier)+" "+energy(*r.Memory.Energy))
	}
	return strings.Join(parts, ", ")
}

func (a *cli) contextCommand() *cobra.Command {
	c := command("context", "Print what an agent should know at the start of a session", nil)
	var r app.ContextRequest
	countVar(c.Flags(), &r.Budget, "budget", 2000, "maximum size in `TOKENS`")
	project := c.Flags().String("project", "", "`PROJECT` of the session (default: the name of the git work tree)")
	c.RunE = answers(a, func(ctx context.Context, u *app.UseCases, _ []string) (recall.Context, error) {
		r.Project = ifGiven(c, "project", project)
		return u.Context(ctx, r)
	}, func(found recall.Context) { a.printf("%s", found.Text) })
	return c
}

func (a *cli) queryCommand() *cobra.Command {
	c := command("query CYPHER", "Run a Cypher query (Neo4j only)", nil)
	c.Long = "Run a Cypher query. Unless --write is given, it may only read the graph: no LOAD CSV, no\nprocedures that read files, use the network or change the server. $brain is the name of\nthis brain; a query that does not use it sees the whole database. What a query changes is what\nbrainbridge reads next."
	write := c.Flags().Bool("write", false, "allow the query to write and to load")
	c.RunE = answers(a, func(ctx context.Context, u *app.UseCases, args []string) (app.QueryAnswer, error) {
		return u.Query(ctx, args[0], *write)
	}, a.showRows)
	return c
}

func (a *cli) showRows(answer app.QueryAnswer) {
	if len(answer.Columns) == 0 {
		a.printf("done\n")
		return
	}
	t := table{head: answer.Columns}
	for _, row := range answer.Rows {
		t.row(brain.Map(row, func(v any) string { return flat(cell(v), 60) })...)
	}
	a.print(t)
	a.next("%s; --json prints values whole", counted(len(answer.Rows), "row"))
}

func cell(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case nil:
		return ""
	}
	raw, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(raw)
}
