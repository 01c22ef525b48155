package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"golang.org/x/term"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/integration/app"
)

// reviewChoices returns the choices for a kind of item. The key of a choice is its first
// letter.
func reviewChoices(kind brain.ReviewKind) []string {
	if kind == brain.ReviewConflict {
		return []string{brain.DecidedNewer, brain.DecidedOlder, brain.DecidedBoth, "reject", "skip", "quit"}
	}
	return []string{"accept", "reject", "skip", "quit"}
}

// walkReviews shows what waits for a decision, one item at a time, and decides by the
// keys that next returns. The end of the keys is a quit.
func (a *cli) walkReviews(ctx context.Context, u *app.UseCases, next func() (byte, error)) error {
	found, err := u.Reviews(ctx, app.ReviewsRequest{State: string(brain.ReviewPending)})
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
	for i, c := range choices {
		a.printf("%s%s", []string{"\n", ", "}[min(i, 1)], a.bold(c[:1])+" "+c)
	}
	a.printf(": ")
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

// decideItem accepts an item, rejects it, or keeps what was chosen of a conflict. It
// returns the number of decided items: 0 if it was skipped, or could not be decided.
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
		a.warnOf(err)
		return 0
	}
	if done.RunID != nil {
		a.printf("%s\n\n", a.dim("undo it with: brainbridge undo "+short(*done.RunID)))
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
