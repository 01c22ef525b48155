package main

import (
	"context"
	"io"
	"log/slog"
	"os/signal"
	"sync"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/consolidate"
	"github.com/brainbridge/brainbridge/brain/health"
	"github.com/brainbridge/brainbridge/integration/mcp"
)

func (a *app) mcpCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "mcp", Short: "Serve agents over MCP, on standard input and output",
		Long: "Serve agents over the Model Context Protocol, on standard input and output. An agent\nstarts it; docs/mcp.md says how. The graph tools stand in for the reference memory server.",
		Args: noArgs,
	}
	tools := c.Flags().String("tools", string(mcp.All), "`GROUP` of tools: graph, memory or all")
	c.RunE = func(c *cobra.Command, _ []string) error {
		group, err := mcp.ParseGroup(*tools)
		if err != nil {
			return err
		}
		if err := a.realOnly("mcp"); err != nil {
			return err
		}
		return a.serveMCP(c.Context(), group)
	}
	return c
}

// serveMCP answers one client until it goes. The settings are read before, so
// that what is wrong with them is said at the start; the store is opened when a
// call first needs it.
func (a *app) serveMCP(ctx context.Context, group mcp.Group) error {
	if _, err := a.options(); err != nil {
		return err
	}
	signal.Ignore(syscall.SIGPIPE) // a client that is gone is an error of the write, and no death in the middle of one
	out := a.out
	a.out, a.quiet, a.json = io.Discard, true, false
	a.session = "mcp:" + brain.NewID(false)
	h := &mcpHome{a: a}
	server, err := mcp.New(mcp.Options{
		Tools: group, Version: version, Brain: h.brain, Home: h,
		Log: slog.New(slog.NewTextHandler(a.err, &slog.HandlerOptions{Level: slog.LevelError})),
	})
	if err != nil {
		return err
	}
	h.client = server.Client
	return server.Run(ctx, mcp.Stdio{In: a.in, Out: out})
}

// mcpHome is what this command gives the MCP server of the machine.
type mcpHome struct {
	client func() string

	mu sync.Mutex // of what a has opened
	a  *app
}

var _ mcp.Home = (*mcpHome)(nil)

// brain opens the store at the first call, and takes in what was spooled.
func (h *mcpHome) brain(ctx context.Context) (*brain.Brain, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.a.agent = h.client()
	return h.a.brain(ctx)
}

// maker makes captures, whether the store can be reached or not.
func (h *mcpHome) maker() (*brain.Brain, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.a.agent = h.client()
	return h.a.maker()
}

// Project is that of the folder that the agent works in.
func (h *mcpHome) Project() string { return projectHere() }

// Shown is a memory as `show` has it.
func (h *mcpHome) Shown(s brain.Shown) any { return shown(s) }

// Recall answers a question as `recall` does.
func (h *mcpHome) Recall(ctx context.Context, question mcp.Question) (brain.Recollection, error) {
	q, err := h.question(question)
	if err != nil {
		return brain.Recollection{}, err
	}
	b, err := h.brain(ctx)
	if err != nil {
		return brain.Recollection{}, err
	}
	return b.Recall(ctx, q)
}

func (h *mcpHome) question(question mcp.Question) (brain.RecallQuery, error) {
	q := brain.RecallQuery{
		Text: question.Query, Limit: question.Limit, Budget: question.Budget,
		Types: question.Types, Tags: brain.CleanTags(question.Tags), Project: question.Project,
	}
	err := brain.CheckText("the question", q.Text)
	if err == nil {
		q.Since, err = h.a.moment("since", question.Since, back)
	}
	if err == nil {
		q.Until, err = h.a.endOf("until", question.Until)
	}
	if err == nil {
		q.AsOf, err = h.a.endOf("asOf", question.AsOf)
	}
	return q, err
}

// Consolidate plans a whole run, or carries it out. It works on a handle of its
// own: a plan is made in a dry run, which other calls are not part of.
func (h *mcpHome) Consolidate(ctx context.Context, apply bool) (any, error) {
	one := h.a.apart()
	one.dryRun = !apply
	rep, _, err := one.maintain(ctx, runOptions{unseen: true}, func(ctx context.Context, r *consolidate.Runner) (consolidate.Report, error) {
		return r.Run(ctx, one.request(brain.RunConsolidate))
	})
	if closed := one.close(); err == nil {
		err = closed
	}
	if err != nil {
		return nil, err
	}
	return fitReport(reported(rep)), nil
}

// maxReported is how many actions of a run an agent is told; `runs show` has
// all of them.
const maxReported = 25

func fitReport(v consolidateAnswer) any {
	left := max(0, len(v.Actions)-maxReported)
	v.Actions = v.Actions[:len(v.Actions)-left]
	return struct {
		consolidateAnswer
		MoreActions int `json:"moreActions"`
	}{v, left}
}

// Health says whether the brain is in order, as `health` does.
func (h *mcpHome) Health(ctx context.Context) (any, error) {
	b, err := h.brain(ctx)
	if err != nil {
		return nil, err
	}
	f, err := h.a.healthFacts(ctx, b)
	if err != nil {
		return nil, err
	}
	return health.Check(f), nil
}

// apart is the same app with nothing open.
func (a *app) apart() *app {
	return &app{
		in: a.in, out: a.out, err: a.err, env: a.env, brainName: a.brainName, configFile: a.configFile, storeURI: a.storeURI,
		quiet: a.quiet, loaded: a.loaded, session: a.session, agent: a.agent,
	}
}
