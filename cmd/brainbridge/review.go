package main

import (
	"context"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/integration/app"
)

func (a *cli) reviewCommand() *cobra.Command {
	c := parent("review", "Decide on merges, conflicts and promotions left open by a run",
		a.reviewListCommand(), a.reviewShowCommand(), a.reviewAcceptCommand(), a.reviewRejectCommand())
	c.Long = "Decide on merges, conflicts and promotions left open by a run. Without a command it\nshows the open items one at a time and takes one key for each; without a terminal it\nlists them."
	c.Args = unknownCommand
	c.RunE = func(c *cobra.Command, args []string) error {
		terminal, ok := a.in.(*os.File)
		if !ok || !a.canAsk() || !a.outTTY || a.quiet {
			return a.reviews(app.ReviewsRequest{State: string(brain.ReviewPending)})(c, args)
		}
		u, err := a.use()
		if err != nil {
			return err
		}
		return a.walkReviews(c.Context(), u, keysOf(terminal))
	}
	return c
}

func (a *cli) reviewListCommand() *cobra.Command {
	var r app.ReviewsRequest
	c := &cobra.Command{Use: "list", Short: "List open decisions, newest first", Args: noArgs}
	all := c.Flags().Bool("all", false, "include decided and outdated items")
	c.Flags().StringVar(&r.State, "state", string(brain.ReviewPending), "only items in this `STATE`: pending, accepted, rejected or outdated")
	c.Flags().StringVar(&r.Kind, "kind", "", "only items of this `KIND`: merge, conflict, llm-merge or core")
	c.Flags().IntVar(&r.Limit, "limit", 0, "list at most `N` items (default: 50, with --json all)")
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
		a.printf("there are no open decisions\n")
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

// textOf returns the text of a memory, with its name if that says more.
func textOf(texts map[string]brain.Memory, id string) string {
	m, ok := texts[id]
	switch {
	case !ok:
		return "(no longer exists)"
	case strings.HasPrefix(strings.TrimSpace(m.Content), m.Name):
		return m.Content
	}
	return m.Name + ": " + m.Content
}

func (a *cli) reviewShowCommand() *cobra.Command {
	c := &cobra.Command{Use: "show ID", Short: "Show an item and the text of its memories", Args: between(1, 1)}
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
		older := ""
		if v.ContestedBy != "" {
			older = ", older"
		}
		a.printf("\n  %s  %s, %s, %s%s\n", a.bold(short(v.ID)), v.MemoryType, *v.Tier, at(v.Created), older)
		a.printf("%s\n", indented(a.plain(textOf(found.MemoriesByID, v.ID)), "    "))
	}
	if gone := len(item.Memories) - len(views); gone > 0 {
		a.printf("\n  %s no longer there\n", counted(gone, "memory"))
	}
	if item.Proposed != nil {
		a.printf("\n  %s\n%s\n", a.bold("proposed"), indented(a.plain(item.Proposed.Content), "    "))
	}
}

func (a *cli) reviewAcceptCommand() *cobra.Command {
	c := a.changing(&cobra.Command{
		Use: "accept ID", Short: "Accept an item and apply it",
		Long: "Accept an item and apply it: merge the memories, replace them with the text of the\nmodel, or resolve a conflict by keeping the newer memory, the older one or both. This\nis a run of its own; `undo` reverts it and reopens the item.",
		Args: between(1, 1),
	})
	keep := c.Flags().String("keep", "", "`WHICH` memory of a conflict to keep: newer, older or both (default newer)")
	c.RunE = answers(a, func(ctx context.Context, u *app.UseCases, args []string) (app.DecisionAnswer, error) {
		return u.AcceptReview(ctx, args[0], *keep)
	}, func(done app.DecisionAnswer) { a.showDecision(done, "accepted") })
	return c
}

func (a *cli) reviewRejectCommand() *cobra.Command {
	c := a.changing(&cobra.Command{
		Use: "reject ID", Short: "Reject an item; it is never proposed again unless you undo this", Args: between(1, 1),
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
