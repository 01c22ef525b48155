package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/integration/app"
)

func (a *cli) reviewCommand() *cobra.Command {
	return parent("review", "Decide what a run did not decide by itself",
		a.reviewListCommand(), a.reviewShowCommand(), a.reviewAcceptCommand(), a.reviewRejectCommand())
}

func (a *cli) reviewListCommand() *cobra.Command {
	var r app.ReviewsRequest
	c := &cobra.Command{Use: "list", Short: "What waits for a decision, newest first", Args: noArgs}
	all := c.Flags().Bool("all", false, "what was decided too, and what cannot be any more")
	c.Flags().StringVar(&r.State, "state", string(brain.ReviewPending), "the `STATE`: pending, accepted, rejected or outdated")
	c.Flags().StringVar(&r.Kind, "kind", "", "one `KIND` alone: merge, conflict, llm-merge or core")
	c.Flags().IntVar(&r.Limit, "limit", 0, "at most `N` (default: all with --json, else 50)")
	c.RunE = func(c *cobra.Command, args []string) error {
		if *all {
			r.State = ""
		}
		return a.reviews(r)(c, args)
	}
	return c
}

// peopleReviews is how many items a list shows people, unless they ask for more.
const peopleReviews = 50

// reviews returns the function of a command that lists items of the queue.
func (a *cli) reviews(r app.ReviewsRequest) func(*cobra.Command, []string) error {
	return answers(a, func(ctx context.Context, u *app.UseCases, _ []string) (app.ReviewsAnswer, error) {
		if r.Limit == 0 && !a.json {
			r.Limit = peopleReviews
		}
		return u.Reviews(ctx, r)
	}, a.showReviews)
}

func (a *cli) showReviews(found app.ReviewsAnswer) {
	items, total := found.Items, found.Total
	if len(items) == 0 {
		a.printf("nothing waits for a decision\n")
		return
	}
	for _, item := range items {
		if a.quiet {
			a.printf("%s\n", item.ID)
			continue
		}
		a.reviewHead(item)
		for _, id := range item.Memories {
			a.printf("  %s  %s\n", short(id), flat(textOf(found.MemoriesByID, id), 100))
		}
		if item.Proposed != nil {
			a.printf("  proposed  %s\n", flat(item.Proposed.Content, 100))
		}
	}
	if more := total - len(items); more > 0 {
		a.say("%d more; --limit %d shows them all", more, total)
	}
	a.next("decide with: brainbridge review accept %s, or reject", short(items[0].ID))
}

func (a *cli) reviewHead(item app.ReviewItem) {
	state := ""
	if item.State != brain.ReviewPending {
		state = ", " + string(item.State)
		if item.Decision != nil && *item.Decision != string(item.State) {
			state += " (" + *item.Decision + ")"
		}
	}
	a.printf("%s  %s%s, %s: %s\n", a.bold(short(item.ID)), item.Kind, state, at(item.Created), flat(item.Reason, 100))
}

// textOf is what a memory says, with its name where that says more.
func textOf(texts map[string]brain.Memory, id string) string {
	m, ok := texts[id]
	switch {
	case !ok:
		return "(not there any more)"
	case strings.HasPrefix(strings.TrimSpace(m.Content), m.Name):
		return m.Content
	}
	return m.Name + ": " + m.Content
}

func (a *cli) reviewShowCommand() *cobra.Command {
	c := &cobra.Command{Use: "show ID", Short: "One item with the texts that it is about", Args: between(1, 1)}
	c.RunE = answersAbout(a, (*app.UseCases).Review, a.showReview)
	return c
}

func (a *cli) showReview(found app.ReviewAnswer) {
	item, views := found.Items[0], found.Memories
	if a.quiet {
		a.printf("%s\n", item.ID)
		return
	}
	a.reviewHead(item)
	for _, v := range views {
		a.printf("\n  %s  %s, %s, %s\n", a.bold(short(v.ID)), v.MemoryType, *v.Tier, at(v.Created))
		a.printf("%s\n", indented(a.plain(textOf(found.MemoriesByID, v.ID)), "    "))
	}
	if gone := len(item.Memories) - len(views); gone > 0 {
		a.printf("\n  %s not there any more\n", counted(gone, "memory"))
	}
	if item.Proposed != nil {
		a.printf("\n  %s\n%s\n", a.bold("proposed"), indented(a.plain(item.Proposed.Content), "    "))
	}
}

func (a *cli) reviewAcceptCommand() *cobra.Command {
	c := a.changing(&cobra.Command{
		Use: "accept ID", Short: "Carry an item out",
		Long: "Carry an item out: merge the memories, put a model's text in their place, or of a\nconflict keep the newer or the older one, or both. It is a run of its own: `undo`\ntakes it back, and the item waits again.",
		Args: between(1, 1),
	})
	keep := c.Flags().String("keep", "", "`WHICH` of a conflict: newer, older or both (default newer)")
	c.RunE = answers(a, func(ctx context.Context, u *app.UseCases, args []string) (app.DecisionAnswer, error) {
		return u.AcceptReview(ctx, args[0], *keep)
	}, func(done app.DecisionAnswer) { a.showDecision(done, "accepted") })
	return c
}

func (a *cli) reviewRejectCommand() *cobra.Command {
	c := a.changing(&cobra.Command{
		Use: "reject ID", Short: "Leave everything as it is, and never propose it again; undo takes that back", Args: between(1, 1),
	})
	c.RunE = answersAbout(a, (*app.UseCases).RejectReview, func(done app.DecisionAnswer) { a.showDecision(done, "rejected") })
	return c
}

func (a *cli) showDecision(done app.DecisionAnswer, verb string) {
	a.printf("%s: %s of %s\n", a.verb(verb), done.Item.Kind, counted(len(done.Item.Memories), "memory"))
	if done.RunID != nil {
		a.next("undo it with: brainbridge undo %s", short(*done.RunID))
	}
}
