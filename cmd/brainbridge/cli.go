package main

import (
	"context"
	"errors"
	"io"
	"os"
	"sync/atomic"
	"time"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/brainbridge/brainbridge/config"
	"github.com/brainbridge/brainbridge/integration/app"
)

// cli is one run of the program. What it needs is opened on first use.
type cli struct {
	in       io.Reader
	out, err io.Writer
	stdout   io.Writer // below out, which is buffered while a command runs
	env      func(string) string
	inTTY    bool // a person can be asked
	outTTY   bool
	errTTY   bool

	// The global flags.
	brainName, configFile, storeURI    string
	notesDir                           string // of init
	json, testOnly, quiet, yes, dryRun bool
	typed                              string // the first argument, "" for none

	runWait time.Duration // how long maintenance waits for a run in progress
	frugal  bool          // save memory, because many processes like this one may run
	secrets atomic.Int64  // number of redacted secrets
	loaded  *config.Loaded
	broken  error    // why the config file cannot be read, if loaded is without it
	core    *app.App // nil until it is needed
	clock   func() time.Time
	served  func(ctx context.Context, base, login string) error // what serve does with its page; nil: nothing
	closers []func() error
	bar     *progress // of the work in progress; nil without a terminal
}

func newCLI() *cli {
	return &cli{
		in: os.Stdin, out: os.Stdout, err: os.Stderr, env: os.Getenv,
		inTTY:  term.IsTerminal(int(os.Stdin.Fd())),
		outTTY: term.IsTerminal(int(os.Stdout.Fd())),
		errTTY: term.IsTerminal(int(os.Stderr.Fd())),
	}
}

// onClose registers a teardown; they run in reverse order.
func (a *cli) onClose(f func() error) { a.closers = append(a.closers, f) }

func (a *cli) close() error {
	var err error
	for i := len(a.closers) - 1; i >= 0; i-- {
		err = errors.Join(err, a.closers[i]())
	}
	a.closers, a.core = nil, nil
	return err
}

// configInput returns the sources of the settings other than the config file.
func (a *cli) configInput() config.Input {
	return config.Input{Env: a.env, Test: a.testOnly, Flags: map[string]string{
		"brain": a.brainName, "store": a.storeURI, "config": a.configFile, "notes.dir": a.notesDir,
	}}
}

// settings reads the configuration, once.
func (a *cli) settings() (config.Loaded, error) {
	if a.loaded == nil {
		l, err := config.Load(a.configInput())
		if err != nil {
			return config.Loaded{}, err
		}
		a.loaded = &l
	}
	return *a.loaded, nil
}

// app returns what all use cases of this process share. It opens nothing.
func (a *cli) app() (*app.App, error) {
	if a.core != nil {
		return a.core, nil
	}
	l, err := a.settings()
	if err != nil {
		return nil, err
	}
	if err := a.setClock(); err != nil {
		return nil, err
	}
	o := app.Options{Settings: l, Env: a.env, Now: a.clock, Version: version(), Frugal: a.frugal, BrokenSettings: a.broken}
	if a.broken == nil {
		o.Settings = app.FollowMove(app.Locate(context.Background(), o), a.dryRun, notices{a})
	}
	a.core = app.New(o)
	a.onClose(a.core.Close)
	return a.core, nil
}

// use returns the use cases for the caller of this command.
func (a *cli) use() (*app.UseCases, error) {
	core, err := a.app()
	if err != nil {
		return nil, err
	}
	a.startProgress()
	return core.As(app.Caller{Project: app.ProjectHere(), DryRun: a.dryRun, Notices: notices{a}}), nil
}

// setClock sets the clock of this command: BRAINBRIDGE_NOW, if it is set.
func (a *cli) setClock() error {
	a.clock = time.Now
	text := a.env("BRAINBRIDGE_NOW")
	if text == "" {
		return nil
	}
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return usage("write it as 2026-03-01T09:30:00Z", "BRAINBRIDGE_NOW is %q, which is not an RFC 3339 time", text)
	}
	a.clock = func() time.Time { return t }
	return nil
}

// answers returns the function of a command that calls a use case and prints its answer.
func answers[A any](a *cli, call func(ctx context.Context, u *app.UseCases, args []string) (A, error), show func(A)) func(*cobra.Command, []string) error {
	return func(c *cobra.Command, args []string) error {
		u, err := a.use()
		if err != nil {
			return err
		}
		found, err := call(c.Context(), u, args)
		if err != nil {
			return err
		}
		return a.answer(found, func() { show(found) })
	}
}

// answersOf is answers for a use case without a request.
func answersOf[A any](a *cli, call func(*app.UseCases, context.Context) (A, error), show func(A)) func(*cobra.Command, []string) error {
	return answers(a, func(ctx context.Context, u *app.UseCases, _ []string) (A, error) { return call(u, ctx) }, show)
}

// answersTo is answers for a use case whose request the options or the first argument fill in.
func answersTo[R, A any](a *cli, call func(*app.UseCases, context.Context, R) (A, error), request *R, show func(A)) func(*cobra.Command, []string) error {
	return answers(a, func(ctx context.Context, u *app.UseCases, _ []string) (A, error) { return call(u, ctx, *request) }, show)
}

// notices prints warnings and information at the command line.
type notices struct{ *cli }

func (n notices) Warn(err error)       { n.warnError(err) }
func (n notices) Info(text string)     { n.say("%s", text) }
func (n notices) Redacted(secrets int) { n.secrets.Add(int64(secrets)) }

// Progress shows the progress of a step on a terminal.
func (n notices) Progress(step string, done, total int) { n.bar.tell(step, done, total) }

// warnings are the notices of a server, whose people hear of problems only.
type warnings struct{ notices }

func (warnings) Info(string) {}

// logNotices logs what the daemon does.
type logNotices struct{ log zerolog.Logger }

func (n logNotices) Warn(err error)            { n.log.Warn().Err(err).Msg("warning") }
func (n logNotices) Info(text string)          { n.log.Info().Msg(text) }
func (n logNotices) Progress(string, int, int) {}

func (n logNotices) Redacted(secrets int) {
	if secrets > 0 {
		n.log.Info().Int("secrets", secrets).Msg("redacted secrets in stored texts")
	}
}

// printRedactions prints how many secrets were redacted in the input of a command.
func (a *cli) printRedactions() {
	if n := int(a.secrets.Swap(0)); n > 0 {
		a.say("%s %s as [redacted: …]", counted(n, "secret"), a.verbFor("stored", "would be stored"))
	}
}
