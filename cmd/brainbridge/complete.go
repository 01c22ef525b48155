package main

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/integration/app"
)

const (
	completed       = 500             // memories that a completion is chosen from
	completionLimit = 2 * time.Second // a shell waits for it
)

// values returns the possible values of one place of a command line.
type values func(ctx context.Context, u *app.UseCases) []cobra.Completion

// complete lets a shell complete the arguments and options of c and its subcommands with
// stored values.
func (a *cli) complete(c *cobra.Command) {
	for _, below := range c.Commands() {
		a.complete(below)
	}
	if c.ValidArgsFunction == nil && len(c.ValidArgs) == 0 {
		c.ValidArgsFunction = func(c *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
			named := places(c.Use)
			if len(args) >= len(named) {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return a.completions(argumentValues(c, strings.Trim(named[len(args)], "[]")), typed)
		}
	}
	for name, by := range map[string]brain.Group{"type": brain.ByType, "tag": brain.ByTag, "project": brain.ByProject} {
		_ = c.RegisterFlagCompletionFunc(name, func(_ *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return a.completions(groupNames(c, by), typed)
		}) // it fails if the command does not have the flag
	}
}

// completions returns the values that begin with what was typed, without a word if the
// store cannot be read. Without values, a shell offers files.
func (a *cli) completions(of values, typed string) (fit []cobra.Completion, _ cobra.ShellCompDirective) {
	if of == nil {
		return nil, cobra.ShellCompDirectiveDefault
	}
	ctx, cancel := context.WithTimeout(context.Background(), completionLimit)
	defer cancel()
	if u, err := a.use(); err == nil {
		for _, v := range of(ctx, u.Dry()) {
			if strings.HasPrefix(v, typed) {
				fit = append(fit, v)
			}
		}
	}
	return fit, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
}

// argumentValues returns the values of an argument, nil for a file or a text.
func argumentValues(c *cobra.Command, place string) values {
	switch place {
	case "ID", "FROM", "TO":
	case "RUN":
		return runIDs
	default:
		return nil
	}
	switch {
	case c.Parent().Name() == "review":
		return reviewIDs
	case c.Name() == "done":
		return reminderIDs
	case c.Name() == "unforget":
		return nothing
	}
	return memoryIDs
}

// groupNames returns the types, tags or projects there are; a new memory may have one of
// the usual types too.
func groupNames(c *cobra.Command, by brain.Group) values {
	return func(ctx context.Context, u *app.UseCases) (all []cobra.Completion) {
		if by == brain.ByType && c.Name() == "remember" {
			all = app.Kinds()
		}
		found, _ := u.Groups(ctx, by) // without it there is nothing to offer
		for _, g := range found.Groups {
			if !slices.Contains(all, g.Name) {
				all = append(all, g.Name)
			}
		}
		return all
	}
}

// nothing are the values of a place for which there are no suggestions, not even files.
func nothing(context.Context, *app.UseCases) []cobra.Completion { return nil }

func memoryIDs(ctx context.Context, u *app.UseCases) []cobra.Completion {
	found, _ := u.List(ctx, app.ListRequest{Tiers: currentTiers(), Limit: completed}, "")
	return idsAndNames(found.Memories)
}

// idsAndNames returns the ids of memories with their names, then the names that only one has.
func idsAndNames(found []brain.View) (all []cobra.Completion) {
	named := map[string]int{}
	all = described(found, func(m brain.View) (string, string) { return brain.ShortID(m.ID), m.Name })
	for _, m := range found {
		named[m.Name]++
	}
	for _, m := range found {
		if named[m.Name] == 1 {
			all = append(all, cobra.CompletionWithDesc(m.Name, m.MemoryType))
		}
	}
	return all
}

// described returns a value with its description for each element of a list.
func described[T any](list []T, of func(T) (value, text string)) (all []cobra.Completion) {
	for _, element := range list {
		value, text := of(element)
		all = append(all, cobra.CompletionWithDesc(value, flat(text, 60)))
	}
	return all
}

func reminderIDs(ctx context.Context, u *app.UseCases) []cobra.Completion {
	found, _ := u.Sources(ctx, brain.SourceFilter{Kind: brain.Reminder, Open: true, Limit: completed})
	return described(found.Sources, func(s app.SourceView) (string, string) { return brain.ShortID(s.ShownID()), s.Text })
}

func reviewIDs(ctx context.Context, u *app.UseCases) []cobra.Completion {
	found, _ := u.Reviews(ctx, false)
	return described(found.Items, func(item app.ReviewItem) (string, string) { return brain.ShortID(item.ID), item.Reason })
}

func runIDs(ctx context.Context, u *app.UseCases) []cobra.Completion {
	found, _ := u.Runs(ctx, peopleReviews)
	return described(found.Runs, func(r app.RunLine) (string, string) { return brain.ShortID(r.ID), r.Kind + " of " + at(r.Started) })
}
