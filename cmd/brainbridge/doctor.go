package main

import (
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/config"
	"github.com/brainbridge/brainbridge/integration/app"
)

func (a *cli) doctorCommand() *cobra.Command {
	c := changing(command("doctor", "Check the brain and everything around it", nil))
	c.Long = c.Short + ": settings, every record of the store,\nspool, notes, backups, permissions, daemon, agents and more. Without --fix it changes nothing. With it,\nit shows a plan, mends what can be mended without deleting anything, and names what is lost.\nThe exit code is 1 if a check fails, with --fix after mending."
	fix := c.Flags().Bool("fix", false, "mend what can be mended")
	c.RunE = func(c *cobra.Command, _ []string) error {
		run := a.doctor
		if *fix {
			run = a.mend
		}
		well, err := run(c.Context())
		if err != nil || well {
			return err
		}
		return brain.Errorf(errIncomplete, "", "a check failed")
	}
	return c
}

// doctor prints what the checks find. It reports whether none fails.
func (a *cli) doctor(ctx context.Context) (bool, error) {
	u, err := a.useDespiteSettings()
	if err != nil {
		return false, err
	}
	found, err := u.Doctor(ctx)
	if err != nil {
		return false, err
	}
	return found.OK, a.answer(found, func() { a.showDoctor(found) })
}

// mend shows the plan, carries it out, and prints what the checks find then.
func (a *cli) mend(ctx context.Context) (bool, error) {
	var all app.MendAnswer
	for {
		u, err := a.useDespiteSettings()
		if err != nil {
			return false, err
		}
		plan, err := u.PlanMend(ctx)
		if err != nil {
			return false, err
		}
		a.bar.clear()
		for _, s := range plan.Steps {
			a.complain("%-12s %s", s.Check, s.What)
		}
		done, err := u.Mend(ctx, plan)
		if err != nil {
			return false, err
		}
		all = app.MendAnswer{DoctorAnswer: done.DoctorAnswer, Mended: append(all.Mended, done.Mended...), Lost: append(all.Lost, done.Lost...)}
		if !plan.Settings || a.dryRun || len(done.Mended) == 0 {
			break
		}
		if err := a.close(); err != nil { // the rest depends on the settings
			return false, err
		}
		a.loaded, a.broken = nil, nil
	}
	all.Mended, all.Lost = append([]app.Mended{}, all.Mended...), append([]app.Lost{}, all.Lost...)
	return all.OK, a.answer(all, func() {
		a.showDoctor(all.DoctorAnswer)
		if n := len(all.Mended); n > 0 {
			a.printf("%s %s\n", a.verbFor("mended", "would mend"), counted(n, "thing"))
		}
		for _, l := range all.Lost {
			a.printf("LOST  %s\n", flat(l.String(), 400))
		}
	})
}

// useDespiteSettings is use, also if the config file cannot be read.
func (a *cli) useDespiteSettings() (*app.UseCases, error) {
	_, err := a.settings()
	var setting *config.Error
	if a.broken == nil && errors.As(err, &setting) {
		l, without := config.LoadWithoutFile(a.configInput())
		if without != nil {
			return nil, err
		}
		a.loaded, a.broken = &l, err
	}
	return a.use()
}

// showDoctor prints what is wrong, and the names of the checks that found nothing.
func (a *cli) showDoctor(found app.DoctorAnswer) {
	var well []string
	for _, check := range found.Checks {
		if check.OK() {
			well = append(well, check.Name)
			continue
		}
		lines := brain.Map(strings.Split(check.Detail, "\n"), func(line string) string { return flat(line, 400) })
		a.printf("%-4s  %-12s %s\n", strings.ToUpper(string(check.State)), check.Name, strings.Join(lines, "\n"+strings.Repeat(" ", 19)))
		if check.Fix != "" {
			a.printf("%19s-> %s\n", "", check.Fix)
		}
	}
	if len(well) > 0 && !a.quiet {
		a.printf("OK    %s\n", strings.Join(well, ", "))
	}
}
