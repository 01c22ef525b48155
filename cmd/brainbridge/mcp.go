package main

import (
	"context"
	"io"
	"log/slog"
	"os/signal"
	"runtime/debug"
	"sync"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/integration/app"
	"github.com/brainbridge/brainbridge/integration/mcp"
	"github.com/brainbridge/brainbridge/integration/sessions"
)

func (a *cli) mcpCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "mcp", Short: "Serve an agent over MCP on standard input and output",
		Long: "Serve an agent over the Model Context Protocol on standard input and output. The agent\nstarts this command; see docs/mcp.md. The graph tools are a drop-in replacement for the\nreference memory server.",
		Args: noArgs,
	}
	tools := c.Flags().String("tools", string(mcp.All), "`GROUP` of tools to offer: graph, memory or all")
	c.RunE = func(c *cobra.Command, _ []string) error {
		group, err := mcp.ParseGroup(*tools)
		if err != nil {
			return err
		}
		return a.serveMCP(c.Context(), group)
	}
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
	out := rawWriter(a.out)        // which is not an error of this command
	debug.SetGCPercent(daemonGC)   // the process lives as long as the agent
	a.out, a.quiet, a.json = io.Discard, true, false
	session := mcp.SessionPrefix + brain.NewID()
	log := slog.New(slog.NewTextHandler(a.err, &slog.HandlerOptions{Level: slog.LevelError}))
	begin := sync.OnceFunc(func() {
		if err := core.Connect(session); err != nil {
			log.Error(err.Error())
		}
	})
	o := a.mcpOptions(log, func(c app.Caller) *app.UseCases {
		begin()
		return core.As(c)
	})
	o.Tools, o.Project, o.Session = group, sessions.ProjectHere(), session
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
			c.Notices = warnings{notices{cli: a}}
			return as(c)
		},
	}
}
