package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/brainbridge/brainbridge/integration/app"
)

func (a *cli) serviceCommand() *cobra.Command {
	install := a.changing(&cobra.Command{
		Use: "install", Short: "Start the daemon at login and restart it when it fails", Args: noArgs,
		Long: `Install the daemon as a systemd user unit (Linux) or a LaunchAgent (macOS), which
starts it at login and restarts it when it fails. The daemon starts at once, with the
settings of this command. --dry-run prints the file. If the installed file was edited,
a copy is kept beside it.`,
	})
	install.RunE = answersOf(a, (*app.UseCases).InstallService, a.showInstalled)
	uninstall := a.changing(&cobra.Command{Use: "uninstall", Short: "Stop the daemon and remove the service", Args: noArgs})
	uninstall.RunE = confirmed(a, func(u *app.UseCases, ctx context.Context, _ string) (app.UninstallServiceAnswer, error) {
		return u.Dry().UninstallService(ctx)
	}, func(s app.UninstallServiceAnswer) (string, []string) {
		return "Uninstall " + s.Name, []string{
			"stop the daemon and remove " + s.File, "all memories are kept",
		}
	}, func(u *app.UseCases, ctx context.Context, _ app.UninstallServiceAnswer) (app.UninstallServiceAnswer, error) {
		return u.UninstallService(ctx)
	}, a.showUninstalled)
	status := &cobra.Command{Use: "status", Short: "Show the state of the service", Args: noArgs}
	status.RunE = answersOf(a, (*app.UseCases).Service, a.showService)
	return parent("service", "Run the daemon as a service of your user account", install, uninstall, status)
}

func (a *cli) showInstalled(s app.InstallServiceAnswer) {
	if a.dryRun {
		a.printf("%s", s.Text)
		a.say("would be written to %s", s.File)
		if s.Edited {
			a.say("the existing file was edited; a copy would be kept beside it")
		}
		return
	}
	a.printf("installed and started: %s\n", s.Name)
	if a.quiet {
		return
	}
	a.printf("  file  %s\n", s.File)
	if s.KeptAside != nil {
		a.printf("  the previous file was edited; a copy is kept as %s\n", *s.KeptAside)
	}
	a.printf("  %s\n", loginLine(s.Manager, s.Linger))
	a.printf("  check it with: brainbridge service status\n")
}

// loginLine says whether the service runs while nobody is logged in, and how
// to make it.
func loginLine(manager string, linger *bool) string {
	switch {
	case manager != "systemd":
		return "it runs while you are logged in"
	case linger != nil && *linger:
		return "it also runs while you are logged out"
	}
	return "it runs while you are logged in; to keep it running after you log out: loginctl enable-linger $USER"
}

func (a *cli) showUninstalled(done app.UninstallServiceAnswer) {
	if a.dryRun {
		return // the plan is the answer
	}
	a.printf("uninstalled: %s\n", done.Name)
	if done.KeptAside != nil {
		a.printf("  the file was edited; a copy is kept as %s\n", *done.KeptAside)
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
		a.printf("  edited by hand; the next installation keeps a copy\n")
	}
	if !s.Enabled {
		a.printf("  it does not start at login; `brainbridge service install` enables it\n")
	}
	a.printf("%s\n", loginLine(s.Manager, s.Linger))
}
