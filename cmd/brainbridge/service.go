package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/brainbridge/brainbridge/integration/app"
)

func (a *cli) serviceCommand() *cobra.Command {
	install := a.changing(&cobra.Command{
		Use: "install", Short: "Have the daemon started for you, and started again when it dies", Args: noArgs,
		Long: `Have the daemon of the brain started at login, and started again when it dies: as
a systemd user unit on Linux, as a LaunchAgent on macOS. It is started at once,
with the settings that hold for this command. --dry-run prints the file. What
somebody changed in the file is kept beside it.`,
	})
	install.RunE = answersOf(a, (*app.UseCases).InstallService, a.showInstalled)
	uninstall := a.changing(&cobra.Command{Use: "uninstall", Short: "Stop the daemon and start it no more", Args: noArgs})
	uninstall.RunE = confirmed(a, func(u *app.UseCases, ctx context.Context, _ string) (app.UninstallServiceAnswer, error) {
		return u.Dry().UninstallService(ctx)
	}, func(s app.UninstallServiceAnswer) (string, []string) {
		return "Uninstall " + s.Name, []string{
			"the daemon is stopped, and started no more: " + s.File + " is removed", "nothing that is remembered is touched",
		}
	}, func(u *app.UseCases, ctx context.Context, _ app.UninstallServiceAnswer) (app.UninstallServiceAnswer, error) {
		return u.UninstallService(ctx)
	}, a.showUninstalled)
	status := &cobra.Command{Use: "status", Short: "How the service stands", Args: noArgs}
	status.RunE = answersOf(a, (*app.UseCases).Service, a.showService)
	return parent("service", "The daemon as a service of this machine", install, uninstall, status)
}

func (a *cli) showInstalled(s app.InstallServiceAnswer) {
	if a.dryRun {
		a.printf("%s", s.Text)
		a.say("would be written to %s", s.File)
		if s.Edited {
			a.say("the file that is there was changed by hand, and would be kept beside it")
		}
		return
	}
	a.printf("installed and started: %s\n", s.Name)
	if a.quiet {
		return
	}
	a.printf("  file  %s\n", s.File)
	if s.KeptAside != nil {
		a.printf("  the file that was there was changed by hand; it is kept as %s\n", *s.KeptAside)
	}
	a.printf("  %s\n", loginLine(s.Manager, s.Linger))
	a.printf("  `brainbridge service status` says how it stands\n")
}

// loginLine says whether the service runs while nobody is logged in, and how
// to make it.
func loginLine(manager string, linger *bool) string {
	switch {
	case manager != "systemd":
		return "it runs while you are logged in"
	case linger != nil && *linger:
		return "it runs also while you are not logged in"
	}
	return "it runs while you are logged in; to have it run always: loginctl enable-linger $USER"
}

func (a *cli) showUninstalled(done app.UninstallServiceAnswer) {
	if a.dryRun {
		return // the plan is the answer
	}
	a.printf("uninstalled: %s\n", done.Name)
	if done.KeptAside != nil {
		a.printf("  it was changed by hand; it is kept as %s\n", *done.KeptAside)
	}
}

func (a *cli) showService(s app.ServiceAnswer) {
	if !s.Installed {
		a.printf("%s: not installed; `brainbridge service install` installs it\n", s.Name)
	} else {
		a.printf("%s: %s\n", s.Name, *s.State)
	}
	if a.quiet {
		return
	}
	a.printf("daemon: %s\n", daemonLine(s.Daemon))
	if !s.Installed {
		return
	}
	a.printf("file: %s\n", s.File)
	if s.Edited {
		a.printf("  changed by hand; the next installation keeps it beside the new one\n")
	}
	if !s.Enabled {
		a.printf("  it does not start by itself; `brainbridge service install` sees to it\n")
	}
	a.printf("%s\n", loginLine(s.Manager, s.Linger))
}
