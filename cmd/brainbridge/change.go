package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/integration/app"
)

// changeCommand is a command that changes the memory that its arguments name.
func (a *cli) changeCommand(c *cobra.Command, done string, change func(ctx context.Context, u *app.UseCases, args []string) (app.ChangeAnswer, error)) *cobra.Command {
	c.RunE = answers(a, change, func(changed app.ChangeAnswer) { a.showChange(changed, done) })
	return a.changing(c)
}

func (a *cli) showChange(changed app.ChangeAnswer, done string) {
	v := changed.Memory
	switch {
	case v.ID == nil:
		a.printf("%s: %s\n", a.verb(done), flat(v.Name, 60))
	case a.quiet:
		a.printf("%s\n", *v.ID)
	default:
		a.printf("%s: %s\n", a.verb(done), a.bold(flat(v.Name, 60)))
		a.printf("  %s  %s\n", *v.ID, a.dim(string(*v.Tier)+", energy "+energy(*v.Energy)))
	}
}

func (a *cli) boostCommand() *cobra.Command {
	return a.changeCommand(&cobra.Command{
		Use: "boost ID [AMOUNT]", Short: "Add energy to a memory (default 1.0)", Args: between(1, 2),
	}, "boosted", func(ctx context.Context, u *app.UseCases, args []string) (app.ChangeAnswer, error) {
		amount := 0.0
		if len(args) > 1 {
			var err error
			if amount, err = parseEnergy(args[1]); err != nil || amount == 0 {
				return app.ChangeAnswer{}, usage("give a number above 0, such as 1.5, and at most "+mostEnergy(), "%q is not an amount of energy to add", args[1])
			}
		}
		return u.Boost(ctx, args[0], amount)
	})
}

func (a *cli) usedCommand() *cobra.Command {
	c := &cobra.Command{Use: "used ID --helpful|--not-helpful|--unsure", Short: "Record whether a memory helped", Args: between(1, 1)}
	verdicts := map[brain.Verdict]*bool{
		brain.Helpful:    c.Flags().Bool("helpful", false, "the memory helped; this counts as an access"),
		brain.NotHelpful: c.Flags().Bool("not-helpful", false, "the memory did not help"),
		brain.Unsure:     c.Flags().Bool("unsure", false, "the memory was used, but it is unclear whether it helped"),
	}
	where := c.Flags().String("in", "", "`CONTEXT` of the use; a verdict counts once per session and context")
	return a.changeCommand(c, "noted", func(ctx context.Context, u *app.UseCases, args []string) (app.ChangeAnswer, error) {
		var given []brain.Verdict
		for verdict, set := range verdicts {
			if *set {
				given = append(given, verdict)
			}
		}
		if len(given) != 1 {
			return app.ChangeAnswer{}, usage("say one of --helpful, --not-helpful and --unsure", "used takes one verdict, not %d", len(given))
		}
		return u.Used(ctx, args[0], given[0], *where)
	})
}

func (a *cli) correctCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "correct ID TEXT|-", Short: "Replace the text of a memory",
		Long: "Replace the text and title of a memory. Without --title, the title is taken from the\nnew text. A new memory supersedes the old one; `recall --as-of` with an earlier time\nstill returns the old text.",
		Args: between(2, 2),
	}
	title := c.Flags().String("title", "", "new `TITLE` (default: the beginning of the new text)")
	return a.changeCommand(c, "corrected", func(ctx context.Context, u *app.UseCases, args []string) (app.ChangeAnswer, error) {
		text, err := a.text(args[1])
		if err != nil {
			return app.ChangeAnswer{}, err
		}
		return u.Correct(ctx, args[0], *title, text)
	})
}

func (a *cli) unforgetCommand() *cobra.Command {
	return a.changeCommand(&cobra.Command{
		Use: "unforget ID", Short: "Restore a forgotten memory with its relations", Args: between(1, 1),
	}, "brought back", func(ctx context.Context, u *app.UseCases, args []string) (app.ChangeAnswer, error) {
		return u.Unforget(ctx, args[0])
	})
}

func (a *cli) relateCommand() *cobra.Command {
	c := a.changing(&cobra.Command{
		Use: "relate FROM TYPE TO", Short: "Relate two memories; TYPE is applies_to, part_of, derived_from, …", Args: between(3, 3),
	})
	c.RunE = answers(a, func(ctx context.Context, u *app.UseCases, args []string) (app.RelateAnswer, error) {
		return u.Relate(ctx, args[0], args[1], args[2])
	}, func(related app.RelateAnswer) {
		r := related.Relation
		a.printf("%s: %s %s %s\n", a.verb("related"), short(r.From), r.Type, short(r.To))
	})
	return c
}
