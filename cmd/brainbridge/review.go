package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/integration/app"
)

func (a *cli) reviewCommand() *cobra.Command {
	c := parent("review", "Decide on merges, conflicts and promotions left open by a run", nil,
		a.reviewListCommand(),
		command("show ID", "Show an item and the text of its memories", answersTo(a, (*app.UseCases).Review, &a.typed, a.showReview)),
		a.reviewAcceptCommand(),
		a.changing(command("reject ID", "Reject an item; it is never proposed again unless you undo this",
			answersTo(a, (*app.UseCases).RejectReview, &a.typed, func(done app.DecisionAnswer) { a.showDecision(done, "rejected") }))))
	c.Long = "Decide on merges, conflicts and promotions left open by a run. Without a command it\nshows the open items one at a time and takes one key for each; without a terminal it\nlists them."
	c.RunE = func(c *cobra.Command, args []string) error {
		terminal, ok := a.in.(*os.File)
		if !ok || !a.canAsk() || !a.outTTY || a.quiet {
			return a.reviews(false)(c, args)
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
	c := command("list", "List open decisions, newest first", nil)
	all := c.Flags().Bool("all", false, "include decided and outdated items")
	c.RunE = func(c *cobra.Command, args []string) error { return a.reviews(*all)(c, args) }
	return c
}

// peopleReviews is how many items a list shows people.
const peopleReviews = 50

// reviews returns the function of a command that lists items of the queue.
func (a *cli) reviews(all bool) func(*cobra.Command, []string) error {
	return answersTo(a, (*app.UseCases).Reviews, &all, a.showReviews)
}

func (a *cli) showReviews(found app.ReviewsAnswer) {
	items := found.Items
	if len(items) == 0 {
		a.printf("there are no open decisions\n")
		return
	}
	for _, item := range items[:min(len(items), peopleReviews)] {
		if a.brief(item.ID) {
			continue
		}
		a.reviewHead(item)
		for _, id := range item.Memories {
			a.printf("  %s  %s\n", brain.ShortID(id), flat(textOf(found.MemoriesByID[id]), 100))
		}
		if item.Proposed != nil {
			a.printf("  proposed  %s\n", flat(item.Proposed.Content, 100))
		}
	}
	if more := len(items) - peopleReviews; more > 0 {
		a.say("%d more; --json lists all", more)
	}
	a.next("decide with: brainbridge review accept %s, or reject", brain.ShortID(items[0].ID))
}

func (a *cli) reviewHead(item app.ReviewItem) {
	state := ""
	if item.State != brain.ReviewPending {
		state = ", " + string(item.State)
		if item.Decision != "" && string(item.Decision) != string(item.State) {
			state += " (" + string(item.Decision) + ")"
		}
	}
	a.printf("%s  %s%s, %s: %s\n", a.bold(brain.ShortID(item.ID)), item.Kind, state, at(item.Created), flat(item.Reason, 100))
}

// textOf returns the text of a memory, with its name if that says more.
func textOf(m brain.Memory) string {
	switch {
	case m.ID == "":
		return "(no longer exists)"
	case strings.HasPrefix(strings.TrimSpace(m.Content), m.Name):
		return m.Content
	}
	return m.Name + ": " + m.Content
}

func (a *cli) showReview(found app.ReviewAnswer) {
	item, views := found.Items[0], found.Memories
	if a.brief(item.ID) {
		return
	}
	a.reviewHead(item)
	for _, v := range views {
		more := ""
		if v.Project != "" {
			more = ", project " + string(v.Project)
		}
		a.printf("\n  %s  %s, %s, %s%s\n", a.bold(brain.ShortID(v.ID)), v.MemoryType, *v.Tier, at(v.Created), more)
		a.printf("%s\n", indented(a.plain(textOf(found.MemoriesByID[v.ID])), "    "))
	}
	if gone := len(item.Memories) - len(views); gone > 0 {
		a.printf("\n  %s no longer there\n", counted(gone, "memory"))
	}
	if item.Proposed != nil {
		a.printf("\n  %s\n%s\n", a.bold("proposed"), indented(a.plain(item.Proposed.Content), "    "))
	}
}

func (a *cli) reviewAcceptCommand() *cobra.Command {
	c := a.changing(command("accept ID", "Accept an item and apply it", nil))
	c.Long = "Accept an item and apply it: merge the memories, replace them with the text of the\nmodel, or resolve a conflict by keeping the newer memory, the older one or both. This\nis a run of its own; `undo` reverts it and reopens the item."
	keep := c.Flags().String("keep", "", "`WHICH` memory of a conflict to keep: newer, older or both (default newer)")
	c.RunE = answers(a, func(ctx context.Context, u *app.UseCases, args []string) (app.DecisionAnswer, error) {
		return u.AcceptReview(ctx, args[0], *keep)
	}, func(done app.DecisionAnswer) { a.showDecision(done, "accepted") })
	return c
}

func (a *cli) showDecision(done app.DecisionAnswer, verb string) {
	a.printf("%s: %s of %s\n", a.verb(verb), done.Item.Kind, counted(len(done.Item.Memories), "memory"))
	if done.RunID != "" {
		a.next("undo it with: brainbridge undo %s", brain.ShortID(done.RunID))
	}
}

// reviewChoices returns the choices for a kind of item, each with its first letter as its key.
func reviewChoices(kind brain.ReviewKind) []string {
	if kind == brain.ReviewConflict {
		return []string{brain.DecidedNewer, brain.DecidedOlder, brain.DecidedBoth, "reject", "skip", "quit"}
	}
	return []string{"accept", "reject", "skip", "quit"}
}

// walkReviews shows what waits for a decision, one item at a time, and decides by the
// keys that next returns. The end of the keys is a quit.
func (a *cli) walkReviews(ctx context.Context, u *app.UseCases, next func() (byte, error)) error {
	found, err := u.Reviews(ctx, false)
	if err != nil {
		return err
	}
	decided := 0
	for i, item := range found.Items {
		shown, err := u.Review(ctx, item.ID)
		if err != nil {
			return err
		}
		if shown.Items[0].State != brain.ReviewPending { // a decision before settled it
			continue
		}
		a.printf("%s\n", a.dim(fmt.Sprintf("%d of %d", i+1, len(found.Items))))
		a.showReview(shown)
		chosen, err := a.askKey(reviewChoices(item.Kind), next)
		if err != nil {
			return err
		}
		if chosen == "quit" {
			break
		}
		decided += a.decideItem(ctx, u, item.ID, chosen)
	}
	a.printf("%s decided of %d\n", counted(decided, "item"), len(found.Items))
	return nil
}

// askKey shows choices until the key of one of them is pressed, and returns that one.
func (a *cli) askKey(choices []string, next func() (byte, error)) (string, error) {
	keys := brain.Map(choices, func(c string) string { return a.bold(c[:1]) + " " + c })
	a.printf("\n%s: ", strings.Join(keys, ", "))
	if err := a.flush(); err != nil {
		return "", err
	}
	for {
		key, err := next()
		if errors.Is(err, io.EOF) {
			key, err = 'q', nil
		}
		if err != nil {
			return "", err
		}
		if i := slices.IndexFunc(choices, func(c string) bool { return c[0] == key }); i >= 0 {
			a.printf("%s\n", choices[i])
			return choices[i], nil
		}
	}
}

// decideItem decides an item as chosen. It returns 1, or 0 if it was skipped or cannot be.
func (a *cli) decideItem(ctx context.Context, u *app.UseCases, id, chosen string) int {
	var done app.DecisionAnswer
	var err error
	switch chosen {
	case "skip":
		return 0
	case "reject":
		done, err = u.RejectReview(ctx, id)
	default:
		done, err = u.AcceptReview(ctx, id, strings.TrimPrefix(chosen, "accept"))
	}
	if err != nil {
		a.warnError(err)
		return 0
	}
	if done.RunID != "" {
		a.printf("%s\n\n", a.dim("undo it with: brainbridge undo "+brain.ShortID(done.RunID)))
	}
	return 1
}

const escape, interrupt, endOfText = 0x1b, 0x03, 0x04

// keysOf returns a function that reads single keys from a terminal, without a line end.
// The keys that begin with an escape, such as arrows, are left out; ctrl-C and ctrl-D
// are the end.
func keysOf(terminal *os.File) func() (byte, error) {
	var waiting []byte
	return func() (byte, error) {
		for len(waiting) == 0 || waiting[0] == escape {
			before, err := term.MakeRaw(int(terminal.Fd()))
			if err != nil {
				return 0, err
			}
			var typed [16]byte
			n, err := terminal.Read(typed[:])
			if err := errors.Join(err, term.Restore(int(terminal.Fd()), before)); err != nil {
				return 0, err
			}
			waiting = typed[:n]
		}
		key := waiting[0]
		if waiting = waiting[1:]; key == interrupt || key == endOfText {
			return 0, io.EOF
		}
		return key, nil
	}
}
