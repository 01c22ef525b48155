package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/integration/agents"
	"github.com/brainbridge/brainbridge/integration/app"
	"github.com/brainbridge/brainbridge/integration/hooks"
	"github.com/brainbridge/brainbridge/integration/mcp"
)

func (a *cli) hookCommand() *cobra.Command {
	h := hooks.Hook{Hint: app.Hint, Detach: a.detach}
	c := command("hook EVENT", "Handle an agent hook from the JSON on standard input", nil)
	c.Args = nil // a wrong number of arguments is an unknown event, which is logged
	c.Long = "Handle an agent hook from the JSON on standard input: SessionStart, UserPromptSubmit,\nPostToolUse, PreCompact, Stop or SessionEnd. A hook never blocks the agent: errors go to\nhooks.log, and the exit code is always 0. `install` sets hooks up."
	agent := c.Flags().String("agent", agents.ClaudeCode, "`AGENT` to format the answer for: "+strings.Join(agents.All(), ", "))
	c.Flags().BoolVar(&h.Detached, "detached", false, "run the handed-over work in this process")
	c.Flags().Lookup("detached").Hidden = true
	c.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		a.logHook(flagError(c, err)) // agents treat exit code 2 as a veto
		return nil
	})
	c.RunE = func(c *cobra.Command, args []string) error {
		h.Agent = *agent
		h.Event = strings.Join(args, " ")
		timeout := 2 * time.Second // it then returns without an answer
		switch event, _ := hooks.ParseEvent(h.Event); {
		case h.Detached:
			timeout = 5 * time.Minute
		case event == hooks.SessionStart:
			timeout = 5 * time.Second
		}
		a.runHook(c.Context(), h, timeout)
		return nil
	}
	return c
}

// runHook prints the answer and logs errors.
func (a *cli) runHook(ctx context.Context, h hooks.Hook, timeout time.Duration) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	h.EnvFile = a.env("CLAUDE_ENV_FILE")
	h.Use = func() (*app.UseCases, error) {
		application, err := a.app()
		if err != nil {
			return nil, err
		}
		return application.As(app.Caller{Background: true, Notices: hookNotices{warnings{notices{a}}}}), nil
	}
	text, err := h.Run(ctx, a.in)
	_, printErr := fmt.Fprint(a.stdout, text)
	a.quiet = true // their reader would be the agent
	if err = errors.Join(err, printErr, a.close()); err != nil {
		a.logHook(err)
	}
}

// hookNotices logs warnings, and nothing else.
type hookNotices struct{ warnings }

func (n hookNotices) Warn(err error) { n.logHook(err) }

// detach starts this program in a new session, on the same brain, without waiting for it.
func (a *cli) detach(input []byte, args ...string) error {
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find the path of this executable: %w", err)
	}
	u, err := a.use()
	if err != nil {
		return err
	}
	c := exec.Command(self, append(args, u.Flags()...)...)
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // it outlives the agent
	in, err := c.StdinPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		return fmt.Errorf("start %s: %w", args[0], err)
	}
	_, err = in.Write(input)
	return errors.Join(err, in.Close(), c.Process.Release())
}

// logHook writes an error to hooks.log, or to standard error if that fails.
func (a *cli) logHook(err error) {
	line := hooks.LogLine(err)
	settings, logErr := a.settings()
	if logErr == nil {
		logErr = hooks.Log(settings.Paths.State, line)
	}
	if logErr != nil {
		a.complain("brainbridge: %s", strings.TrimSpace(line))
	}
}

func (a *cli) heartbeatCommand() *cobra.Command {
	type reminder struct {
		Text string `json:"text"`
	}
	c := command("heartbeat", "Print the reminder to capture that agents get every few prompts", nil)
	c.Long = c.Short + ". It ends\nwith at most two pairs of statements that may not both hold. In a session whose transcript\nis known it also lists at most five sentences of the person since the last reminder that\nmay be worth keeping. Each is listed once."
	c.RunE = answers(a, func(ctx context.Context, u *app.UseCases, _ []string) (reminder, error) {
		q, err := u.Questions(ctx, nil)
		return reminder{hooks.Heartbeat(q, false, u.Flags())}, err
	}, func(r reminder) { a.printf("%s", r.Text) })
	return c
}

func (a *cli) mcpCommand() *cobra.Command {
	c := command("mcp", "Serve an agent over MCP on standard input and output", nil)
	c.Long = "Serve an agent over the Model Context Protocol on standard input and output. The agent\nstarts this command; see docs/mcp.md. The graph tools are a drop-in replacement for the\nreference memory server."
	tools := c.Flags().String("tools", string(mcp.All), "`GROUP` of tools to offer: graph, memory or all")
	c.RunE = func(c *cobra.Command, _ []string) error { return a.serveMCP(c.Context(), mcp.Group(*tools)) }
	return c
}

// serveMCP serves one client until it disconnects. The settings are read first, so
// that errors in them show at the start. The store is opened by the first call.
func (a *cli) serveMCP(ctx context.Context, group mcp.Group) error {
	a.frugal = true // every session of an agent starts one
	core, err := a.app()
	if err == nil {
		err = core.Check()
	}
	if err != nil {
		return err
	}
	signal.Ignore(syscall.SIGPIPE) // a write to a client that is gone returns an error
	out := a.stdout                // which is not an error of this command
	a.out, a.quiet, a.json = io.Discard, true, false
	session := mcp.SessionPrefix + brain.NewID()
	log := slog.New(slog.NewTextHandler(a.err, &slog.HandlerOptions{Level: slog.LevelError}))
	begin := sync.OnceFunc(func() {
		collectAsDaemon() // the process lives as long as the agent
		if err := core.Connect(session); err != nil {
			log.Error(err.Error())
		}
	})
	o := a.mcpOptions(log, func(c app.Caller) *app.UseCases {
		begin()
		return core.As(c)
	})
	o.Tools, o.Project, o.Session = group, app.ProjectHere(), session
	server, err := mcp.New(o)
	if err != nil {
		return err
	}
	return server.Run(ctx, mcp.Stdio{In: a.in, Out: out})
}

// mcpOptions returns the options of an MCP server. All clients share one open store.
func (a *cli) mcpOptions(log *slog.Logger, as func(app.Caller) *app.UseCases) mcp.Options {
	return mcp.Options{
		Tools: mcp.All, Version: version(), Log: log,
		UseCases: func(c app.Caller) *app.UseCases {
			c.Notices = warnings{notices{a}}
			return as(c)
		},
	}
}
