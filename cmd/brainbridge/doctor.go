package main

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/config"
	"github.com/brainbridge/brainbridge/integration/app"
)

func (a *cli) doctorCommand() *cobra.Command {
	c := command("doctor", "Check the brain and everything around it", nil)
	c.Long = c.Short + ": settings, every record of the store,\nspool, notes, backups, permissions, daemon, agents and more. It changes nothing. The exit code\nis 1 if a check fails."
	c.RunE = func(c *cobra.Command, _ []string) error {
		u, err := a.useDespiteSettings()
		if err != nil {
			return err
		}
		found, err := u.Doctor(c.Context())
		if err != nil {
			return err
		}
		if err := a.answer(found, func() { a.showDoctor(found) }); err != nil || found.OK {
			return err
		}
		return brain.Errorf(errIncomplete, "", "a check failed")
	}
	return c
}

// useDespiteSettings is use, also if the config file cannot be read.
func (a *cli) useDespiteSettings() (*app.UseCases, error) {
	_, err := a.settings()
	var setting *config.Error
	if errors.As(err, &setting) {
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
