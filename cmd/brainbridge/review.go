package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/integration/app"
)

func (a *cli) reviewCommand() *cobra.Command {
	c := parent("review", "Decide on pairs, merges and candidates for core memory", nil,
		command("show ID", "Show an item and the text of its memories", answersTo(a, (*app.UseCases).ReviewItem, &a.typed, a.showReviewItem)),
		a.decideCommand())
	c.Long = "List what waits for a verdict of yours or of your agent, newest first:\n\n" +
		"  pair   two statements that may not both hold: newer, older, both or same\n" +
		"  merge  memories that say much the same: same or both; of two also newer or older\n" +
		"  core   a candidate for core memory: accept or reject"
	all := c.Flags().Bool("all", false, "include decided and closed items")
	c.RunE = answersTo(a, (*app.UseCases).Review, all, a.showReview)
	return c
}

func (a *cli) decideCommand() *cobra.Command {
	c := changing(command("decide ID VERDICT", "Decide on an item", nil))
	c.Long = `Decide on an item of the review queue. Each verdict is a run, and ` + "`undo`" + ` reopens the item.

  newer, older    of a pair: that memory replaces the other one, see ` + "`replace`" + `
  both            of a pair or a merge: all hold, and you are not asked again
  same            of a pair or a merge: they become one memory; with --text it says that,
                  which must be what they say
  accept, reject  of a candidate for core memory`
	text := c.Flags().String("text", "", "`TEXT` of the one memory, with the verdict same")
	c.RunE = answers(a, func(ctx context.Context, u *app.UseCases, args []string) (app.DecideAnswer, error) {
		if c.Flags().Changed("text") && strings.TrimSpace(*text) == "" {
			return app.DecideAnswer{}, usage("leave --text out, or give a text", "the text is empty")
		}
		return u.Decide(ctx, args[0], args[1], *text)
	}, func(done app.DecideAnswer) {
		if a.printQuiet(done.Item.ID) {
			return
		}
		a.printf("%s: %s, %s\n", a.verb("decided"), done.Item.Kind, done.Item.Verdict)
		a.showUndo(done.RunID)
	})
	return c
}

// peopleReviews is how many items a list shows people.
const peopleReviews = 50

func (a *cli) showReview(found app.ReviewAnswer) {
	items := found.Items
	if len(items) == 0 {
		a.printf("there is nothing to decide\n")
		return
	}
	for i, item := range items[:min(len(items), peopleReviews)] {
		if a.printQuiet(item.ID) {
			continue
		}
		if i > 0 {
			a.printf("\n")
		}
		a.reviewHead(item)
		for n, id := range item.Memories {
			v, exists := found.Memories[id]
			text := v.Date + " " + v.MemoryType + ": " + flat(found.Statement(id), 100)
			if !exists {
				text = "(no longer exists)"
			}
			a.printf("  %s%s  %s\n", side(item, n), text, a.dim(brain.ShortID(id)))
		}
		if item.Proposed != nil && item.Kind == brain.ReviewMerge {
			a.printf("  proposed: %s\n", flat(item.Proposed.Content, 100))
		}
		a.reviewFoot(item)
	}
	if more := len(items) - peopleReviews; more > 0 {
		a.say("%d more; --json lists all", more)
	}
}

func (a *cli) reviewHead(item app.ReviewItem) {
	state := ""
	if item.State != brain.ReviewPending {
		state = ", " + string(item.State)
		if item.Verdict != "" {
			state += ": " + string(item.Verdict)
		}
	}
	a.printf("%s  %s%s, %s: %s\n", a.bold(brain.ShortID(item.ID)), item.Kind, state, at(item.Created), flat(item.Reason, 100))
}

// reviewFoot prints what to type to decide on an item.
func (a *cli) reviewFoot(item app.ReviewItem) {
	if item.State != brain.ReviewPending {
		return
	}
	line := "brainbridge review decide " + brain.ShortID(item.ID) + " " + strings.Join(item.Verdicts(), "|")
	if item.Kind == brain.ReviewMerge {
		line += " [--text TEXT]"
	}
	a.printf("  %s\n", a.dim(line))
}

// side returns which of two sides the nth memory of an item is.
func side(item app.ReviewItem, n int) string {
	if !item.HasSides() {
		return ""
	}
	return []string{"newer: ", "older: "}[min(n, 1)]
}

// textOf returns the text of a memory, with its name if that is not in it.
func textOf(v brain.View) string {
	if strings.Contains(v.Content, v.Name) {
		return v.Content
	}
	return v.Name + ": " + v.Content
}

func (a *cli) showReviewItem(found app.ReviewItemAnswer) {
	item, views := found.Items[0], found.Memories
	if a.printQuiet(item.ID) {
		return
	}
	a.reviewHead(item)
	for n, v := range views {
		project := ""
		if v.Project != "" {
			project = ", project " + string(v.Project)
		}
		a.printf("\n  %s%s  %s, %s, %s%s\n", side(item, n), a.bold(brain.ShortID(v.ID)), v.MemoryType, *v.Tier, at(v.Created), project)
		a.printf("%s\n", indented(textOf(v), "    "))
	}
	if gone := len(item.Memories) - len(views); gone > 0 {
		a.printf("\n  %s no longer there\n", counted(gone, "memory"))
	}
	if item.Proposed != nil && item.Kind == brain.ReviewMerge {
		a.printf("\n  %s\n%s\n", a.bold("proposed"), indented(item.Proposed.Content, "    "))
	}
	if item.State == brain.ReviewPending {
		a.printf("\n")
	}
	a.reviewFoot(item)
}
