package main

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/markdown"
	"github.com/brainbridge/brainbridge/integration/app"
	"github.com/brainbridge/brainbridge/tiers"
)

func (a *cli) listCommand() *cobra.Command {
	c := command("list [--sources [TYPE]]", "List memories, or the sources of a type", nil)
	var r app.ListRequest
	var project string
	var sources bool
	f := c.Flags()
	tierFlag(f, &r.Tiers, "only memories of this `TIER`; may be repeated")
	f.StringVar(&project, "project", "", "only memories of this `PROJECT`; '' for those without one (default: all)")
	f.BoolVar(&sources, "sources", false, "list sources instead: crystallization, learning, reminder, activity, outcome")
	listFlags(f, &r)
	memories := answers(a, func(ctx context.Context, u *app.UseCases, args []string) (app.ListAnswer, error) {
		if len(args) > 0 {
			return app.ListAnswer{}, usage("`brainbridge recall "+args[0]+"` looks for it; --type, --tier, --tag and --project narrow a list",
				"list takes no argument")
		}
		return u.List(ctx, r, "")
	}, func(found app.ListAnswer) {
		a.showList(found, r.Live)
		if len(found.Memories) == r.Limit {
			a.next("at most %d are listed; --limit N lists more", r.Limit)
		}
	})
	captured := answers(a, func(ctx context.Context, u *app.UseCases, args []string) (app.SourcesAnswer, error) {
		kind, err := parseKind(strings.Join(args, ""))
		if err != nil {
			return app.SourcesAnswer{}, err
		}
		return u.Sources(ctx, brain.SourceFilter{Kind: kind, Project: r.Project, Limit: r.Limit})
	}, a.showSources)
	c.RunE = func(c *cobra.Command, args []string) error {
		r.Project = ifGiven(c, "project", &project)
		list, err := memories, cmp.Or(exclusive(c, "live", "all"), exclusive(c, "live", "tier"))
		if sources {
			list, err = captured, onlyWith(c, "sources", "project", "limit")
		}
		if err != nil {
			return err
		}
		return list(c, args)
	}
	return c
}

// exclusive refuses more than one of some options.
func exclusive(c *cobra.Command, options ...string) error {
	given := slices.DeleteFunc(options, func(name string) bool { return !c.Flags().Changed(name) })
	if len(given) > 1 {
		return usage("use one of them", "--%s exclude each other", strings.Join(given, " and --"))
	}
	return nil
}

// onlyWith refuses options of a list of memories, except some, beside one of another list.
func onlyWith(c *cobra.Command, option string, takes ...string) (err error) {
	c.Flags().Visit(func(f *pflag.Flag) {
		if c.LocalNonPersistentFlags().Lookup(f.Name) != nil && !slices.Contains(append(takes, option), f.Name) {
			err = usage("leave one of them out; "+seeHelp(c), "--%s does not go with --%s", f.Name, option)
		}
	})
	return err
}

func listFlags(f *pflag.FlagSet, r *app.ListRequest) {
	f.StringArrayVar(&r.Types, "type", nil, "only memories of this `TYPE`; may be repeated")
	f.StringVar(&r.Tag, "tag", "", "only memories with this `TAG`")
	countVar(f, &r.Limit, "limit", 50, "return at most `N` memories")
	f.BoolVar(&r.All, "all", false, "include archived and superseded memories")
	f.BoolVar(&r.Live, "live", false, "leave out expired memories")
}

// showList prints memories, expired ones dimmed. Live says that those were not asked for.
func (a *cli) showList(found app.ListAnswer, live bool) {
	t := table{head: []string{"ID", "ENERGY", "TIER", "TYPE", "CREATED", "NAME"}, right: "ENERGY", dim: map[int]bool{}}
	for i, m := range found.Memories {
		t.dim[i] = *m.Tier == tiers.Expired
		t.item(m.ID, brain.ShortID(m.ID), energy(*m.Energy), string(*m.Tier), m.MemoryType, ago(m.Created, a.clock()), clean(m.Name, 60))
	}
	none := "no memories"
	if live {
		none = "no live memories; `brainbridge list` lists expired ones, `brainbridge reminders` open reminders"
	}
	if !a.printList(t, none) {
		a.next("capture one: brainbridge learn CONCEPT TEXT")
	}
}

func (a *cli) remindersCommand() *cobra.Command {
	c := command("reminders", "List open reminders, due first", nil)
	var project string
	c.Flags().StringVar(&project, "project", "", "only reminders of this `PROJECT` and of none (default: all)")
	c.RunE = answers(a, func(ctx context.Context, u *app.UseCases, _ []string) (app.RemindersAnswer, error) {
		return u.Reminders(ctx, ifGiven(c, "project", &project))
	}, func(found app.RemindersAnswer) {
		t := table{head: []string{"ID", "DUE", "PROJECT", "TEXT"}}
		for _, r := range found.Reminders {
			due := ""
			if r.Due != nil {
				due = sourceState(app.SourceView{Source: brain.Source{Kind: brain.Reminder, Due: *r.Due}}, a.clock())
			}
			id := cmp.Or(string(r.MemoryID), r.SourceID)
			t.item(id, brain.ShortID(id), strings.TrimPrefix(due, "due "), string(r.Project), clean(r.Text, 80))
		}
		a.printList(t, "no open reminders")
	})
	return c
}

func parseKind(name string) (brain.SourceKind, error) {
	kinds := []brain.SourceKind{brain.Crystallization, brain.Learning, brain.Reminder, brain.Activity, brain.Outcome}
	if name == "" {
		return "", nil
	}
	i := slices.IndexFunc(kinds, func(k brain.SourceKind) bool {
		return strings.EqualFold(string(k), strings.TrimSuffix(strings.ToLower(name), "s"))
	})
	if i < 0 {
		return "", usage("use crystallization, learning, reminder, activity or outcome", "there is no kind of source %q", name)
	}
	return kinds[i], nil
}

func (a *cli) showSources(found app.SourcesAnswer) {
	t := table{head: []string{"ID", "KIND", "CREATED", "STATE", "TEXT"}}
	for _, s := range found.Sources {
		t.item(s.ShownID(), brain.ShortID(s.ShownID()), strings.ToLower(string(s.Kind)), ago(s.Created, a.clock()), sourceState(s, a.clock()), clean(s.Words(), 60))
	}
	a.printList(t, "nothing of this kind was captured yet")
}

// clean returns a text on one line of at most n characters, without markup.
func clean(text string, n int) string { return flat(cmp.Or(markdown.Plain(text), text), n) }

func sourceState(s app.SourceView, now time.Time) string {
	switch {
	case s.Kind == brain.Reminder && !s.Done.IsZero():
		return "done"
	case !s.Removed.IsZero():
		return "removed"
	case s.Kind == brain.Reminder && !s.Due.IsZero():
		if wholeDay(s.Due) {
			return "due " + s.Due.Local().Format(time.DateOnly)
		}
		return "due " + ago(s.Due, now)
	case s.Kind == brain.Reminder:
		return "open"
	}
	return ""
}

// parseEnergy reads an energy that a memory may have.
func parseEnergy(text string) (float64, error) {
	e, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err == nil {
		err = tiers.CheckEnergy(e)
	}
	if err != nil {
		return 0, usage("give a number from 0, such as 1.5, to "+mostEnergy(), "%q is not an energy", text)
	}
	return e, nil
}

// mostEnergy is the limit of an energy as people write it.
func mostEnergy() string { return strconv.FormatFloat(tiers.MaxEnergy, 'g', -1, 64) }

// parseTier reads the name of a tier, in any case, with or without a dash.
func parseTier(text string) (tiers.Tier, error) {
	plain := strings.ReplaceAll(strings.ReplaceAll(text, "-", ""), "_", "")
	for _, t := range tiers.All() {
		if strings.EqualFold(plain, string(t)) {
			return t, nil
		}
	}
	names := brain.Map(tiers.All(), func(t tiers.Tier) string { return string(t) })
	return "", usage("tiers are "+strings.Join(names, ", "), "there is no tier %q", text)
}

// tierFlag defines the option for tiers.
func tierFlag(f *pflag.FlagSet, all *[]tiers.Tier, usage string) {
	f.Func("tier", usage, func(name string) error {
		t, err := parseTier(name)
		*all = append(*all, t)
		return err
	})
}
