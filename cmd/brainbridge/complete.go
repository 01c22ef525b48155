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

const completed = 500 // memories that a completion is chosen from

// complete lets a shell complete arguments and options of c and its subcommands.
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
			place := strings.Trim(named[len(args)], "[]")
			if !slices.Contains([]string{"ID", "FROM", "TO", "RUN"}, place) {
				return nil, cobra.ShellCompDirectiveDefault // files
			}
			return a.completions(typed, func(ctx context.Context, u *app.UseCases) []cobra.Completion { return stored(ctx, u, c, place) })
		}
	}
	for name, by := range map[string]app.Group{"type": app.ByType, "tag": app.ByTag, "project": app.ByProject} {
		_ = c.RegisterFlagCompletionFunc(name, func(_ *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return a.completions(typed, func(ctx context.Context, u *app.UseCases) []cobra.Completion { return groupNames(ctx, u, c, by) })
		}) // it fails if the command does not have the flag
	}
}

// completions returns the values that begin with what was typed, none if the store cannot
// be read.
func (a *cli) completions(typed string, of func(context.Context, *app.UseCases) []cobra.Completion) (fit []cobra.Completion, _ cobra.ShellCompDirective) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second) // a shell waits for it
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

// stored returns the ids, and unique names, that a place of a command may have.
func stored(ctx context.Context, u *app.UseCases, c *cobra.Command, place string) []cobra.Completion {
	switch {
	case place == "RUN":
		found, _ := u.Runs(ctx, peopleReviews)
		return described(found.Runs, func(r app.RunLine) (string, string) { return brain.ShortID(r.ID), r.Kind + " of " + at(r.Started) })
	case c.Parent().Name() == "review":
		found, _ := u.Review(ctx, false)
		return described(found.Items, func(item app.ReviewItem) (string, string) { return brain.ShortID(item.ID), item.Reason })
	case c.Name() == "done":
		found, _ := u.Sources(ctx, brain.SourceFilter{Kind: brain.Reminder, Open: true, Limit: completed})
		return described(found.Sources, func(s app.SourceView) (string, string) { return brain.ShortID(s.ShownID()), s.Text })
	case c.Name() == "unforget":
		return nil
	}
	found, _ := u.List(ctx, app.ListRequest{Tiers: currentTiers(), Limit: completed}, "")
	ids := described(found.Memories, func(m brain.View) (string, string) { return brain.ShortID(m.ID), m.Name })
	unique := slices.DeleteFunc(slices.Clone(found.Memories), func(m brain.View) bool {
		return slices.ContainsFunc(found.Memories, func(other brain.View) bool { return other.Name == m.Name && other.ID != m.ID })
	})
	return append(ids, described(unique, func(m brain.View) (string, string) { return m.Name, m.MemoryType })...)
}

// groupNames returns the types, tags or projects there are, for a new memory also usual types.
func groupNames(ctx context.Context, u *app.UseCases, c *cobra.Command, by app.Group) (all []cobra.Completion) {
	if by == app.ByType && c.Name() == "remember" {
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

// described returns a value with its description for each element of a list.
func described[T any](list []T, of func(T) (value, text string)) (all []cobra.Completion) {
	for _, element := range list {
		value, text := of(element)
		all = append(all, cobra.CompletionWithDesc(value, flat(text, 60)))
	}
	return all
}
