package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/brainbridge/brainbridge/integration/app"
)

func (a *cli) configCommand() *cobra.Command {
	show := &cobra.Command{Use: "show", Short: "Show every setting and where it comes from", Args: noArgs}
	show.RunE = answersOf(a, (*app.UseCases).Settings, func(all app.SettingsAnswer) {
		t := table{head: []string{"KEY", "VALUE", "FROM"}}
		for _, s := range all.Settings {
			t.row(s.Key, flat(s.Value, 70), string(s.Origin))
		}
		a.print(t)
		a.next("file: %s", all.File)
	})
	set := a.changing(&cobra.Command{Use: "set KEY VALUE", Short: "Change one setting", Args: between(2, 2)})
	set.RunE = func(c *cobra.Command, args []string) error {
		done, err := a.set(c.Context(), args[0], args[1])
		if err != nil {
			return err
		}
		return a.answer(done, func() {
			a.printf("%s %s = %s\n", a.verbFor("set", "would set"), done.Key, done.Value)
			a.next("in %s", done.Where)
		})
	}
	return parent("config", "Show and change settings", show, set)
}

func (a *cli) set(ctx context.Context, key, value string) (app.SettingAnswer, error) {
	if !app.IsLifecycle(key) {
		return app.SetSetting(a.configInput(), key, value, a.dryRun, notices{cli: a})
	}
	u, err := a.use()
	if err != nil {
		return app.SettingAnswer{}, err
	}
	return u.SetLifecycle(ctx, key, value)
}
