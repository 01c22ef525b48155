package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
	"gopkg.in/natefinch/lumberjack.v2"

	"github.com/brainbridge/brainbridge/brain/plaintext"
	"github.com/brainbridge/brainbridge/config"
	"github.com/brainbridge/brainbridge/integration/app"
)

func (a *cli) serviceCommand() *cobra.Command {
	install := changing(command("install", "Start the daemon at login and restart it when it fails", answersOf(a, (*app.UseCases).InstallService, a.showInstalled)))
	install.Long = `Install the daemon as a systemd user unit (Linux) or a LaunchAgent (macOS), which
starts it at login and restarts it when it fails. The daemon starts at once, with the
settings of this command. --dry-run prints the file. If the installed file was edited,
a copy is kept beside it.`
	uninstall := rehearsed(a, (*app.UseCases).UninstallService, func(s app.UninstallServiceAnswer) (string, []string) {
		return "Uninstall " + s.Name, []string{"stop the daemon and remove " + s.File, "all memories are kept"}
	}, a.showUninstalled)
	return parent("service", "Run the daemon as a service of your user account",
		command("status", "Show the state of the service", answersOf(a, (*app.UseCases).Service, a.showService)),
		install,
		changing(command("uninstall", "Stop the daemon and remove the service", uninstall)))
}

func (a *cli) showInstalled(s app.InstallServiceAnswer) {
	if a.dryRun {
		a.printf("%s", s.Text)
		a.say("would be written to %s", s.File)
		if s.Edited {
			a.say("the existing file was edited; a copy would be kept next to it")
		}
		return
	}
	a.printf("installed and started: %s\n", s.Name)
	if a.quiet {
		return
	}
	a.printf("  file  %s\n", s.File)
	if s.KeptAside != "" {
		a.printf("  the previous file was edited; a copy is kept as %s\n", s.KeptAside)
	}
	a.printf("  %s\n", loginLine(s.Manager, s.Linger))
	a.printf("  check it with: brainbridge service status\n")
}

// loginLine says whether the service runs while nobody is logged in, or how to enable that.
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
	if done.KeptAside != "" {
		a.printf("  the file was edited; a copy is kept as %s\n", done.KeptAside)
	}
}

func (a *cli) showService(s app.ServiceAnswer) {
	if !s.Installed {
		a.printf("%s: not installed; `brainbridge service install` installs it\n", s.Name)
	} else {
		a.printf("%s: %s\n", s.Name, s.Detail)
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

func (a *cli) serveCommand() *cobra.Command {
	c := command("serve", "Run the daemon: watch the notes and run maintenance", func(c *cobra.Command, _ []string) error { return a.serveAgain(c.Context()) })
	c.Long = `Run the daemon in the foreground. It ingests notes when they are saved, settles
every 10 minutes, stores spooled captures when the store is reachable again,
and serves agents over HTTP on localhost (web.listen). It creates missing files and
folders, and starts again by itself when its settings change. In a terminal it prints
a line for each note that is read, each new memory, each run and each reminder that
falls due. Ctrl-C stops it.`
	return c
}

// serve runs the daemon until ctx ends.
func (a *cli) serve(ctx context.Context) error {
	collectAsDaemon()
	core, err := a.app()
	if err != nil {
		return err
	}
	p := &process{cli: a, core: core, log: zerolog.Nop()}
	open := func(ctx context.Context) error {
		if p.settingsChanged() {
			return errSettings
		}
		return core.Open(ctx, notices{a})
	}
	unlock, err := core.ClaimDaemon(ctx, open, func(err error) { a.warn("waiting until the brain is back: " + err.Error()) })
	if err != nil {
		return err
	}
	a.onClose(func() error { unlock(); return nil })
	l := core.Settings
	if err := core.RemoveDaemonState(); err != nil { // of a daemon that was killed
		return err
	}
	a.onClose(core.RemoveDaemonState)
	screen := a.screen()
	log, err := a.daemonLog(l, screen)
	if err != nil {
		return err
	}
	p.log = log
	err = app.Await(ctx, open, func(err error) {
		a.say("The store cannot be reached yet, waiting for it: %v", err)
		log.Warn().Err(err).Msg("waiting for the store")
	})
	if err != nil {
		return err
	}
	if p.work, err = core.Daemon(ctx, daemonNotices{logNotices{log}, a}, log); err != nil {
		return err
	}
	if screen != nil {
		if err := p.work.Observe(ctx, screen); err != nil {
			return err
		}
	}
	p.openWeb(ctx)
	p.publishState()
	if a.served == nil || p.web == nil {
		a.printStartup(l, p, screen != nil)
	} else if err := a.served(ctx, p.web.URL(), p.web.LoginURL()); err != nil {
		return err
	}
	screen.open()
	return p.Run(ctx)
}

// daemonLog opens the rotated log of the daemon. Its warnings are also shown on the screen,
// if there is one.
func (a *cli) daemonLog(l config.Loaded, s *screen) (zerolog.Logger, error) {
	level, err := zerolog.ParseLevel(l.Config.Log.Level)
	if err != nil {
		return zerolog.Nop(), usage("use debug, info, warn or error", "log.level: %v", err)
	}
	file := &lumberjack.Logger{Filename: l.Paths.DaemonLog, MaxSize: 5 /* MB */, MaxBackups: 3}
	a.onClose(file.Close)
	var out io.Writer = file
	if s != nil {
		out = zerolog.MultiLevelWriter(file, s)
	}
	return zerolog.New(visibleLog{out}).Level(level).With().Timestamp().Logger(), nil
}

// visibleLog writes lines of a log as [plaintext.Visible] shows them.
type visibleLog struct{ out io.Writer }

func (l visibleLog) Write(line []byte) (int, error) {
	_, err := io.WriteString(l.out, plaintext.Visible(string(line)))
	return len(line), err
}

// printStartup prints the places of the store, the notes and the log, and what to do next.
func (a *cli) printStartup(l config.Loaded, p *process, watched bool) {
	info, notes := p.work.Store(), l.Paths.NotesDir
	write := "\nor write a note, such as " + filepath.Join(notes, time.Now().Format(time.DateOnly)+".md")
	if p.work.Watch == nil {
		notes += " (not watched: " + p.work.NotWatching + ")"
		write = ""
	}
	mcp, page := "", ""
	if p.web != nil && watched {
		page = "Look at it: " + p.web.LoginURL() + " (once, within a minute; later: " + a.programName() + " open)\n"
	}
	if p.web != nil {
		mcp = fmt.Sprintf("\n  mcp    %s, with the token in %s", p.web.URL()+mcpPath, l.Paths.Token)
	}
	end := "Ctrl-C stops it."
	if watched {
		end += " From here on, there is a line for each thing that happens."
	}
	a.say(`%sbrainbridge %s is running, brain %s, pid %d
  store  %s
  notes  %s
  log    %s%s

Next, in another terminal:
%s%s
%s`, page, version(), info.Brain, os.Getpid(), info.URI, notes, l.Paths.DaemonLog, mcp,
		strings.ReplaceAll(firstSteps, "  brainbridge ", "  "+a.programName()+" "), write, end)
}

// programName is how a person starts this program in any folder: by its name, if the shell
// would find this very file, otherwise by its path.
func (a *cli) programName() string {
	self, err := os.Executable()
	if err != nil {
		return os.Args[0]
	}
	this, err := os.Stat(self)
	found, notFound := exec.LookPath("brainbridge")
	if onPath, noFile := os.Stat(found); err == nil && notFound == nil && noFile == nil && os.SameFile(this, onPath) {
		return "brainbridge"
	}
	return self
}
