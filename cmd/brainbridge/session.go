package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/health"
	"github.com/brainbridge/brainbridge/integration/app"
)

func (a *cli) goodbyeCommand() *cobra.Command {
	var session string
	var detached bool
	c := changing(command("goodbye", "End a session: settle, write MEMORY.md, record the session", nil))
	c.Long = "End a session: settle, write MEMORY.md, ingest the files listed in session.files, and\nrecord the session as an activity. The SessionEnd hook does the same."
	c.Flags().StringVar(&session, "session", "", "`ID` of the session (default: $BRAINBRIDGE_SESSION, or the latest session)")
	c.Flags().BoolVar(&detached, "detached", false, "write errors only to hooks.log")
	c.Flags().Lookup("detached").Hidden = true
	goodbye := answersTo(a, (*app.UseCases).Goodbye, &session, func(g app.GoodbyeAnswer) {
		more := ""
		if g.Reflection != nil && g.Reflection.Summary() != "" {
			more = "; reflection: " + g.Reflection.Summary()
		}
		a.printf("%s; %d promoted, %d expired%s\n", g.Line(), g.Promoted, g.Expired, more)
	})
	c.RunE = func(c *cobra.Command, args []string) error {
		err := goodbye(c, args)
		if err != nil && detached {
			a.logHook(err)
			return nil
		}
		return err
	}
	return c
}

func (a *cli) attentionCommand() *cobra.Command {
	c := changing(command("attention [--focus=TOPIC] [--reset]", "Show or set the topic of the session and the topic weights", nil))
	c.Long = `Show the topic of the session and the current weight of each topic. --focus sets
a new topic: the weights of earlier topics decrease and those of related topics
increase. --reset clears the topic and all weights. The file session-context.json
has the same data.`
	focus := c.Flags().String("focus", "", "set the `TOPIC` of the session")
	reset := c.Flags().Bool("reset", false, "clear the topic and all weights")
	c.RunE = answers(a, func(ctx context.Context, u *app.UseCases, _ []string) (app.AttentionAnswer, error) {
		return u.Attention(ctx, app.AttentionRequest{Focus: ifGiven(c, "focus", focus), Reset: *reset})
	}, a.showAttention)
	return c
}

func (a *cli) showAttention(s app.AttentionAnswer) {
	switch {
	case a.dryRun && s.Focus == nil:
		a.printf("would clear focus and weights\n")
	case s.Focus == nil:
		a.printf("there is no focus; `brainbridge attention --focus TOPIC` sets one\n")
	case a.dryRun:
		a.printf("the focus would be %s\n", flat(s.Focus.Topic, 60))
	default:
		a.printf("focus: %s, set %s\n", flat(s.Focus.Topic, 60), ago(s.Focus.Since, a.clock()))
	}
	if a.quiet || len(s.Weights) == 0 {
		return
	}
	t := table{head: []string{"TOPIC", "WEIGHT"}, right: "WEIGHT"}
	for _, topic := range s.Topics {
		t.row(flat(topic, 60), energy(s.Weights[topic]))
	}
	a.print(t)
}

func (a *cli) reflectCommand() *cobra.Command {
	c := changing(command("reflect [--quick|--beliefs|--memories|--last]", "Report which memories helped and which did not", nil))
	c.Long = `Report how useful memory has been since the last reflection: memories that helped
and that did not, statements that were not captured, evidence for and against core
memories, and statistics. --quick covers only this session; --beliefs and --memories
print only that part. None of the three counts as a reflection. goodbye reflects
every 10 sessions; --last shows the most recent result.`
	parts := map[health.ReflectionScope]*bool{
		health.Quick:    c.Flags().Bool("quick", false, "cover only this session"),
		health.Beliefs:  c.Flags().Bool("beliefs", false, "show only the evidence for and against core memories"),
		health.Memories: c.Flags().Bool("memories", false, "show only which memories helped and which did not"),
	}
	last := c.Flags().Bool("last", false, "show the last full reflection again")
	c.RunE = answers(a, func(ctx context.Context, u *app.UseCases, _ []string) (health.Reflection, error) {
		if err := exclusive(c, "quick", "beliefs", "memories", "last"); err != nil {
			return health.Reflection{}, err
		}
		if *last {
			return u.LastReflection(ctx)
		}
		scope := health.Deep
		for part, asked := range parts {
			if *asked {
				scope = part
			}
		}
		return u.Reflect(ctx, scope)
	}, a.showReflection)
	return c
}

func (a *cli) showReflection(rep health.Reflection) {
	since := "from the beginning"
	if rep.Since != nil {
		since = "since " + at(*rep.Since)
	}
	if rep.Session != "" {
		since = "session " + string(rep.Session) + ", " + since
	}
	s := rep.Statistics
	if len(rep.HighValue)+len(rep.LowValue)+len(rep.Unsaved)+len(rep.Beliefs) == 0 && (s == nil || s.Sessions+s.MemoriesApplied+s.NewlySaved == 0) {
		a.printf("%s: nothing to report\n", since)
		return
	}
	if s != nil || rep.Unsaved != nil {
		a.printf("%s\n", since)
	}
	a.showRanked("helped most", rep.HighValue)
	a.showRanked("helped least", rep.LowValue)
	if rep.Unsaved != nil {
		a.printf("said but not captured: %d\n", len(rep.Unsaved))
		for _, l := range rep.Unsaved {
			a.printf("  %s, %s: %s\n", at(l.At), l.Type, flat(l.Quote, 200))
		}
	}
	if rep.Beliefs != nil {
		a.printf("core memory: %d\n", len(rep.Beliefs))
	}
	for _, b := range rep.Beliefs {
		a.printf("  %s %s: %s\n", brain.ShortID(b.ID), b.MemoryType, flat(b.Text, 120))
		a.showQuotes("for", b.Supports)
		a.showQuotes("against", b.Contradicts)
	}
	if s != nil {
		a.printf("%s, %s applied, %s, %s saved\n", counted(s.Sessions, "session"), counted(s.MemoriesApplied, "memory"),
			percentHelpful(s.HelpfulRate), counted(s.NewlySaved, "memory"))
		for _, t := range s.Topics {
			a.printf("  %s: %d\n", t.Topic, t.Memories)
		}
	}
}

func (a *cli) showRanked(title string, all []health.Ranked) {
	if all == nil {
		return
	}
	a.printf("%s: %d\n", title, len(all))
	for _, r := range all {
		a.printf("  %s %s: %s of %s\n", brain.ShortID(r.ID), flat(r.Name, 60), percentHelpful(&r.Effectiveness), counted(r.Uses, "use"))
		for _, do := range r.Actions {
			a.printf("    %s\n", a.dim(do))
		}
	}
}

func (a *cli) showQuotes(side string, all []health.Quote) {
	for _, q := range all {
		a.printf("    %s, %s: %q\n", side, brain.ShortID(q.ID), flat(q.Quote, 200))
	}
}

// percentHelpful formats a share of verdicts; nil for none.
func percentHelpful(share *float64) string {
	if share == nil {
		return "no verdict"
	}
	return fmt.Sprintf("%.0f %% helpful", 100**share)
}
