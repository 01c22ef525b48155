package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/integration/web"
)

func (a *cli) openCommand() *cobra.Command {
	c := command("open", "Open the page of the brain in the browser", func(c *cobra.Command, _ []string) error { return a.openPage(c.Context()) })
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
	return a.answer(struct {
		URL string `json:"url"`
	}{url}, func() { a.showPage(ctx, base, url) })
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
		a.printf("  on your own machine: ssh -N -L %[1]s:%[1]s %s, then open the address there\n", hostPort(base), host)
	}
	a.printf("  it works once, for a minute\n")
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

// hostPort returns 127.0.0.1:4747 of http://127.0.0.1:4747.
func hostPort(base string) string {
	var address string
	_, _ = fmt.Sscanf(base, "http://%s", &address)
	return address
}
