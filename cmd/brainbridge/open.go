package main

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/integration/web"
)

// openedPage is the address of a page, which logs a browser in once, within a minute.
type openedPage struct {
	URL string `json:"url"`
}

func (a *cli) openCommand() *cobra.Command {
	var demonstrate bool
	c := command("open", "Open the page of the brain in the browser", func(c *cobra.Command, _ []string) error {
		if demonstrate {
			return a.openDemo(c.Context())
		}
		return a.openPage(c.Context())
	})
	c.Flags().BoolVar(&demonstrate, "demo", false, "open a made-up brain of 60 days instead, until Ctrl-C")
	c.Long = `Open the page that the daemon serves, and log the browser in for 30 days. Without a
display, as over SSH, it prints the address. It starts nothing.`
	return c
}

// openPage opens the page in the browser, or prints its address if there is none.
func (a *cli) openPage(ctx context.Context) error {
	u, err := a.use()
	if err != nil {
		return err
	}
	base, tokenFile := u.Served()
	if base == "" {
		return brain.Errorf(brain.ErrNotFound, "start it with `brainbridge serve`, or with `brainbridge service install` for good; web.listen must not be off",
			"no daemon serves the page of this brain")
	}
	url, err := web.AskLogin(ctx, base, tokenFile)
	if err != nil {
		return err
	}
	return a.answer(openedPage{url}, func() { a.showPage(ctx, base, url) })
}

func (a *cli) showPage(ctx context.Context, base, url string) {
	if browser := a.browser(); browser != "" && exec.CommandContext(ctx, browser, url).Run() == nil {
		a.say("opened %s in the browser", base)
		return
	}
	a.printf("%s\n", url)
	if a.quiet {
		return
	}
	if a.env("SSH_CONNECTION") != "" {
		host, _ := os.Hostname()
		a.printf("  on your own machine: ssh -N -L %[1]s:%[1]s %[2]s, then open the address there\n", strings.TrimPrefix(base, "http://"), host)
	}
	a.printf("  it works once, for a minute\n")
}

// openDemo serves a made-up brain in a temporary folder until ctx ends.
func (a *cli) openDemo(ctx context.Context) error {
	home, err := os.MkdirTemp("", "brainbridge-demo-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(home) }()
	b := newCLI()
	b.in, b.out, b.err, b.quiet, b.json = a.in, a.out, a.err, a.quiet, a.json
	b.env = func(name string) string {
		switch name {
		case "BRAINBRIDGE_HOME", "HOME", "CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME", "OPENCLAW_STATE_DIR": // it reads no real transcript
			return home
		case "BRAINBRIDGE_WEB_LISTEN":
			return "127.0.0.1:0"
		}
		if strings.HasPrefix(name, "BRAINBRIDGE_") {
			return ""
		}
		return a.env(name)
	}
	settings, err := b.settings()
	if err != nil {
		return err
	}
	a.say("making up a brain of 60 days …")
	if err := demoBrain(ctx, settings, time.Now()); err != nil {
		return err
	}
	b.served = func(ctx context.Context, base, login string) error {
		err := b.answer(openedPage{login}, func() { b.showPage(ctx, base, login) })
		b.say("Ctrl-C ends it, and removes the made-up brain.")
		return err
	}
	err = b.serve(ctx)
	return errors.Join(err, b.close())
}

// browser returns the program that opens an address, "" without a display.
func (a *cli) browser() string {
	switch {
	case a.env("SSH_CONNECTION") != "":
		return ""
	case runtime.GOOS == "darwin":
		return "open"
	case a.env("DISPLAY")+a.env("WAYLAND_DISPLAY") != "":
		return "xdg-open"
	}
	return ""
}
